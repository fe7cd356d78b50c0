"""What a job has done so far, on disk: `job.db`, the clip files and the lock."""
