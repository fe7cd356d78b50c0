"""Looking at jobs without changing them: status and verify."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from batchtts.app.chapters import FOLDER
from batchtts.errors import UsageError
from batchtts.ledger.ledger import Ledger
from batchtts.ledger.rows import ChapterRow, Job, Problem, Tally
from batchtts.ledger.schema import DATABASE


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job at a glance. `speed` is seconds of audio per second of the latest run, `eta_s` what is left of it."""

    folder: Path
    job: Job
    tally: Tally
    chapters: tuple[ChapterRow, ...]
    problems: tuple[Problem, ...]
    audio_s: float
    speed: float | None
    eta_s: float | None


@dataclass(frozen=True, slots=True)
class Verification:
    """What does not agree with the ledger."""

    folder: Path
    clips: int
    damaged_clips: tuple[str, ...]
    damaged_chapters: tuple[str, ...]
    unfinished: int
    """Sentences that have not been rendered yet."""

    @property
    def intact(self) -> bool:
        return not (self.damaged_clips or self.damaged_chapters)


def status(folder: Path) -> JobStatus:
    """Raises UsageError where there is no job, JobBroken where its ledger is damaged."""
    ledger = Ledger.open(folder)
    try:
        job = ledger.job()
        if job is None:
            raise UsageError(f"{folder}: the job has not begun; run `batchtts render` first")
        tally = ledger.tally()
        audio = tally.samples / job.rate
        speed = _speed(ledger, job.rate)
        finished = tally.sentences - tally.left
        eta = tally.left * (audio / finished) / speed if speed and finished else None
        return JobStatus(folder, job, tally, tuple(ledger.chapters()), tuple(ledger.problems()), audio, speed, eta)
    finally:
        ledger.close()


def _speed(ledger: Ledger, rate: int) -> float | None:
    run = ledger.last_run()
    if run is None:
        return None
    begun, samples, latest = run
    seconds = (datetime.fromisoformat(latest) - datetime.fromisoformat(begun)).total_seconds()
    return samples / rate / seconds if seconds > 0 else None


def find_jobs(folder: Path) -> list[Path]:
    """The folder itself when it is a job, else the jobs right below it. Raises UsageError when there is none."""
    if (folder / DATABASE).is_file():
        return [folder]
    below = sorted(path.parent for path in folder.glob(f"*/{DATABASE}"))
    if not below:
        raise UsageError(f"{folder}: no batchtts job here (no {DATABASE}); begin one with `batchtts render`")
    return below


def verify(folder: Path) -> Verification:
    """Read every clip and chapter file that the ledger knows and compare hashes."""
    ledger = Ledger.open(folder)
    try:
        chapters = ledger.chapters()
        damaged = [
            row.file.name for row in chapters if row.file and not row.file.intact(folder / FOLDER, thorough=True)
        ]
        missing = [f"{row.index:03d} {row.title}" for row in chapters if row.complete and not row.file]
        tally = ledger.tally()
        return Verification(
            folder, ledger.clip_count(), tuple(ledger.damaged_clips()), tuple(damaged + missing), tally.left
        )
    finally:
        ledger.close()
