"""Clip files: one FLAC a take, named by content key, whole or absent.

A clip is written under a temporary name, flushed to the disk and renamed; only then does the ledger hear of it. A
file under its final name is therefore always whole.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.errors import JobBroken
from batchtts.ledger.files import StoredFile, sync_folder
from batchtts.model import Clip

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TEMPORARY = ".part"
FULL_SCALE = 32767


def file_name(key: str, take: int) -> str:
    """`ab/<key>.flac` for the first take, `ab/<key>.2.flac` for the second: no take overwrites another."""
    return f"{key[:2]}/{key}.flac" if take == 1 else f"{key[:2]}/{key}.{take}.flac"


def parse_name(path: Path) -> tuple[str, int] | None:
    """The key and take that a clip file's name says, None for a foreign file.

    >>> parse_name(Path("ab/abcd.2.flac"))
    ('abcd', 2)
    """
    parts = path.name.split(".")
    if len(parts) == 2 and parts[1] == "flac":
        return parts[0], 1
    if len(parts) == 3 and parts[2] == "flac" and parts[1].isdecimal():
        return parts[0], int(parts[1])
    return None


class ClipStore:
    """The `clips/` folder of a job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        return self.folder / name

    def write(self, clip: Clip) -> StoredFile:
        """Store a clip as 16-bit mono FLAC. Raises JobBroken, with nothing half-written left, when the disk refuses."""
        data = encode(clip)
        name = file_name(clip.key, clip.take)
        target = self.path(name)
        temporary = target.with_name(target.name + TEMPORARY)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
            sync_folder(target.parent)
            status = target.stat()
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise JobBroken(
                f"{target}: cannot write the clip ({error.strerror or error}); make room or mend the folder, "
                "then run the same command again"
            ) from error
        return StoredFile(name, hashlib.sha256(data).hexdigest(), len(data), status.st_mtime_ns)

    def read(self, name: str) -> tuple[npt.NDArray[np.int16], int]:
        """Samples (int16, shape (n,)) and rate. Raises JobBroken when the file is missing or not a whole FLAC."""
        import soundfile

        try:
            samples, rate = soundfile.read(str(self.path(name)), dtype="int16")
        except (OSError, soundfile.LibsndfileError) as error:
            raise JobBroken(
                f"{self.path(name)}: the clip is missing or damaged; run `batchtts render` again and it is made anew"
            ) from error
        return samples, int(rate)

    def sweep(self) -> None:
        """Delete half-written clips of a killed run. Only under the job's lock."""
        for path in self.folder.glob(f"*/*{TEMPORARY}"):
            path.unlink(missing_ok=True)

    def stored(self) -> Iterator[tuple[str, int, Path]]:
        """Key, take and path of each clip file found, in name order."""
        for path in sorted(self.folder.glob("*/*.flac")):
            if (parsed := parse_name(path)) is not None:
                yield *parsed, path


def encode(clip: Clip) -> bytes:
    """The clip as a FLAC file; equal samples give equal bytes."""
    import numpy as np
    import soundfile

    scaled = np.rint(np.clip(clip.samples, -1.0, 1.0) * FULL_SCALE).astype(np.int16)
    buffer = BytesIO()
    soundfile.write(buffer, scaled, clip.rate, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()
