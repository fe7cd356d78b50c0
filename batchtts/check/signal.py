"""What can be measured in a clip's samples without knowing what is said in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from batchtts.model import Samples

    Levels = npt.NDArray[np.float64]
    """dBFS of successive windows, shape (windows,)."""

WINDOW = 0.02
"""Seconds over which a level is averaged: shorter than a syllable, longer than a period of any voice."""
AUDIBLE = -50.0
"""dBFS (RMS) above which a window counts as sound, as `AssembleSettings.trim_dbfs` has it."""
FLOOR = 1e-12
"""Power that stands for digital silence (-120 dBFS)."""
FULL_SCALE = 0.999
"""A sample of at least this magnitude counts as clipped."""
STEADY = 4.0
"""dB within which a steady noise stays: 20 ms of white noise vary by 2, of speech by 10 and more within a second."""


@dataclass(frozen=True, slots=True)
class Signal:
    """The measures of one clip; levels in dBFS, times in seconds."""

    duration: float
    sound: float
    """How much of it is audible."""
    level: float
    """Typical level of what is audible (median)."""
    depth: float
    """dB between what is loud and what is quiet in the audible part (95th and 10th percentile)."""
    end: float
    """Level of the last 20 ms."""
    drone: float
    """How long the last sound goes on at one steady level."""
    clipped: float
    """Share of samples at full scale."""


def measure(samples: Samples, rate: int) -> Signal:
    """Measure a clip: float32 samples, shape (n,), n > 0, all finite. A constant offset is no sound."""
    import numpy as np

    centred = samples - samples.mean(dtype=np.float64)
    size = max(1, round(rate * WINDOW))
    levels = _levels(centred, size)
    audible = levels[levels > AUDIBLE]
    loud, quiet = np.percentile(audible, (95, 10)) if len(audible) else (AUDIBLE, AUDIBLE)
    return Signal(
        duration=len(samples) / rate,
        sound=len(audible) * size / rate,
        level=float(np.median(audible)) if len(audible) else AUDIBLE,
        depth=float(loud - quiet),
        end=float(_levels(centred[-size:], size)[0]),
        drone=_steady_end(levels) * size / rate,
        clipped=float(np.mean(np.abs(samples) >= FULL_SCALE)),
    )


def _levels(samples: npt.NDArray[np.floating], size: int) -> Levels:
    """The level of each window of `size` samples; the last may be shorter."""
    import numpy as np

    starts = np.arange(0, len(samples), size)
    power = np.add.reduceat(np.square(samples, dtype=np.float64), starts)
    counts = np.minimum(starts + size, len(samples)) - starts
    levels: Levels = 10 * np.log10(power / counts + FLOOR)
    return levels


def _steady_end(levels: Levels) -> int:
    """Windows, backwards from the last audible one, whose levels stay within STEADY of each other.

    That last window itself, in which the sound may break off, does not count.
    """
    import numpy as np

    audible = np.flatnonzero(levels > AUDIBLE)
    if not len(audible):
        return 0
    backwards = levels[: audible[-1]][::-1]
    lowest = np.minimum.accumulate(backwards)
    steady = (np.maximum.accumulate(backwards) - lowest <= STEADY) & (lowest > AUDIBLE)
    return len(steady) if steady.all() else int(np.argmin(steady))
