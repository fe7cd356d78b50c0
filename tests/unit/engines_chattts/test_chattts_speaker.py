"""A voice is a string that carries 768 numbers between machines."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pybase16384
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.upstream import quiet

from batchtts.engines.chattts.speaker import DEFAULT, ENGINE, WIDTH, decode, encode, find_speaker, voices
from batchtts.engines.chattts.spec import spec
from batchtts.errors import EngineUnavailable
from batchtts.settings import EngineSettings


def vector(seed: int, width: int = WIDTH) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(width).astype(np.float16)


def packed(raw: bytes) -> str:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
    return str(pybase16384.encode_to_string(lzma.compress(raw, format=lzma.FORMAT_RAW, filters=filters)))


@settings(max_examples=10)  # packing is slow
@given(st.integers(0, 2**32))
def test_a_voice_survives_the_round_trip(seed: int) -> None:
    """To the last bit."""
    assert decode(encode(vector(seed))) == vector(seed).tobytes()


def test_the_string_is_upstream_s() -> None:
    """Either side reads what the other wrote."""
    with quiet():
        import torch
        from ChatTTS.model import Speaker

    theirs = Speaker._encode(torch.from_numpy(vector(1)))
    assert decode(theirs) == vector(1).tobytes()
    assert np.array_equal(Speaker._decode(encode(vector(2))), vector(2))


@pytest.mark.parametrize("width", [64, WIDTH])
def test_the_vector_is_cut_to_the_model_s_width(width: int) -> None:
    """A tiny model takes the first values."""
    speaker = find_speaker(None)
    values = speaker.vector(width)
    assert values.dtype == np.float32
    assert values.tolist() == np.frombuffer(speaker.raw, "<f2")[:width].astype(np.float32).tolist()


def test_a_wider_model_is_told() -> None:
    """There is nothing to fill it with."""
    with pytest.raises(EngineUnavailable, match="768 values; this model needs 1024"):
        find_speaker(None).vector(1024)


# ------------------------------------------------ where voices are found


def test_the_package_s_voices_are_whole_and_distinct() -> None:
    """Each can be found by the name under which it is listed."""
    listed = voices()
    assert listed[0].name == DEFAULT
    assert len(listed) >= 3
    assert all(voice.engine == ENGINE and voice.note for voice in listed)
    found = [find_speaker(voice.name) for voice in listed]
    assert len({speaker.hash for speaker in found}) == len(found)
    assert all(np.isfinite(speaker.vector(WIDTH)).all() for speaker in found)
    assert find_speaker(None) == find_speaker(DEFAULT)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_voice_in_a_file(mark: str, tmp_path: Path) -> None:
    """As a bare string in .txt, or with a note in .toml; its name is the file's. A byte order mark is no harm."""
    text = encode(vector(3))
    (tmp_path / "mine.txt").write_text(f"{mark}{text}\n", encoding="utf-8")
    (tmp_path / "hers.toml").write_text(f'{mark}note = "warm"\nspeaker = "{text}"\n', encoding="utf-8")
    mine, hers = find_speaker(str(tmp_path / "mine.txt")), find_speaker(str(tmp_path / "hers.toml"))
    assert (mine.name, hers.name, hers.note) == ("mine", "hers", "warm")
    assert mine.raw == hers.raw == vector(3).tobytes()


def test_an_unknown_voice_is_told_with_the_known_ones(tiny: Path) -> None:
    """And with what else may be given."""
    with pytest.raises(EngineUnavailable, match=r"no voice 'nobody'.*default, second.*\.toml or \.txt") as told:
        spec(EngineSettings(engine="chattts", model_dir=tiny, voice="nobody"))
    assert "\n" not in str(told.value)


STRINGS = {
    "empty": "",
    "words": "this is no voice",
    "Chinese text": "今天天气很好",
    "cut": encode(vector(4))[:-40],
    "too few values": packed(vector(5, 700).tobytes()),
    "too many values": packed(vector(5, 800).tobytes()),
    "odd bytes": packed(b"abc"),
    "not numbers": packed(np.full(WIDTH, np.nan, np.float16).tobytes()),
    "a voice sample": str(pybase16384.encode_to_string(b"\x04\x00\x10\x00" + bytes(60))),
}


@pytest.mark.parametrize("name", STRINGS)
def test_a_broken_string_is_one_clear_line(name: str, tmp_path: Path) -> None:
    """It names the file and what should be in it."""
    path = tmp_path / "voice.txt"
    path.write_text(STRINGS[name], encoding="utf-8")
    with pytest.raises(EngineUnavailable, match=r"voice\.txt holds no speaker string") as told:
        find_speaker(str(path))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"speaker = 3", "holds no speaker string"),
        (b"note = 'x'", "holds no speaker string"),
        (b"speaker = ", r"is not a \.toml file"),
        (b"\xff\xfe", r"is not a \.toml file"),
    ],
)
def test_a_broken_voice_file_is_one_clear_line(content: bytes, line: str, tmp_path: Path) -> None:
    """Whatever is wrong with it."""
    path = tmp_path / "voice.toml"
    path.write_bytes(content)
    with pytest.raises(EngineUnavailable, match=line):
        find_speaker(str(path))


def test_a_missing_voice_file_is_told(tmp_path: Path) -> None:
    """With the system's reason."""
    with pytest.raises(EngineUnavailable, match=r"gone\.txt: No such file"):
        find_speaker(str(tmp_path / "gone.txt"))
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(EngineUnavailable, match=r"folder\.txt: Is a directory"):
        find_speaker(str(tmp_path / "folder.txt"))
