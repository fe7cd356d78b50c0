import gc
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import soundfile

from batchtts.assemble import stitch as stitching
from batchtts.assemble.edges import trim
from batchtts.assemble.stitch import ChapterSound, stitch
from batchtts.assemble.timeline import timeline
from batchtts.errors import JobBroken
from batchtts.model import Boundary, Cue, Sentence, Span, Spoken
from batchtts.settings import AssembleSettings

RATE = 24000
SETTINGS = AssembleSettings()
FADE = round(SETTINGS.fade * RATE)


def cue(key: str, pause: float = 0.5) -> Cue:
    return Cue(Sentence(1, 1, key, Span(0, 1), Boundary.SENTENCE), Spoken(key), key, 3, pause)


def tone(seconds: float, level: int = 10000) -> np.ndarray:
    return np.rint(level * np.sin(np.arange(round(seconds * RATE)) * 0.1)).astype(np.int16)


def padded(seconds: float) -> np.ndarray:
    return np.pad(tone(seconds), RATE // 4)


def chapter(cues: Sequence[Cue], clips: Mapping[str, np.ndarray], target: Path) -> tuple[ChapterSound, np.ndarray]:
    sound = stitch(cues, clips.get, target, RATE, SETTINGS)
    samples, _ = soundfile.read(target, dtype="int16")
    return sound, samples


def test_a_chapter_file_holds_each_clip_where_its_placement_says(tmp_path: Path) -> None:
    """Read back, the file is the trimmed clips at their placements and zeros everywhere else, to the sample."""
    clips = {"a": padded(1.0), "b": tone(0.7), "c": padded(2.0)}
    cues = [cue("a"), cue("b", 0.0), cue("c", 3.1), cue("a", 2.0)]
    sound, samples = chapter(cues, clips, tmp_path / "1.wav")
    expected = np.zeros(sound.samples, np.int16)
    for placement in sound.placements:
        clip = trim(clips[placement.cue.key], RATE, SETTINGS).samples
        assert len(clip) == placement.length
        expected[placement.start : placement.start + placement.length] = clip
    np.testing.assert_array_equal(samples, expected)


def test_stitching_and_the_time_line_agree(tmp_path: Path) -> None:
    """The placements that come back are those that the time line computes from the trimmed clips' extents."""
    clips = {"a": padded(1.0), "b": tone(0.7)}
    cues = [cue("a"), cue("gone"), cue("b", 0.2), cue("a", 0.001)]
    sound, _ = chapter(cues, clips, tmp_path / "1.wav")
    extents = {key: trim(samples, RATE, SETTINGS).extent for key, samples in clips.items()}
    assert list(sound.placements) == timeline(cues, extents, RATE)


def test_the_file_is_16_bit_mono_pcm(tmp_path: Path) -> None:
    """Chapter files are plain WAV at the engine's rate."""
    sound, _ = chapter([cue("a")], {"a": tone(1.0)}, tmp_path / "第一章 春.wav")
    info = soundfile.info(sound.path)
    assert (info.format, info.subtype, info.channels, info.samplerate) == ("WAV", "PCM_16", 1, RATE)
    assert info.frames == sound.samples == RATE + RATE // 2
    assert sound.path.stat().st_size == 44 + 2 * sound.samples


def test_near_silence_that_a_clip_still_carries_counts_as_pause(tmp_path: Path) -> None:
    """From the end of one tone to the start of the next there is exactly the pause asked for."""
    sound, _ = chapter([cue("a", 0.35), cue("a", 0.0)], {"a": padded(1.0)}, tmp_path / "1.wav")
    first, second = sound.placements
    ends = first.start + FADE + RATE
    begins = second.start + FADE
    assert begins - ends == round(0.35 * RATE)
    assert second.pause == 0


def test_a_chapter_without_a_single_clip_is_its_pauses(tmp_path: Path) -> None:
    """Failed sentences leave silence, and a chapter without cues a valid empty file."""
    assert chapter([cue("a"), cue("b")], {}, tmp_path / "1.wav")[0].samples == RATE
    assert chapter([], {}, tmp_path / "2.wav")[0].samples == 0
    assert soundfile.info(tmp_path / "2.wav").frames == 0


def test_a_clip_with_nothing_to_hear_adds_nothing(tmp_path: Path) -> None:
    """A silent clip is trimmed away and only its pause is left."""
    sound, _ = chapter([cue("a")], {"a": np.zeros(RATE, np.int16)}, tmp_path / "1.wav")
    assert [(p.length, p.pause) for p in sound.placements] == [(0, RATE // 2)]


def square(period: int, seconds: float) -> np.ndarray:
    up = np.arange(round(seconds * RATE)) % period < period // 2
    return np.where(up, 32767, -32768).astype(np.int16)


ADVERSARIAL = {
    "up": np.full(RATE, 32767, np.int16),
    "down": np.full(RATE, -32768, np.int16),
    "offset": (tone(0.5, 5000) + 20000).astype(np.int16),
    "square": square(200, 0.5),
    "fastest": square(2, 0.5),
    "odd": square(97, 0.123456),
    "noise": np.random.default_rng(0).integers(-32768, 32768, RATE // 3).astype(np.int16),
    "short": np.full(2 * FADE + 7, -32768, np.int16),
    "late": np.concatenate([np.zeros(3 * RATE // 100, np.int16), np.full(RATE // 10, 32767, np.int16)]),
}


@pytest.mark.parametrize("pause", [0.0, 0.0001, 0.02])
def test_no_join_clicks(pause: float, tmp_path: Path) -> None:
    """The step into and out of every clip is at most full scale / the fade's samples, however the clips are made."""
    order = [*ADVERSARIAL, *reversed(ADVERSARIAL), "up", "down", "up"]
    sound, samples = chapter([cue(key, pause) for key in order], ADVERSARIAL, tmp_path / "1.wav")
    steps = np.abs(np.diff(np.pad(samples, 1).astype(int)))
    joins = [at for p in sound.placements for at in (p.start, p.start + p.length, p.start + p.length + p.pause)]
    assert max(steps[joins]) <= 32768 / FADE + 1
    assert steps.max() > 60000  # the clips themselves are as wild as they were


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    """Neither time nor name enters the file."""
    clips, cues = {"a": padded(1.0), "b": tone(0.7)}, [cue("a"), cue("b")]
    files = []
    for name in ("one.wav", "two.wav"):
        target = chapter(cues, clips, tmp_path / name)[0].path
        os.utime(target, (0, 0))
        files.append(target.read_bytes())
    assert files[0] == files[1]


def test_a_chapter_too_long_for_wav_becomes_rf64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the size that WAV can state, the same sound is written as RF64, which every current player reads."""
    clips, cues = {"a": padded(1.0)}, [cue("a")] * 4
    plain, expected = chapter(cues, clips, tmp_path / "plain.wav")
    assert soundfile.info(plain.path).format == "WAV"
    monkeypatch.setattr(stitching, "MOST_SAMPLES", 3 * RATE)
    sound, samples = chapter(cues, clips, tmp_path / "long.wav")
    assert soundfile.info(sound.path).format == "RF64"
    np.testing.assert_array_equal(samples, expected)
    assert sound.placements == plain.placements
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.wav", "plain.wav"]


def test_each_clip_is_opened_once_for_each_cue_and_in_order(tmp_path: Path) -> None:
    """No clip is read twice for one place, and none before its turn."""
    opened: list[str] = []

    def open_clip(key: str) -> np.ndarray:
        opened.append(key)
        return tone(0.1)

    stitch([cue(key) for key in "abcab"], open_clip, tmp_path / "1.wav", RATE, SETTINGS)
    assert opened == list("abcab")


def failing(error: BaseException) -> Callable[[str], np.ndarray]:
    def open_clip(key: str) -> np.ndarray:
        if key == "bad":
            raise error
        return tone(1.0)

    return open_clip


@pytest.mark.parametrize("error", [JobBroken("the clip is damaged"), KeyboardInterrupt(), OSError("foreign")])
def test_whatever_interrupts_leaves_the_folder_as_it_was(error: BaseException, tmp_path: Path) -> None:
    """An error passes through as it is; the old chapter file stays whole and no temporary file is left."""
    target = tmp_path / "1.wav"
    target.write_bytes(b"old")
    with pytest.raises(type(error)) as caught:
        stitch([cue("a"), cue("bad"), cue("a")], failing(error), target, RATE, SETTINGS)
    assert caught.value is error
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    """When the disk is full the error names the file, says so and what to do; nothing half-written stays."""
    target = tmp_path / "1.wav"
    target.with_name("1.wav.part").symlink_to("/dev/full")
    with pytest.raises(JobBroken, match=r"1\.wav: cannot write the chapter \(the disk is full\); make room") as caught:
        stitch([cue("a")] * 9, {"a": tone(3.0)}.get, target, RATE, SETTINGS)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_midway_leaves_no_half_file(tmp_path: Path) -> None:
    """A real file that may not grow any further is removed; the error carries the system's own reason."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        with pytest.raises(JobBroken, match="File too large"):
            stitch([cue("a")] * 9, {"a": tone(3.0)}.get, tmp_path / "1.wav", RATE, SETTINGS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_an_abandoned_chapter_is_never_written_to_again(tmp_path: Path) -> None:
    """A file opened after a failure, which gets the same descriptor, is safe from what is left of the failed one."""
    with pytest.raises(JobBroken) as caught:
        stitch([cue("a"), cue("bad")], failing(JobBroken("damaged")), tmp_path / "1.wav", RATE, SETTINGS)
    other = tmp_path / "other"
    with other.open("wb") as file:
        file.write(b"x" * 100)
        del caught
        gc.collect()
    assert other.read_bytes() == b"x" * 100


def test_a_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    """A chapter folder that is gone is told as such."""
    with pytest.raises(JobBroken, match=r"cannot write the chapter \(No such file or directory\)"):
        stitch([cue("a")], {"a": tone(1.0)}.get, tmp_path / "gone" / "1.wav", RATE, SETTINGS)


def test_a_target_that_cannot_be_replaced_is_one_clear_line(tmp_path: Path) -> None:
    """A folder in the file's place is an error, and the temporary file goes."""
    (tmp_path / "1.wav").mkdir()
    with pytest.raises(JobBroken, match="Is a directory"):
        stitch([cue("a")], {"a": tone(1.0)}.get, tmp_path / "1.wav", RATE, SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["1.wav"]
