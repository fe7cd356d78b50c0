"""Spoken text becomes Kokoro's phonemes, whatever scripts stand in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.engines.kokoro.engine import MOST_TOKENS, parts
from batchtts.engines.kokoro.phonemes import phonemes
from batchtts.engines.kokoro.spec import KokoroSpec, package_data, spec
from batchtts.errors import EngineUnavailable
from batchtts.settings import EngineSettings

VOCABULARY = frozenset(json.loads((package_data() / "vocab.json").read_text("utf-8"))["vocab"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("你好。", "ni↗xau↓."),  # third tone before third tone is second
        ("一个", "i↗kɤ↘"),  # 一 before a fourth tone is second
        ("不是", "pu↗ʂɨ↘"),
        ("银行行长", "i↗nxa↗ŋxa↗ŋꭧa↓ŋ"),  # 行 is háng here, and one word
        ("去重庆", "ʨʰy↘ ꭧʰʊ↗ŋʨʰi↘ŋ"),
        ("Hi, 你好。", "hˈI, ni↗xau↓."),
        ("", ""),
        ("（）", ""),
    ],
)
def test_readings(text: str, said: str) -> None:
    """Tone sandhi, polyphones, mixed scripts."""
    assert phonemes(text) == said


def test_both_languages_of_a_mixed_sentence_are_spoken() -> None:
    """Neither is dropped."""
    both = phonemes("打开 laptop 喝 coffee。")
    assert "→k" in both or "↓k" in both
    assert phonemes("laptop") in both
    assert phonemes("coffee") in both


@pytest.mark.parametrize("text", ["café naïve", "Привет", "日本 カタカナ", "한국", "x² ≤ y", "😀", "𠀀"])
def test_other_scripts_are_spelled_with_known_phonemes(text: str) -> None:
    """A word in a third script must not cost the sentence."""
    assert set(phonemes(text)) <= VOCABULARY


@given(st.text(max_size=60))
def test_any_text_has_known_phonemes(text: str) -> None:
    """The model has a token for everything that is handed to it."""
    assert set(phonemes(text)) <= VOCABULARY


@given(st.text(alphabet="ab ,.", max_size=80), st.integers(1, 20))
def test_parts_keep_everything_and_the_limit(said: str, most: int) -> None:
    """Put together they are what was cut."""
    pieces = parts(said, most)
    assert "".join(pieces) == said
    assert all(0 < len(piece) <= most for piece in pieces)


def the_spec() -> KokoroSpec:
    return spec(EngineSettings(engine="kokoro"))


@pytest.mark.parametrize(
    "text",
    [
        "今天天气很好，我们去公园散步，湖边有很多人。",
        "It is a fine day, and we shall walk in the park by the lake.",
        "他打开 laptop，先喝了一口 coffee，然后开始写 Python 程序。",
        "The USB and the GPU of IBM work well.",
    ],
)
def test_the_estimate_of_tokens_is_near_the_truth(text: str) -> None:
    """Within a quarter, for what books hold."""
    assert the_spec().count(text) == pytest.approx(len(phonemes(text)), rel=0.25)


@given(st.text(alphabet="一二你好abcXYZ ,。 1é", max_size=60))
def test_the_longest_utterance_fits_the_model(text: str) -> None:
    """Twice what was estimated still does."""
    longest = the_spec().limits.longest
    if the_spec().count(text) <= longest:
        assert len(phonemes(text)) <= 2 * longest <= MOST_TOKENS


def test_an_unknown_voice_is_told_with_the_known_ones() -> None:
    """So the user can pick."""
    with pytest.raises(EngineUnavailable, match=r"'nobody'.*jf_alpha"):
        spec(EngineSettings(engine="kokoro", voice="nobody"))


def test_the_voice_is_not_in_the_fingerprint_but_in_the_key() -> None:
    """Two voices are two keys (`utterance_key` takes both)."""
    one = spec(EngineSettings(engine="kokoro", voice="jf_alpha"))
    two = spec(EngineSettings(engine="kokoro", voice="jm_kumo"))
    assert one.fingerprint == two.fingerprint
    assert one.voice != two.voice
