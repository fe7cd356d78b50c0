"""Streams a chapter to a WAV file: clip, silence, clip, never more than two clips in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.assemble.edges import trim
from batchtts.assemble.timeline import NOTHING, Extent, place
from batchtts.assemble.wavfile import MOST_SAMPLES, WavFile
from batchtts.model import Cue, Placement
from batchtts.settings import AssembleSettings

if TYPE_CHECKING:
    from batchtts.assemble.edges import Pcm


@dataclass(frozen=True, slots=True)
class ChapterSound:
    """A finished chapter file: its length in samples, and where each cue is heard in it."""

    path: Path
    samples: int
    placements: tuple[Placement, ...]


class _TooLongForWav(Exception):
    """The chapter outgrows 32-bit sizes."""


def stitch(
    cues: Sequence[Cue],
    open_clip: Callable[[str], Pcm | None],
    target: Path,
    rate: int,
    settings: AssembleSettings,
) -> ChapterSound:
    """Write one chapter as a 16-bit mono WAV file; equal input gives equal bytes.

    `open_clip` gives the samples of an utterance key, int16 at `rate` samples per second, or None when the sentence
    has no clip; it is called once for each cue, in order. The file is whole or absent: it is written beside its target
    under a temporary name, flushed to the disk and renamed. Raises JobBroken when the disk refuses; what `open_clip`
    raises passes through.
    """
    try:
        return _stitch(cues, open_clip, target, rate, settings, "WAV")
    except _TooLongForWav:
        # More than a day in one chapter: rare enough to begin anew rather than give every file the odd header.
        return _stitch(cues, open_clip, target, rate, settings, "RF64")


def _stitch(
    cues: Sequence[Cue],
    open_clip: Callable[[str], Pcm | None],
    target: Path,
    rate: int,
    settings: AssembleSettings,
    container: str,
) -> ChapterSound:
    clips: deque[Pcm | None] = deque()

    def sounds() -> Iterator[tuple[Cue, Extent]]:
        for cue in cues:
            samples = open_clip(cue.key)
            if samples is None:
                clips.append(None)
                yield cue, NOTHING
            else:
                trimmed = trim(samples, rate, settings)
                clips.append(trimmed.samples)
                yield cue, trimmed.extent

    placements: list[Placement] = []
    total = 0
    with WavFile(target, rate, container) as wav:
        for placement in place(sounds(), rate):
            total = placement.start + placement.length + placement.pause
            if container == "WAV" and total > MOST_SAMPLES:
                raise _TooLongForWav
            clip = clips.popleft()
            if clip is not None:
                wav.write(clip)
            wav.write_silence(placement.pause)
            placements.append(placement)
    return ChapterSound(target, total, tuple(placements))
