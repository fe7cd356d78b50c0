"""How many frames a text may take: a floor below which no row may end, and a cap at which a row has failed."""

from __future__ import annotations

from dataclasses import dataclass

from batchtts.engines.chattts.prompt import FRAMING

RATE = 24000
FRAMES_PER_SECOND = RATE / 512
"""One step of the model is one frame of 512 samples: 46.875 a second."""

FRAMES_PER_TOKEN = 10.5
"""Mean pace: about 4.5 Mandarin syllables a second."""

MODEL_CAP = 2048
"""Upstream's `max_new_token`: 43.7 s."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Frames of a row: it cannot end before `least`, and has failed if it has not ended by itself within `most`.

    If both are the same, the row is stopped there, whatever it says, and has not failed: for measurements.
    """

    least: int
    most: int


def bounds(tokens: int) -> Bounds:
    """Bounds for a prompt of so many tokens, framing included.

    The floor is five times faster than speech and the cap twice as slow, with room for a pause at either end.
    """
    spoken = max(tokens - FRAMING, 1)
    return Bounds(least=4 + 2 * spoken, most=min(96 + 24 * spoken, MODEL_CAP))


def sample_count(frames: int) -> int:
    """Samples of a clip of `frames` frames: two mel frames each, and a centred Fourier window loses one hop of 256."""
    return (2 * frames - 1) * 256
