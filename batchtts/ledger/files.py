"""Files that the ledger vouches for."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A finished file: `name` is relative to its folder (`clips/`, `chapters/`)."""

    name: str
    sha256: str
    bytes: int
    mtime_ns: int

    def intact(self, folder: Path, thorough: bool = False) -> bool:
        """Whether the file in `folder` is still this one.

        Size and time stamp vouch for it when both are unchanged, unless `thorough`; otherwise its hash decides.
        """
        path = folder / self.name
        try:
            status = path.stat()
            if status.st_size != self.bytes:
                return False
            if not thorough and status.st_mtime_ns == self.mtime_ns:
                return True
            return sha256_of(path) == self.sha256
        except OSError:
            return False


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, hex, read in blocks. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stored_file(folder: Path, name: str) -> StoredFile:
    """Describe a file that has just been finished. Raises OSError."""
    path = folder / name
    status = path.stat()
    return StoredFile(name, sha256_of(path), status.st_size, status.st_mtime_ns)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
