"""Judges a take by its signal alone: fast enough for every clip, and sure enough to have a new take made.

Bounds are wide on purpose. A false alarm costs a new take and, in the end, a sentence reported as flagged; a clip that
is wrong in its words only is for speech recognition to find.
"""

from __future__ import annotations

from math import log2

from batchtts.check.signal import AUDIBLE, Signal, measure
from batchtts.model import Clip, Verdict

LEAST_SOUND = 0.05
"""Seconds. No word is shorter; less sound than this is a click."""
SHORTEST, SHORT_SLACK = 0.3, 0.3
"""A clip is too short with less sound than 0.3 x the expected duration - 0.3 s: no speaker is three times as fast."""
LONGEST, LONG_SLACK = 2.5, 2.0
"""A clip is too long beyond 2.5 x the expected duration + 2 s: a slow voice and its pauses stay within."""
MOST_CLIPPED = 0.005
"""Share of samples at full scale from which distortion is heard all along."""
CUT_OFF = 3.0
"""dB. A last window less than this below the typical level of the clip means that it broke off in mid-sound."""
SPEECH_DEPTH = 12.0
"""dB between loud and quiet sound in speech. With less, the clip is one even sound, which has no typical ending."""
LONGEST_DRONE = 1.0
"""Seconds for which a voice may hold one level at the end."""
WEIGHTS = {"nan": 100.0, "silent": 50.0, "short": 10.0, "long": 10.0, "tail": 5.0, "clipped": 5.0}
"""How much a flag takes from the score. The missing outweighs the superfluous, that outweighs the ugly."""


def judge(clip: Clip, tokens: int, audio_per_token: float) -> Verdict:
    """Check a clip's signal; its utterance has `tokens` prompt tokens of about `audio_per_token` seconds each.

    Flags: `nan` (samples that are no numbers), `silent` (nothing to be heard), `short` and `long` (too little sound,
    too much time for the text), `clipped`, `tail` (broken off in mid-sound, or a long steady noise at the end). The
    score is 0 for a clip of the expected duration with no flag, and lower for any other.
    """
    import numpy as np

    if not len(clip.samples):
        return _verdict(("silent",), 0.0)
    if not np.isfinite(clip.samples).all():
        return _verdict(("nan",), 0.0)
    signal = measure(clip.samples, clip.rate)
    expected = tokens * audio_per_token
    flags = tuple(_flags(signal, expected))
    return _verdict(flags, abs(log2(max(signal.sound, LEAST_SOUND) / max(expected, LEAST_SOUND))))


def _verdict(flags: tuple[str, ...], deviation: float) -> Verdict:
    return Verdict(flags, 0.0 - deviation - sum(WEIGHTS[flag] for flag in flags))


def _flags(signal: Signal, expected: float) -> list[str]:
    """The flags of a measured clip whose text takes about `expected` seconds to say."""
    found = {
        "silent": signal.sound < LEAST_SOUND,
        "short": signal.sound < expected * SHORTEST - SHORT_SLACK,
        "long": signal.duration > expected * LONGEST + LONG_SLACK,
        "clipped": signal.clipped > MOST_CLIPPED,
        "tail": _bad_tail(signal),
    }
    return [flag for flag, holds in found.items() if holds]


def _bad_tail(signal: Signal) -> bool:
    cut_off = signal.end > max(signal.level - CUT_OFF, AUDIBLE)
    return signal.depth > SPEECH_DEPTH and (cut_off or signal.drone > LONGEST_DRONE)
