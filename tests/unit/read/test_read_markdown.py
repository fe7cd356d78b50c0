"""Markdown: what is text is kept with its place, what is markup is listed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batchtts.model import BlockKind
from batchtts.read.found import Found, gaps
from batchtts.read.markdown import read_markdown


def texts(source: str) -> list[str]:
    return [block.text for block in read_markdown(source).blocks]


def reasons(found: Found, source: str) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for drop in found.drops:
        told.setdefault(drop.reason, []).append(source[drop.span.start : drop.span.end].strip())
    return told


def test_headings_have_levels() -> None:
    """Both of Markdown's kinds."""
    blocks = read_markdown("# One\n\ntext\n\nTwo\n---\n\n### Three ###\n").blocks
    assert [(block.kind, block.level, block.text) for block in blocks] == [
        (BlockKind.HEADING, 1, "One"),
        (BlockKind.PARAGRAPH, 0, "text"),
        (BlockKind.HEADING, 2, "Two"),
        (BlockKind.HEADING, 3, "Three"),
    ]


def test_inline_markup_is_taken_off() -> None:
    """Emphasis, links, code, escapes, entities."""
    source = 'A *very* **good** [link](http://x.y/a_(b) "t") and `co  de`, 5 \\* 3 &amp; more~~gone~~.'
    assert texts(source) == ["A very good link and co  de, 5 * 3 & moregone."]


def test_a_text_that_looks_like_its_own_markup_keeps_its_place() -> None:
    """`end` stands in the address and after it."""
    source = "[go](http://x/end)end"
    (block,) = read_markdown(source).blocks
    assert block.source_span(2, 5).start == source.rindex("end")


def test_lines_of_a_paragraph_are_joined_as_their_script_wants() -> None:
    """A space between Latin words, nothing between Chinese ones; quote marks are not text."""
    assert texts("> one\n> two\n\n春\n天\n") == ["one two", "春天"]


def test_list_items_and_table_rows_are_blocks() -> None:
    """Read one after another."""
    assert texts("1. one\n2. two\n   - three\n\n| a | b |\n|---|---|\n| 1 | x \\| y |\n") == [
        "one", "two", "three", "a, b", "1, x | y",
    ]  # fmt: skip
    assert read_markdown("- x").blocks[0].kind is BlockKind.ITEM


def test_what_is_not_read_is_listed_with_its_reason() -> None:
    """Code, images, HTML, footnotes, front matter."""
    source = (
        "---\ntitle: 'A Book'\nlang: zh\n---\n\nText[^1] ![a *b*](c.png) <b>bold</b>.\n\n"
        "```\ncode\n```\n\n<div>x</div>\n\n[^1]: The note is here.\n\n***\n"
    )
    found = read_markdown(source)
    told = reasons(found, source)
    assert [block.text.strip() for block in found.blocks] == ["Text  bold.", ""]
    assert dict(found.metadata) == {"title": "A Book", "language": "zh"}
    assert told["image"] == ["![a *b*](c.png)"]
    assert told["code block"] == ["```\ncode\n```"]
    assert told["footnote mark"] == ["[^1]"]
    assert told["footnote"] == ["[^1]: The note is here."]
    assert told["front matter"][0].startswith("---\ntitle")
    assert told["html"] == ["<b>", "</b>", "<div>x</div>"]
    assert told["section mark"] == ["***"]


FRAGMENTS = [
    "# ", "> ", "- ", "1. ", "\n", "\n\n", "  ", "\t", "`", "``", "*", "**", "_", "[", "]", "(", "![", "](u)",
    '](u "t")', "<b>", "<br>", "<http://a.b>", "\\*", "\\|", "|", "|-|-|\n", "~~", "---\n", "[^1]", "[^1]: ",
    "word", "中文", "a b",
    "```\n", "<!-- c -->", "\\\n", "\u2028", "é", "😀",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30))
def test_every_character_is_in_a_block_or_a_drop(parts: list[str]) -> None:
    """However mangled the markup: pieces read the same in the source, and nothing is left over."""
    source = "".join(parts)
    found = read_markdown(source)
    for block in found.blocks:
        for piece in block.pieces:
            there = source[piece.source : piece.source + piece.length]
            assert block.text[piece.start : piece.start + piece.length] == there.replace("\n", " ")
        if block.text:
            block.source_span(0, len(block.text))
    assert gaps(source, found.blocks, found.drops) == []


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=80))
def test_arbitrary_text_is_read(source: str) -> None:
    """No crash, and every piece lies in the source."""
    for block in read_markdown(source).blocks:
        for piece in block.pieces:
            assert 0 <= piece.source <= piece.source + piece.length <= len(source)
