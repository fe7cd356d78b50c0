"""Plain text: what is a paragraph is told by how the lines are laid out."""

from __future__ import annotations

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from batchtts.model import BlockKind
from batchtts.read.found import gaps
from batchtts.read.text import read_text

PROSE = (
    "The lamp was lit at six, and by seven the whole street could be seen from the window of the old house, which"
    " stood on the hill above the harbour and had done so for longer than anyone in the town could remember."
)
CHINESE = (
    "天色渐渐暗下来，街上的灯一盏一盏地亮了，远处传来火车的声音，像是有人在很远的地方叫着谁的名字，又像是什么也没有。"
)


def texts(source: str) -> list[str]:
    return [block.text for block in read_text(source).blocks]


def test_a_line_is_a_paragraph_where_lines_are_not_wrapped() -> None:
    """As Chinese novels are set, indented or not."""
    assert texts("　　第一段。\n　　第二段很长很长很长。\n第三段。") == ["第一段。", "第二段很长很长很长。", "第三段。"]


def test_blank_lines_divide_and_wrapped_lines_are_joined() -> None:
    """As English etexts are set: lines of some 70 columns."""
    wrapped = "\n\n".join(textwrap.fill(PROSE, 70) for _ in range(3))
    assert texts(wrapped) == [PROSE] * 3


def test_wrapped_chinese_is_joined_without_spaces() -> None:
    """A Chinese word may be cut at any line's end."""
    lines = "\n".join(CHINESE[at : at + 20] for at in range(0, len(CHINESE), 20))
    assert texts(f"{lines}\n\n{lines}") == [CHINESE] * 2


def test_a_short_line_before_wrapped_prose_stays_alone() -> None:
    """A title is not the beginning of the first sentence."""
    body = textwrap.fill(PROSE, 70)
    assert texts(f"Chapter 1\n{body}\n\n{body}")[:2] == ["Chapter 1", PROSE]


def test_a_sentence_cut_by_a_stray_break_is_mended() -> None:
    """A line that ends in the middle and goes on in lower case is one."""
    assert texts("He came home\nlate that night.\nShe did not.") == ["He came home late that night.", "She did not."]


def test_a_divided_word_is_joined_only_when_the_book_knows_it_whole() -> None:
    """`well-known` keeps its hyphen."""
    found = read_text("The remem-\nbered well-\nknown house, once remembered.")
    assert [block.text for block in found.blocks] == ["The remembered well-known house, once remembered."]
    assert [drop.reason for drop in found.drops] == ["hyphenation"]


def test_a_line_of_ornaments_divides_sections() -> None:
    """It is not spoken, and is listed."""
    found = read_text("一。\n\n* * *\n\n二。")
    assert [block.kind for block in found.blocks] == [BlockKind.PARAGRAPH, BlockKind.BREAK, BlockKind.PARAGRAPH]
    assert [(drop.span.start, drop.reason) for drop in found.drops] == [(4, "section mark")]


@given(
    st.lists(st.sampled_from(["word ", "字", "，", "。", "\n", "\n\n", "  ", "-", "* ", "long words here and there "]))
)
def test_every_character_is_in_a_block_or_a_drop(parts: list[str]) -> None:
    """Each piece of a block reads the same in the source, and nothing but white space lies between."""
    source = "".join(parts)
    found = read_text(source)
    for block in found.blocks:
        for piece in block.pieces:
            there = source[piece.source : piece.source + piece.length]
            assert block.text[piece.start : piece.start + piece.length] == there
    assert gaps(source, found.blocks, found.drops) == []
