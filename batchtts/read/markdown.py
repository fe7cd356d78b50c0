"""Markdown (CommonMark with tables): blocks without their markup, every character's place in the source kept."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from batchtts.model import Block, BlockKind, Drop, Piece, Span
from batchtts.read.found import Found, Pen, gaps, joint

if TYPE_CHECKING:
    from markdown_it.token import Token

NESTING = 100
"""Levels of quotes and lists, one in another, that are read. What lies deeper is listed as markup."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_ENTRY = re.compile(r"^(title|author|date|lang|language)[ \t]*:[ \t]*(.+?)[ \t]*$", re.M | re.I)
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\s]{1,40}\]")
_FOOTNOTE_BODY = re.compile(r"\[\^[^\]\s]{1,40}\]:")
_LINK_TAIL = re.compile(
    r"""\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)"""
    r"""(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*\)|\]\[[^\]]*\]|\]""",
    re.S,
)
"""What follows a link's text: `](target "title")`, `][label]` or `]`."""
_DROPPED_BLOCKS = {"fence": "code block", "code_block": "code block", "html_block": "html", "hr": "section mark"}
_CELL_JOINT = ", "


def read_markdown(source: str) -> Found:
    """Blocks of a Markdown text whose line ends are `\\n`.

    Code blocks, images, HTML, front matter and footnotes are dropped; what is left over is markup, and listed as such.
    """
    reader = _Reader(source)
    blocks = tuple(reader.blocks())
    drops = reader.drops
    drops += [Drop(span, "markup") for span in gaps(source, blocks, drops)]
    return Found(blocks, tuple(sorted(drops, key=lambda drop: drop.span.start)), reader.metadata)


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = [0, *(match.end() for match in re.finditer("\n", source)), len(source) + 1]
        self.drops: list[Drop] = []
        self.metadata: dict[str, str] = {}

    def blocks(self) -> Iterator[Block]:
        from markdown_it import MarkdownIt

        parser = (
            MarkdownIt("commonmark", {"maxNesting": NESTING}).enable(["table", "strikethrough"]).disable("text_join")
        )
        tokens = iter(parser.parse(self._without_front_matter()))
        level = items = 0
        for token in tokens:
            if token.type in _DROPPED_BLOCKS:
                self._drop_lines(token, _DROPPED_BLOCKS[token.type])
                if token.type == "hr":
                    yield Block(BlockKind.BREAK, "", ())
            elif token.type in ("list_item_open", "list_item_close"):
                items += token.nesting
            elif token.type in ("heading_open", "heading_close"):
                level = int(token.tag[1]) if token.nesting > 0 else 0
            elif token.type in ("tr_open", "inline"):
                kind = BlockKind.HEADING if level else BlockKind.ITEM if items else BlockKind.PARAGRAPH
                pen = self._row(token, tokens) if token.type == "tr_open" else self._paragraph(token)
                if block := pen.block(kind, level):
                    yield block

    def _paragraph(self, token: Token) -> Pen:
        pen = Pen()
        if _FOOTNOTE_BODY.match(token.content):
            self._drop_lines(token, "footnote")
        elif token.map:
            self._inline(token, _content_pieces(token.content, self._source, self._lines, token.map[0]), pen)
        return pen

    def _row(self, row: Token, tokens: Iterator[Token]) -> Pen:
        """A table's row, read from `tokens` up to its end; its cells are read one after another."""
        pen = Pen()
        at = self._lines[row.map[0]] if row.map else 0
        for token in takewhile(lambda token: token.type != "tr_close", tokens):
            if token.type == "inline" and token.content:
                pen.glue(_CELL_JOINT if pen.last else "")
                at = self._cell(token, pen, at)
        return pen

    def _without_front_matter(self) -> str:
        """The source with its YAML front matter blanked out (the parser would take it for a heading)."""
        found = _FRONT_MATTER.match(self._source)
        if not found:
            return self._source
        self.drops.append(Drop(Span(0, found.end()), "front matter"))
        for key, value in _ENTRY.findall(found[1]):
            name = "language" if key.lower().startswith("lang") else key.lower()
            self.metadata[name] = value.strip("\"'")
        return re.sub(r"[^\n]", " ", found[0]) + self._source[found.end() :]

    def _drop_lines(self, token: Token, reason: str) -> None:
        if token.map:
            start, end = self._lines[token.map[0]], self._lines[token.map[1]]
            self.drops.append(Drop(Span(start, min(end, len(self._source))), reason))

    def _cell(self, token: Token, row: Pen, start: int) -> int:
        """Write a table cell that stands at or after `start`; where to look for the next one."""
        pieces: list[Piece] = []
        at, offset = start, 0
        for part in re.split(r"(?=\|)", token.content):  # the parser has undone `\\|`
            at = max(self._source.find(part, at), at)
            pieces.append(Piece(offset, len(part), at))
            at, offset = at + len(part), offset + len(part)
        self._inline(token, pieces, row)
        return at

    def _inline(self, token: Token, pieces: list[Piece], pen: Pen) -> None:
        """Write an inline token's text; `pieces` says where its content stands in the source."""
        content, at, broken = token.content, 0, False
        for child in _merged(token.children or []):
            if child.type in ("softbreak", "hardbreak"):
                broken = True
            elif child.type == "image":
                start, at = _image(child, content, at)
                self._drop(pieces, start, at, "image")
            elif child.type == "html_inline":
                start = content.index(child.content, at)
                at = start + len(child.content)
                self._drop(pieces, start, at, "html")
                broken = broken or child.content.lower().startswith("<br")
            elif child.type == "link_close" and child.markup != "autolink":
                tail = _LINK_TAIL.match(content, at)
                at = tail.end() if tail else at
            elif child.type in ("text", "code_inline", "text_special"):
                if not child.content:
                    continue
                if broken:
                    pen.glue(joint(pen.last or " ", child.content[0]))
                    broken = False
                at = self._write(child, content, at, pieces, pen)
            elif child.markup and child.markup not in ("autolink", "linkify"):
                at = content.index(child.markup, at) + len(child.markup)

    def _write(self, child: Token, content: str, at: int, pieces: list[Piece], pen: Pen) -> int:
        """Copy one stretch of text; where the next one may begin."""
        if child.type == "text_special":
            # one character stands for several (`&amp;`, `\\*`): its place is where the last of them stands
            end = content.index(child.markup, at) + len(child.markup)
            pen.copy(child.content, _place(pieces, end - len(child.content)))
            return end
        written = child.content
        if child.type == "code_inline":
            start = content.index(child.markup, at) + len(child.markup)
            if content[start : start + len(written)].replace("\n", " ") != written:
                start += 1  # a space just inside the marks is not part of it
            _copy(pen, pieces, content[start : start + len(written)], start)
            return content.index(child.markup, start + len(written)) + len(child.markup)
        start = content.index(written, at)
        plain = 0
        for mark in _FOOTNOTE_MARK.finditer(written):
            _copy(pen, pieces, written[plain : mark.start()], start + plain)
            self._drop(pieces, start + mark.start(), start + mark.end(), "footnote mark")
            plain = mark.end()
        _copy(pen, pieces, written[plain:], start + plain)
        return start + len(written)

    def _drop(self, pieces: list[Piece], start: int, end: int, reason: str) -> None:
        if start < end:
            self.drops.append(Drop(Span(_place(pieces, start), _place(pieces, end - 1) + 1), reason))


def _merged(children: list[Token]) -> Iterator[Token]:
    """Children with neighbouring text tokens joined (the parser cuts at every special character)."""
    held: Token | None = None
    for child in children:
        if held and child.type == "text":
            held = held.copy(content=held.content + child.content)
            continue
        if held:
            yield held
            held = None
        if child.type == "text":
            held = child
        else:
            yield child
    if held:
        yield held


def _content_pieces(content: str, source: str, lines: list[int], first: int) -> list[Piece]:
    """Where each line of a block's content (its lines without quote marks and indent) stands in the source."""
    pieces: list[Piece] = []
    start, number = 0, first
    for line in content.split("\n"):
        text = line.lstrip()  # a tab that is in part a block's indent comes as spaces
        place = source.find(text, lines[number], lines[number + 1])
        while place < 0 and number + 2 < len(lines):  # a line without content, which the parser left out
            number += 1
            place = source.find(text, lines[number], lines[number + 1])
        if place < 0:
            raise AssertionError(f"{text!r} is not in the source")
        pieces.append(Piece(start + len(line) - len(text), len(text) + 1, place))
        start += len(line) + 1
        number += 1
    return pieces


def _place(pieces: list[Piece], at: int) -> int:
    """The source place of a content offset."""
    number = bisect_right(pieces, at, key=lambda piece: piece.start) - 1
    piece = pieces[max(number, 0)]
    return piece.source + at - piece.start


def _copy(pen: Pen, pieces: list[Piece], text: str, at: int) -> None:
    """Copy text that may run over several lines."""
    for part in text.splitlines(keepends=True):
        pen.copy(part.replace("\n", " "), _place(pieces, at))
        at += len(part)


def _image(child: Token, content: str, at: int) -> tuple[int, int]:
    """Where an image, `![description](target)`, begins and ends."""
    start = content.index("![", at)
    end = start + 2 + len(child.content)
    tail = _LINK_TAIL.match(content, end)
    return start, tail.end() if tail else end
