"""Finished clips become chapters: trimmed edges, exact pauses, streamed WAV files, safe names."""
