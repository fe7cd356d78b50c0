"""The edges of one clip: near-silence is cut off, what remains begins and ends in a short fade."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from batchtts.assemble.timeline import Extent
from batchtts.settings import AssembleSettings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from batchtts.model import Samples

    Pcm = npt.NDArray[np.int16]
    """Mono audio at rest: 16-bit samples, shape (n,)."""

FULL_SCALE = 32767
WINDOW = 0.01
"""Seconds over which energy is averaged."""
LONGEST_FADE = 100
"""Milliseconds. Above this pydub changes the gain once a millisecond only, which is heard as a buzz."""


@dataclass(frozen=True, slots=True, eq=False)
class TrimmedClip:
    """A clip ready to be joined: int16 samples, and `head` and `tail` samples of near-silence still in them."""

    samples: Pcm
    head: int
    tail: int

    @property
    def extent(self) -> Extent:
        return Extent(len(self.samples), self.head, self.tail)


def trim(samples: Samples | Pcm, rate: int, settings: AssembleSettings) -> TrimmedClip:
    """Cut near-silence from a clip's edges, never from its inside, and fade what remains in and out.

    An edge is near-silent while the RMS of 10 ms windows stays at or below `settings.trim_dbfs`. One fade's length of
    it is kept, so that the fade does not touch speech. A clip without a single louder window, or shorter than 2 ms,
    becomes empty.
    """
    pcm = to_pcm(samples)
    sound = _sound(pcm, rate, settings.trim_dbfs)
    if sound is None or len(pcm) < 2 * rate / 1000:
        return TrimmedClip(pcm[:0], 0, 0)
    first, last = sound
    margin = _fade_ms(len(pcm), rate, settings.fade) * rate // 1000
    start, end = max(0, first - margin), min(len(pcm), last + margin)
    return TrimmedClip(_faded(pcm[start:end], rate, settings.fade), first - start, end - last)


def to_pcm(samples: Samples | Pcm) -> Pcm:
    """16-bit samples as they are, float samples scaled; NaN becomes 0 and what is louder than full scale is clipped."""
    import numpy as np

    if samples.dtype != np.int16:
        finite = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
        samples = np.rint(np.clip(finite, -1.0, 1.0) * FULL_SCALE)
    return samples.astype(np.int16, copy=False)


def _sound(pcm: Pcm, rate: int, dbfs: float) -> tuple[int, int] | None:
    """Start and end of what is louder than `dbfs`, on window borders; None when nothing is.

    Integer sums: the same clip is cut at the same sample on every machine.
    """
    import numpy as np

    if not len(pcm):
        return None
    window = max(1, round(rate * WINDOW))
    starts = np.arange(0, len(pcm), window)
    energy = np.add.reduceat(np.square(pcm, dtype=np.int64), starts)
    counts = np.minimum(starts + window, len(pcm)) - starts
    loud = np.flatnonzero(energy > counts * (FULL_SCALE * 10 ** (dbfs / 20)) ** 2)
    if not len(loud):
        return None
    return int(starts[loud[0]]), min(len(pcm), int(starts[loud[-1]]) + window)


def _fade_ms(length: int, rate: int, fade: float) -> int:
    """Whole milliseconds of a fade, at most half the clip."""
    return min(round(fade * 1000), LONGEST_FADE, length * 1000 // rate // 2)


def _faded(pcm: Pcm, rate: int, fade: float) -> Pcm:
    """The clip with linear fades at both ends, in which pydub sees the faded milliseconds only."""
    import numpy as np

    fade_ms = _fade_ms(len(pcm), rate, fade)
    if fade_ms == 0:
        return pcm
    segment_of = _segment_class()
    edge = fade_ms * rate // 1000

    def segment(part: Pcm) -> Any:
        return segment_of(data=part.tobytes(), sample_width=2, frame_rate=rate, channels=1)

    head = np.frombuffer(segment(pcm[:edge]).fade_in(fade_ms).raw_data, np.int16)
    tail = np.frombuffer(segment(pcm[-edge:]).fade_out(fade_ms).raw_data, np.int16)
    return np.concatenate([head, pcm[edge:-edge], tail])


def _segment_class() -> Any:
    """pydub's AudioSegment, imported late and without its complaints.

    pydub looks for ffmpeg, which only its file formats need, on import; its regular expressions and its use of
    audioop (audioop-lts on Python 3.13) are warned of on some versions of Python.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Couldn't find ffmpeg", category=RuntimeWarning)
        warnings.filterwarnings("ignore", message="'audioop' is deprecated", category=DeprecationWarning)
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        from pydub import AudioSegment
    return AudioSegment
