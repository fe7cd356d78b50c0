"""What a reader hands back, and the pen with which it writes blocks."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from batchtts.model import Block, BlockKind, Drop, Piece, Span


@dataclass(frozen=True, slots=True)
class Found:
    """Blocks in reading order, what was left out, and what the file says of itself (title, author, language)."""

    blocks: tuple[Block, ...]
    drops: tuple[Drop, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


class Pen:
    """Writes one block's text while it notes where each stretch came from."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0

    def copy(self, text: str, source: int) -> None:
        """Append `text`, which stands in the source at `source`."""
        if not text:
            return
        last = self._pieces[-1] if self._pieces else None
        if last and last.start + last.length == self._length and last.source + last.length == source:
            self._pieces[-1] = Piece(last.start, last.length + len(text), last.source)
        else:
            self._pieces.append(Piece(self._length, len(text), source))
        self._parts.append(text)
        self._length += len(text)

    def glue(self, text: str) -> None:
        """Append `text`, which stands nowhere in the source."""
        self._parts.append(text)
        self._length += len(text)

    @property
    def last(self) -> str:
        """The last character written, or the empty string."""
        return next((part[-1] for part in reversed(self._parts) if part), "")

    def block(self, kind: BlockKind, level: int = 0) -> Block | None:
        """What was written, as a block; None if that is white space only."""
        text = "".join(self._parts)
        if not text.strip():
            return None
        return Block(kind, text, tuple(self._pieces), level)


def joint(before: str, after: str) -> str:
    """What stands for a line break between two characters of a paragraph: a space, or nothing beside CJK.

    >>> joint("a", "b"), joint("春", "天"), joint("，", "a")
    (' ', '', '')
    """
    if before.isspace() or after.isspace() or _wide(before) or _wide(after):
        return ""
    return " "


def _wide(char: str) -> bool:
    return bool(char) and unicodedata.east_asian_width(char) in "WF" and not "\uac00" <= char <= "\ud7a3"


def width(text: str) -> int:
    """Columns on a terminal: a CJK character takes two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def gaps(source: str, blocks: Iterable[Block], drops: Iterable[Drop]) -> list[Span]:
    """The stretches of the source, trimmed of white space, that no block and no drop covers."""
    covered = [(piece.source, piece.source + piece.length) for block in blocks for piece in block.pieces]
    covered += [(drop.span.start, drop.span.end) for drop in drops]
    found: list[Span] = []
    at = 0
    for start, end in [*sorted(covered), (len(source), len(source))]:
        if start > at and (inner := source[at:start]).strip():
            left = at + len(inner) - len(inner.lstrip())
            found.append(Span(left, left + len(inner.strip())))
        at = max(at, end)
    return found
