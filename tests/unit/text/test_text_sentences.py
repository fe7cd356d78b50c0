"""Sentences end where a reader would pause for breath, and every character is in one of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.text.sentences import CHUNK, sentences

CASES = [
    ["今天很好。", "我们走吧！", "真的吗？"],
    ["「走吧。」", "「好。」"],
    ["“走吧！”他说。", "然后走了。"],
    ["他想了想……没说话。", "走了。"],
    ["He left.", "She stayed!", "Did they?"],
    ["Dr. Smith paid $3.50 to Mrs. Jones.", "It was fair."],
    ["“Go!” he said.", "They went."],
    ["It grew by 3.5 percent.", "See www.example.org/a.html for more."],
    ["他说 Hello.", "然后走了。"],
    ["一。", "二。", "三。"],
]


@pytest.mark.parametrize("parts", CASES, ids=lambda parts: parts[0])
def test_sentences_are_found(parts: list[str]) -> None:
    """Written together, in Chinese without a space."""
    glue = "" if any("\u4e00" <= char <= "\u9fff" for char in parts[-1]) else " "
    text = glue.join(parts)
    assert [text[span.start : span.end] for span in sentences(text)] == parts


@given(st.lists(st.sampled_from([*"。！？.!?…「」“”'\"， \n", "Dr.", "a ", "word", "中文", "3.5", "😀"]), max_size=60))
def test_every_character_is_in_one_sentence(parts: list[str]) -> None:
    """Spans are in order and disjoint; what lies between is white space."""
    text = "".join(parts)
    at = 0
    for span in sentences(text):
        assert span.start >= at
        assert text[at : span.start].strip() == ""
        inner = text[span.start : span.end]
        assert inner == inner.strip() != ""
        at = span.end
    assert text[at:].strip() == ""


def test_a_paragraph_of_any_length_is_cut_in_linear_time() -> None:
    """`sentencex` alone takes quadratic time here: minutes for this line."""
    text = "“a " * 100_000
    assert sum(len(span) for span in sentences(text)) > len(text) - CHUNK
