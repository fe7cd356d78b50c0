"""A block's text becomes sentences, by `sentencex`, with what it leaves undone for quotes and abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from batchtts.model import Span

CHUNK = 4000
"""Characters handed over at once: the library takes quadratic time on text with many open quotes."""

_CLOSERS = "”’」』）)】》〉］]\"'"
_ENDERS = "。！？!?…；;.~～"
_BREAK = re.compile(rf"[。！？!?\n][{re.escape(_CLOSERS)}]*|\s")
_ABBREVIATION = re.compile(r"(?:^|[^A-Za-z])(?:Mr|Mrs|Ms|Dr|St|Prof|Sr|Jr|Mt|Gen|Col|Capt|Rev|vs|No|e\.g|i\.e)\.\s*$")
_TAIL = re.compile(rf"[\s{re.escape(_CLOSERS + _ENDERS)}]+")
"""A piece that is only this belongs to the sentence before it."""
_HAN = re.compile("[\u3400-\u9fff]")


def sentences(text: str) -> Iterator[Span]:
    """Spans of the sentences of a text, in order, without the white space around them.

    Every character that is not white space is in exactly one of them.

    >>> [text[s.start:s.end] for text in ("“走吧。”他说。Dr. Wu left.",) for s in sentences(text)]
    ['“走吧。”他说。', 'Dr. Wu left.']
    """
    pending: Span | None = None
    for piece in _pieces(text):
        if pending and _belongs(text, pending, piece):
            pending = Span(pending.start, piece.end)
            continue
        if pending and (trimmed := _trim(text, pending)):
            yield trimmed
        pending = piece
    if pending and (trimmed := _trim(text, pending)):
        yield trimmed


def _pieces(text: str) -> Iterator[Span]:
    from sentencex import segment

    language = "zh" if _HAN.search(text) else "en"
    for start, end in _chunks(text):
        at = start
        for part in segment(language, text[start:end]):
            yield Span(at, at + len(part))
            at += len(part)
        if at < end:
            yield Span(at, end)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of at most CHUNK characters, cut after a sentence's end where there is one."""
    start = 0
    while len(text) - start > CHUNK:
        end = start + CHUNK
        breaks = [match.end() for match in _BREAK.finditer(text, end - CHUNK // 4, end)]
        cut = breaks[-1] if breaks else end
        yield start, cut
        start = cut
    if start < len(text):
        yield start, len(text)


def _belongs(text: str, before: Span, piece: Span) -> bool:
    """Whether a piece goes on with the sentence before it."""
    following = text[piece.start : piece.end]
    ended = text[before.start : before.end]
    if _TAIL.fullmatch(following) or _ABBREVIATION.search(ended[-12:]):
        return True
    # 「…！」他说: what follows a closed quote and no space is still the same sentence
    last = ended[-1:]
    return last in "”’」』" and bool(_HAN.match(following))


def _trim(text: str, span: Span) -> Span | None:
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip())
    end = span.start + len(part.rstrip())
    return Span(start, end) if start < end else None
