import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.assemble.edges import to_pcm, trim
from batchtts.settings import AssembleSettings

RATE = 24000
SETTINGS = AssembleSettings()
UNFADED = replace(SETTINGS, fade=0.0)
FADE = round(SETTINGS.fade * RATE)
WINDOW = RATE // 100


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.int16)


def tone(seconds: float, level: int = 10000) -> np.ndarray:
    return np.rint(level * np.sin(np.arange(round(seconds * RATE)) * 0.1)).astype(np.int16)


def test_near_silence_is_cut_from_both_edges() -> None:
    """Half a second of faint noise before and after speech goes; a fade's length of it stays and is reported."""
    hiss = np.random.default_rng(0).integers(-30, 31, RATE // 2).astype(np.int16)
    clip = trim(np.concatenate([hiss, tone(1.0), hiss]), RATE, SETTINGS)
    assert len(clip.samples) == RATE + 2 * FADE
    assert (clip.head, clip.tail) == (FADE, FADE)
    assert clip.extent.length == len(clip.samples)


def test_silence_inside_a_clip_is_never_cut() -> None:
    """A pause of the speaker's own keeps every sample."""
    samples = np.concatenate([tone(0.5), silence(2.0), tone(0.5)])
    assert len(trim(samples, RATE, SETTINGS).samples) == len(samples)


def test_the_fade_leaves_speech_alone_where_near_silence_was_kept() -> None:
    """Sound that had silence before and after it comes out sample for sample."""
    sound = tone(0.3)
    clip = trim(np.concatenate([silence(0.1), sound, silence(0.1)]), RATE, SETTINGS)
    np.testing.assert_array_equal(clip.samples[clip.head : len(clip.samples) - clip.tail], sound)


def test_a_clip_that_begins_and_ends_loud_is_faded_in_and_out() -> None:
    """Fades run from nothing to the full sound within the fade's length; between them the sound is untouched."""
    samples = np.full(RATE, 20000, np.int16)
    clip = trim(samples, RATE, SETTINGS)
    assert (clip.head, clip.tail, len(clip.samples)) == (0, 0, RATE)
    assert clip.samples[0] == 0
    assert clip.samples[-1] <= 20000 / FADE + 1
    assert (np.diff(clip.samples[:FADE].astype(int)) >= 0).all()
    assert (np.diff(clip.samples[-FADE:].astype(int)) <= 0).all()
    assert (clip.samples[FADE:-FADE] == 20000).all()


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.5])
def test_a_clip_with_nothing_to_hear_becomes_empty(seconds: float) -> None:
    """Silence of any length leaves no samples."""
    assert trim(silence(seconds), RATE, SETTINGS).extent.length == 0


def test_the_threshold_decides_what_is_near_silence() -> None:
    """A tone at -40 dBFS is sound at the default threshold and an edge to be cut at -30."""
    samples = np.concatenate([tone(0.2, 463), tone(0.2)])
    assert len(trim(samples, RATE, UNFADED).samples) == len(samples)
    assert len(trim(samples, RATE, replace(UNFADED, trim_dbfs=-30.0)).samples) == RATE // 5


def test_float_and_pcm_samples_are_the_same_clip() -> None:
    """Float samples scale to 16 bit; beyond full scale they are clipped, and what is no number is silence."""
    floats = np.array([0.0, 1.0, -1.0, 2.0, -2.0, np.nan, np.inf, -np.inf, 0.5], np.float32)
    expected = [0, 32767, -32767, 32767, -32767, 0, 32767, -32767, 16384]
    assert to_pcm(floats).tolist() == expected
    samples = tone(0.5)
    np.testing.assert_array_equal(
        trim(samples.astype(np.float32) / 32767, RATE, SETTINGS).samples, trim(samples, RATE, SETTINGS).samples
    )


@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 3000),
    st.sampled_from([8000, 16000, 22050, 24000, 44100, 48000]),
    st.floats(0, 0.2),
)
def test_trimming_only_ever_takes_from_the_edges(seed: int, length: int, rate: int, fade: float) -> None:
    """One stretch of the clip remains, with every sound in it, nowhere louder than it was, at any rate and fade."""
    random = np.random.default_rng(seed)
    sounding = (random.random(length // 100 + 1) < 0.3).repeat(100)[:length]
    samples = (random.choice([-20000, 20000], length) * sounding).astype(np.int16)
    clip = trim(samples, rate, AssembleSettings(fade=fade))
    kept = trim(samples, rate, AssembleSettings(fade=0.0)).samples
    if length >= 2 * rate / 1000:
        assert np.count_nonzero(kept) == np.count_nonzero(samples)
    assert kept.tobytes() in samples.tobytes()
    body = clip.samples[clip.head : len(clip.samples) - clip.tail]
    assert len(body) == len(kept)
    assert (np.abs(body.astype(int)) <= np.abs(kept.astype(int))).all()
    assert (np.sign(body) * np.sign(kept) >= 0).all()


def test_pydub_is_loaded_only_to_fade_and_without_a_warning() -> None:
    """Importing the room leaves pydub out, and its complaint about ffmpeg never reaches the user."""
    program = (
        "import sys, numpy as np\n"
        "from batchtts.assemble.edges import trim\n"
        "from batchtts.settings import AssembleSettings\n"
        "assert 'pydub' not in sys.modules\n"
        "trim(np.full(24000, 9999, np.int16), 24000, AssembleSettings())\n"
        "assert 'pydub' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
