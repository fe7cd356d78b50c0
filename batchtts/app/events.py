"""What a run tells its observer, as it happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batchtts.ledger.rows import Status
from batchtts.model import Cause


@dataclass(frozen=True, slots=True)
class Began:
    """Rendering is about to start."""

    folder: str
    engine: str
    voice: str
    sentences: int
    finished: int
    audio_s: float
    """Seconds of audio that finished sentences already have."""


@dataclass(frozen=True, slots=True)
class TakeDone:
    """A take was stored. `sentences` is how many sentences became finished by it (0 when it will be tried again)."""

    sentences: int
    audio_s: float
    status: Status
    flags: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class TakeFailed:
    sentences: int
    status: Status
    cause: Cause
    detail: str
    text: str


@dataclass(frozen=True, slots=True)
class BackedOff:
    """Memory ran out, or a batch raised: `rows` utterances are tried again under a smaller budget."""

    rows: int
    budget: int
    memory: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ChapterDone:
    index: int
    title: str
    file: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Notice:
    """A line for the user."""

    text: str


Event = Began | TakeDone | TakeFailed | BackedOff | ChapterDone | Notice
Observer = Callable[[Event], None]
