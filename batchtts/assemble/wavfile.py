"""A WAV file that appears under its name only once it is whole and on the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from batchtts.errors import JobBroken
from batchtts.ledger.files import sync_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TEMPORARY = ".part"
MOST_SAMPLES = (2**32 - 4096) // 2
"""16-bit samples that a plain WAV file holds, whose sizes are 32-bit numbers; beyond that it is RF64."""
BLOCK = 1 << 16
"""Most samples of silence written at once."""
FULL = (errno.ENOSPC, errno.EDQUOT)


class WavFile:
    """A context manager that writes 16-bit mono PCM: left normally, the file takes its name; by an error, it is gone.

    `container` is libsndfile's name of the format: `WAV` or `RF64`. Every method raises JobBroken when the disk
    refuses. Written through a file descriptor, since an exception in one of soundfile's callbacks would be lost.
    """

    def __init__(self, target: Path, rate: int, container: str = "WAV") -> None:
        import soundfile

        self._target = target
        self._temporary = target.with_name(target.name + TEMPORARY)
        with self._refusals():
            self._file = self._temporary.open("wb", buffering=0)
        try:
            with self._refusals():
                self._sound = soundfile.SoundFile(
                    self._file.fileno(), "w", rate, 1, "PCM_16", format=container, closefd=False
                )
        except BaseException:
            self._remove()
            raise

    def write(self, samples: npt.NDArray[np.int16]) -> None:
        with self._refusals():
            self._sound.write(samples)

    def write_silence(self, samples: int) -> None:
        """Write `samples` zeros in bounded blocks."""
        import numpy as np

        block = np.zeros(min(samples, BLOCK), np.int16)
        for start in range(0, samples, BLOCK):
            self.write(block[: samples - start])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._close()
            self._remove()

    def _finish(self) -> None:
        with self._refusals():
            self._sound.close()
            os.fsync(self._file.fileno())
            self._temporary.replace(self._target)
            sync_folder(self._target.parent)

    def _close(self) -> None:
        """Let go of the descriptor before it is closed: left to itself, soundfile would close its file whenever that is
        collected, and write a header to whatever has the same descriptor by then.
        """
        import soundfile

        with suppress(soundfile.LibsndfileError):  # the error that led here, once more
            self._sound.close()

    def _remove(self) -> None:
        """Delete the temporary file, unless it has been renamed."""
        self._file.close()
        self._temporary.unlink(missing_ok=True)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        import soundfile

        try:
            yield
        except soundfile.LibsndfileError:
            raise self._broken(self._reason()) from None
        except OSError as error:
            raise self._broken(error) from error

    def _reason(self) -> OSError:
        """Why libsndfile could not write. It keeps errno to itself, so the disk is asked again."""
        try:
            for _ in range(2):  # some of the first may still fit
                os.write(self._file.fileno(), bytes(BLOCK))
        except OSError as error:
            return error
        return OSError(errno.EIO, os.strerror(errno.EIO))

    def _broken(self, error: OSError) -> JobBroken:
        reason = "the disk is full" if error.errno in FULL else error.strerror or str(error)
        return JobBroken(
            f"{self._target}: cannot write the chapter ({reason}); make room or mend the folder, then run the same "
            "command again: finished clips are kept"
        )
