"""One writer a job folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from batchtts.errors import AlreadyRunning, JobBroken


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold the job folder's lock; the system frees it when the process dies, however it dies.

    Raises AlreadyRunning when another process holds it, JobBroken when the folder cannot be written.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / "job.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise AlreadyRunning(f"{folder}: another batchtts run works on this folder; wait for it or stop it") from error
    except OSError as error:
        raise JobBroken(f"{folder}: cannot write there ({error.strerror or error})") from error
    try:
        yield
    finally:
        lock.release()
