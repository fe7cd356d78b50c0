"""Lines are brought to a length that an engine speaks well: neighbours merged, long ones cut.

Lengths are prompt tokens of the spoken form. A cut is made at a clause if there is one, else between words, and never
inside an edit (a number, a date, an address): what was read as one is spoken as one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from batchtts.model import Edit, Limits, Span, Spoken, replay
from batchtts.words import words

Count = Callable[[str], int]

_CLAUSE = re.compile(r"[，、；：,;:—–…](?=\s|[^\d\s])[”’」』）)\"']*\s*|[。！？!?][”’」』）)\"']*\s*|\s[-–—]+\s")
_SPACE = re.compile(r"\s+")
_HAN = re.compile("[\u3400-\u9fff]{2,}")


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of a block's text and how it is said. Edits count from the start of the stretch."""

    span: Span
    text: str
    edits: tuple[Edit, ...]
    tokens: int
    closed: bool = True
    """False for the inner parts of a sentence that was cut: they end at a clause."""

    @property
    def spoken(self) -> Spoken:
        return Spoken(replay(self.text, self.edits), self.edits)


def fit(lines: Iterable[Line], text: str, count: Count, limits: Limits) -> Iterator[Line]:
    """Lines of one block, merged up to `limits.goal` tokens and cut to at most `limits.longest`.

    `text` is the block's text, which holds what stands between the lines.
    """
    held: Line | None = None
    for line in lines:
        if held and held.tokens + line.tokens <= limits.goal:
            held = merge(held, line, text, count)
            continue
        if held:
            yield from cut(held, count, limits.longest)
        held = line
    if held:
        yield from cut(held, count, limits.longest)


def merge(first: Line, second: Line, text: str, count: Count) -> Line:
    """Two lines of one block, and what stands between them in its `text`, as one."""
    span = Span(first.span.start, second.span.end)
    edits = (*first.edits, *_moved(second.edits, second.span.start - first.span.start))
    whole = text[span.start : span.end]
    return Line(span, whole, edits, count(replay(whole, edits)))


def _moved(edits: Iterable[Edit], by: int) -> tuple[Edit, ...]:
    return tuple(Edit(Span(edit.span.start + by, edit.span.end + by), edit.spoken, edit.rule) for edit in edits)


def cut(line: Line, count: Count, longest: int) -> Iterator[Line]:
    """The line, or its parts if it is longer than `longest` tokens."""
    if line.tokens <= longest:
        yield line
        return
    for points in (_clauses, _spaces, _words, _anywhere):
        atoms = _atoms(line, points(line.text), count)
        if len(atoms) > 1:
            parts = list(_packed(line, atoms, count, longest))
            break
    else:  # one edit that cannot be divided
        yield line
        return
    for number, part in enumerate(parts):
        *inner, last = cut(part, count, longest)
        yield from inner
        yield last if number == len(parts) - 1 else _open(last)


def _open(line: Line) -> Line:
    return Line(line.span, line.text, line.edits, line.tokens, closed=False)


@dataclass(frozen=True, slots=True)
class _Atom:
    start: int
    end: int
    tokens: int
    heard: bool
    """Whether there is anything to say in it."""

    def joined(self, following: _Atom) -> _Atom:
        return _Atom(self.start, following.end, self.tokens + following.tokens, self.heard or following.heard)


def _atoms(line: Line, points: Iterable[int], count: Count) -> list[_Atom]:
    """The stretches between cut points, each with its tokens (framing not counted)."""
    starts = [edit.span.start for edit in line.edits]

    def free(point: int) -> bool:
        before = bisect_left(starts, point) - 1
        return before < 0 or line.edits[before].span.end <= point

    borders = [0, *(point for point in points if 0 < point < len(line.text) and free(point)), len(line.text)]
    framing = count("")
    atoms: list[_Atom] = []
    for start, end in pairwise(borders):
        spoken = _part(line, start, end).spoken.text
        atom = _Atom(start, end, max(1, count(spoken) - framing), any(char.isalnum() for char in spoken))
        if atoms and not (atom.heard and atoms[-1].heard):  # what cannot be said alone stays with its neighbour
            atoms[-1] = atoms[-1].joined(atom)
        else:
            atoms.append(atom)
    return atoms


def _packed(line: Line, atoms: Sequence[_Atom], count: Count, longest: int) -> Iterator[Line]:
    """Neighbouring atoms together, in parts of about equal length. A part that is still too long is cut again."""
    framing = count("")
    total = sum(atom.tokens for atom in atoms)
    room = max(1, longest - framing)
    aim = total / max(2, -(-total // room))
    start, held = 0, 0
    for number, atom in enumerate(atoms):
        if held and held + atom.tokens > room:
            yield _counted(line, start, atom.start, count)
            start, held = atom.start, 0
        held += atom.tokens
        following = atoms[number + 1].tokens if number + 1 < len(atoms) else 0
        # closing here is nearer to the aim than closing one atom later
        if following and held + following / 2 > aim:
            yield _counted(line, start, atom.end, count)
            start, held = atom.end, 0
    if start < len(line.text):
        yield _counted(line, start, len(line.text), count)


def _part(line: Line, start: int, end: int) -> Line:
    edits = tuple(edit for edit in line.edits if start <= edit.span.start and edit.span.end <= end)
    origin = line.span.start
    return Line(Span(origin + start, origin + end), line.text[start:end], _moved(edits, -start), 0, line.closed)


def _counted(line: Line, start: int, end: int, count: Count) -> Line:
    part = _part(line, start, end)
    return Line(part.span, part.text, part.edits, count(part.spoken.text), line.closed)


def _clauses(text: str) -> list[int]:
    return [match.end() for match in _CLAUSE.finditer(text)]


def _spaces(text: str) -> list[int]:
    return [match.end() for match in _SPACE.finditer(text)]


def _words(text: str) -> list[int]:
    """Borders of Chinese words, by jieba; Latin words are left whole."""
    points: list[int] = []
    for run in _HAN.finditer(text):
        at = run.start()
        points.append(at)
        for word in words(run[0]):
            at += len(word)
            points.append(at)
    return points


def _anywhere(text: str) -> range:
    """The last resort, for something like a base64 line: anything is better than a lost book."""
    return range(1, len(text))
