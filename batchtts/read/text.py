"""Plain text: paragraphs by blank lines or by line, hard-wrapped lines unwrapped.

A Chinese novel has a paragraph a line, often indented with full-width spaces; English etexts have lines wrapped at some
70 columns and blank lines between paragraphs. What tells them apart is geometry: in a wrapped text, the first word of
a line would not have fitted on the line before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from batchtts.model import Block, BlockKind, Drop, Span
from batchtts.read.found import Found, Pen, joint, width

NARROWEST, WIDEST = 30, 120
"""Columns between which text is wrapped by hand or by an editor."""
WRAPPED_SHARE = 0.6
"""Share of neighbouring lines that must look wrapped for a text to count as wrapped."""
FEWEST_PAIRS = 3
"""Fewer neighbouring lines than this prove nothing."""

_RULE = re.compile(r"(?:[*＊·•◇◆○●☆★~～_=－—-]\s*){3,}|[＊◇◆○●☆★※#§]")
"""A line of ornaments, which divides sections."""
_ENDS = re.compile(r"[.!?。！？…:：;；][\"'”’」』）)\]]*$")
_HYPHENATED = re.compile(r"([A-Za-z]{2,})-$")
_WORD_AT_START = re.compile(r"[a-z]+")
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without the white space at its edges; `start` is where it stands in the source."""

    text: str
    start: int
    indented: bool


def read_text(source: str) -> Found:
    """Blocks of a plain text whose line ends are `\\n`."""
    groups = list(_groups(source))
    column = _wrap_column(groups)
    words = _Words(source)
    blocks: list[Block] = []
    drops: list[Drop] = []
    for group in groups:
        for lines in _paragraphs(group, column):
            if len(lines) == 1 and _RULE.fullmatch(lines[0].text):
                blocks.append(Block(BlockKind.BREAK, "", ()))
                drops.append(Drop(Span(lines[0].start, lines[0].start + len(lines[0].text)), "section mark"))
                continue
            block = _write(lines, words, drops)
            if block:
                blocks.append(block)
    return Found(tuple(blocks), tuple(drops))


def _groups(source: str) -> Iterator[list[Line]]:
    """Runs of lines that are not blank."""
    group: list[Line] = []
    at = 0
    for raw in source.split("\n"):
        text = raw.strip()
        if text:
            indent = len(raw) - len(raw.lstrip())
            group.append(Line(text, at + indent, indent > 0))
        elif group:
            yield group
            group = []
        at += len(raw) + 1
    if group:
        yield group


def _wrap_column(groups: Iterable[list[Line]]) -> int | None:
    """The column at which the text is wrapped, or None when each line is a paragraph."""
    pairs = [pair for group in groups for pair in pairwise(group)]
    if len(pairs) < FEWEST_PAIRS:
        return None
    widths = sorted(width(before.text) for before, _ in pairs)
    column = widths[int(len(widths) * 0.9)]
    if not NARROWEST <= column <= WIDEST:
        return None
    wrapped = sum(_overflows(before, after, column) for before, after in pairs)
    return column if wrapped >= WRAPPED_SHARE * len(pairs) else None


def _overflows(before: Line, after: Line, column: int) -> bool:
    """Whether the first word of `after` would have passed `column` on the line `before`."""
    word = after.text.split(maxsplit=1)[0]
    wide = width(before.text)
    if joint(before.text[-1], word[0]):
        return wide + 1 + width(word) > column
    return wide + 4 >= column  # a character, and one that may not begin a line


def _continues(before: Line, after: Line, column: int | None) -> bool:
    """Whether two lines belong to one paragraph."""
    if _RULE.fullmatch(before.text) or _RULE.fullmatch(after.text):
        return False
    if not _ENDS.search(before.text) and after.text[0].islower() and after.text[0].isascii():
        return True
    if column is None or (after.indented and not before.indented):
        return False
    return _overflows(before, after, column)


def _paragraphs(group: list[Line], column: int | None) -> Iterator[list[Line]]:
    paragraph = [group[0]]
    for before, after in pairwise(group):
        if _continues(before, after, column):
            paragraph.append(after)
        else:
            yield paragraph
            paragraph = [after]
    yield paragraph


class _Words:
    """The Latin words of a source, gathered when a hyphen at a line's end asks for them."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._words: set[str] | None = None

    def __contains__(self, word: str) -> bool:
        if self._words is None:
            self._words = {found.lower() for found in _WORD.findall(self._source)}
        return word.lower() in self._words


def _write(lines: list[Line], words: _Words, drops: list[Drop]) -> Block | None:
    """One paragraph; a hyphen that only divides a word at a line's end is dropped."""
    pen = Pen()
    for number, line in enumerate(lines):
        text = line.text
        following = lines[number + 1].text if number + 1 < len(lines) else ""
        divided = _HYPHENATED.search(text)
        rest = _WORD_AT_START.match(following)
        if divided and rest:
            if divided[1] + rest[0] in words:
                text = text[:-1]
                drops.append(Drop(Span(line.start + len(text), line.start + len(text) + 1), "hyphenation"))
            pen.copy(text, line.start)
            continue
        pen.copy(text, line.start)
        if following:
            pen.glue(joint(text[-1], following[0]))
    return pen.block(BlockKind.PARAGRAPH)
