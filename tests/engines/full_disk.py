"""The silent engine on a disk that fills up after three clips."""

from __future__ import annotations

import errno
import os

from batchtts.engines.base import EngineSpec
from batchtts.engines.silent import spec as silent
from batchtts.ledger import clips
from batchtts.settings import EngineSettings

CLIPS = 3


class FullDisk:
    """Stands in for the `os` that the clip store sees."""

    def __init__(self) -> None:
        self.left = CLIPS

    def fsync(self, handle: int) -> None:
        if self.left == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.left -= 1
        os.fsync(handle)


def spec(settings: EngineSettings) -> EngineSpec:
    clips.os = FullDisk()  # type: ignore[assignment] # only `fsync` is used there
    return silent(settings)
