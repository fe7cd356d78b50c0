"""The model reads what it was trained on, and no word is lost on the way."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.upstream import quiet

from batchtts.engines.chattts.charset import known


@cache
def upstream_normalizer() -> Any:
    with quiet():
        import ChatTTS
        from ChatTTS.norm import Normalizer

    return Normalizer(str(Path(ChatTTS.__file__).parent / "res" / "homophones_map.json"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天天气很好。", "今天天气很好。"),
        ("“走吧！”他说。", "走吧。他说。"),
        ("他想了想……没说话。", "他想了想，没说话。"),
        ("等等——他来了（真的）？！", "等等，他来了，真的。"),
        ("Don't stop: it's a well-known café!", "Dont stop, its a well known cafe."),
        ("Wait... what?", "Wait. what."),
        ("二〇二四", "二零二四"),
        ("Привет", "Privet"),
        ("還有", "孩有"),  # upstream's own homophone: the character is misread otherwise
        ("好[uv_break]的[laugh]", "好[uv_break]的[laugh]"),
        ("[Stts]好", "Stts 好"),
        ("😀\u200b", ""),
    ],
)
def test_marks_and_letters_become_known_ones(text: str, expected: str) -> None:
    """One mark for several in a row, the stronger one."""
    assert known(text) == expected


@given(st.text(max_size=60) | st.text(alphabet="“好”！？…—-'a B.，,：()[]《》é〇\n", max_size=40))
def test_upstream_s_normaliser_has_nothing_left_to_delete(text: str) -> None:
    """Its own call, homophones included, gives the text back unchanged."""
    here = re.sub(r"\[.*?\]", "", known(text))
    with quiet():
        assert upstream_normalizer()(here, do_text_normalization=False, do_homophone_replacement=False) == here


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=40))
def test_no_character_is_lost(text: str) -> None:
    """A Han character is one Han character."""
    assert len(known(text)) == len(text)
