import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from batchtts.check.verdict import judge
from batchtts.model import Clip, Verdict

RATE = 24000
PER_TOKEN = 0.25
"""Seconds of speech a token."""
BROKEN = 3125 * RATE // 1000
"""Samples up to the middle of a syllable."""


def speech(seconds: float, level: float = 0.3) -> np.ndarray:
    """About four syllables a second, loud in the middle and gone at their ends, like a voice that comes to rest."""
    t = np.arange(round(seconds * RATE)) / RATE
    syllables = max(1, round(4 * seconds))
    envelope = np.sin(np.pi * (t * syllables / seconds % 1)) ** 2
    return (level * envelope * np.sin(2 * np.pi * 180 * t)).astype(np.float32)


def noise(seconds: float, level: float) -> np.ndarray:
    return np.random.default_rng(0).normal(0, level, round(seconds * RATE)).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


def verdict(samples: np.ndarray, seconds: float = 3.0, rate: int = RATE) -> Verdict:
    """The verdict on samples for a text that takes `seconds` to say."""
    return judge(Clip("key", 1, samples, rate), round(seconds / PER_TOKEN), PER_TOKEN)


@pytest.mark.parametrize("seconds", [0.25, 0.5, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("pace", [0.6, 1.0, 1.7])
@pytest.mark.parametrize("level", [0.02, 0.3, 0.95])
def test_plausible_speech_passes(seconds: float, pace: float, level: float) -> None:
    """Slow or fast, soft or loud, a word or a paragraph: no flag."""
    assert verdict(speech(seconds / pace, level), seconds).flags == ()


@pytest.mark.parametrize(
    ("samples", "flags"),
    [
        (silence(0), ("silent",)),
        (silence(3), ("silent", "short")),
        (noise(3, 1e-4), ("silent", "short")),
        (silence(3) + np.float32(0.1), ("silent", "short")),
        (speech(0.25), ("short",)),
        (np.concatenate([speech(0.5), silence(2.5)]), ("short",)),
        (speech(12), ("long",)),
        (np.concatenate([speech(3), silence(8)]), ("long",)),
        (np.clip(speech(3) * 20, -1, 1), ("clipped",)),
        (speech(3.5)[:BROKEN], ("tail",)),
        (np.concatenate([speech(3), noise(2, 0.02)]), ("tail",)),
        (np.concatenate([speech(3), noise(2, 0.02), silence(0.5)]), ("tail",)),
        (np.where(np.arange(3 * RATE) == 5, np.nan, speech(3)), ("nan",)),
        (np.where(np.arange(3 * RATE) == 5, np.inf, speech(3)), ("nan",)),
    ],
    ids=[
        "empty",
        "silence",
        "hiss",
        "offset",
        "cut off",
        "word and silence",
        "repeated",
        "endless silence",
        "overdriven",
        "broken off",
        "noise after",
        "noise then silence",
        "not a number",
        "infinite",
    ],
)
def test_what_is_wrong_is_named(samples: np.ndarray, flags: tuple[str, ...]) -> None:
    """Each fault has its own flag, and no other is raised with it without cause."""
    assert verdict(samples.astype(np.float32)).flags == flags


def test_a_pause_inside_or_a_silent_end_is_no_fault() -> None:
    """Silence that speech may well have is not counted against it."""
    assert verdict(np.concatenate([speech(1.5), silence(1.5), speech(1.5), silence(0.5)])).passed


def test_a_quiet_constant_offset_changes_nothing() -> None:
    """An offset is neither sound nor a loud end."""
    assert verdict(speech(3) + np.float32(0.05)) == verdict(speech(3))


def test_an_even_sound_has_no_broken_end() -> None:
    """A steady tone or noise is not called broken off: that it is no speech is for recognition to find."""
    assert verdict(noise(3, 0.1)).passed
    assert verdict(np.sin(np.arange(3 * RATE) * 0.1).astype(np.float32) * 0.5).passed


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (speech(3), speech(2)),
        (speech(3), speech(4.5)),
        (speech(4.5), speech(12)),
        (speech(12), silence(3)),
        (speech(3.5)[:BROKEN], speech(0.25)),
        (silence(3), speech(3) * np.float32("nan")),
    ],
    ids=["full or hurried", "full or slow", "slow or endless", "endless or silent", "tail or cut", "silent or nan"],
)
def test_the_better_take_has_the_higher_score(better: np.ndarray, worse: np.ndarray) -> None:
    """Whichever of two takes a listener would keep scores higher."""
    assert verdict(better).score > verdict(worse).score


@given(
    arrays(np.float32, st.integers(0, 2000), elements=st.floats(width=32)),
    st.integers(0, 500),
    st.sampled_from([8000, 22050, 24000]),
)
def test_every_clip_gets_a_verdict(samples: np.ndarray, tokens: int, rate: int) -> None:
    """No samples, however odd, make the checks fail, and the score is a number."""
    result = judge(Clip("key", 1, samples, rate), tokens, PER_TOKEN)
    assert np.isfinite(result.score)
    if not np.isfinite(samples).all():
        assert result.flags == ("nan",)


@pytest.mark.parametrize("rate", [8000, 24000, 48000])
def test_the_verdict_does_not_depend_on_the_rate(rate: int) -> None:
    """The same sound at another rate is the same to the checks."""
    t = np.arange(3 * rate) / rate
    voice = np.interp(t, np.arange(3 * RATE) / RATE, speech(3)).astype(np.float32)
    assert verdict(voice, rate=rate).passed
    assert verdict(voice[: round(2.625 * rate)], rate=rate).flags == ("tail",)
