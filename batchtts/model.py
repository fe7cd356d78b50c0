"""The nouns of the pipeline, in the order in which a book meets them.

A file becomes a `Document` of `Block`s; those become `Chapter`s of `Sentence`s with a `Spoken` form; a `Plan` lays the
sentences out as `Cue`s that point at `Utterance`s; an engine turns an utterance into a `Clip` or a `Failure`; a
`Verdict` judges the clip. All of them are frozen: stages share values, never state. Only the standard library is
imported here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Samples = npt.NDArray[np.float32]
    """Mono audio: float32 in [-1, 1], shape (n,)."""


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points, `start <= i < end`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Piece:
    """`length` code points of a block's text, beginning at `start`, that stand at `source` in the document's source.

    Characters between pieces (a space that replaced a line break, say) come from no single place in the source.
    """

    start: int
    length: int
    source: int


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    BREAK = "break"
    """A thematic break (`***`): no text, ends a section."""


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph or list item: `text` without markup, and where each stretch of it stands in the source."""

    kind: BlockKind
    text: str
    pieces: tuple[Piece, ...]
    level: int = 0
    """1-6 for a heading, 0 for anything else."""

    def source_span(self, start: int, end: int) -> Span:
        """The smallest source span that holds the text range `start <= i < end`.

        Raises ValueError when no character of the range comes from the source.
        """
        low: int | None = None
        high = 0
        for piece in self.pieces:
            first, last = max(start, piece.start), min(end, piece.start + piece.length)
            if first < last:
                if low is None:
                    low = piece.source + first - piece.start
                high = piece.source + last - piece.start
        if low is None:
            raise ValueError(f"text range {start}:{end} has no source")
        return Span(low, high)


@dataclass(frozen=True, slots=True)
class Drop:
    """A source range that will not be spoken, and why."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """A source as read: its decoded text, the blocks found in it, and what was left out."""

    name: str
    """File name of the source (`book.txt`), or `-` for standard input."""
    hash: str
    """SHA-256 of the source's bytes, hex."""
    source: str
    """The decoded text, line ends as `\\n`; every span points into it."""
    blocks: tuple[Block, ...]
    drops: tuple[Drop, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    encoding: str = "utf-8"


# ---------------------------------------------------------------- script


class Boundary(StrEnum):
    """How a sentence ends. That alone decides the pause after it."""

    CLAUSE = "clause"
    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    SECTION = "section"
    CHAPTER = "chapter"


@dataclass(frozen=True, slots=True)
class Chapter:
    index: int
    """Counts from 1."""
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The unit of speech. `id` counts from 1 through the whole book."""

    id: int
    chapter: int
    text: str
    span: Span
    boundary: Boundary


@dataclass(frozen=True, slots=True)
class Edit:
    """`span` of a sentence's text was replaced by `spoken`, by the rule named `rule`."""

    span: Span
    spoken: str
    rule: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is said for a text, and the edits (in order, disjoint) that lead there."""

    text: str
    edits: tuple[Edit, ...] = ()


def replay(text: str, edits: tuple[Edit, ...]) -> str:
    """Apply edits to the text that they were made for.

    >>> replay("in 1990s", (Edit(Span(3, 8), "nineteen nineties", "decade"),))
    'in nineteen nineties'
    """
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.span.start], edit.spoken)
        at = edit.span.end
    return "".join(parts) + text[at:]


# ---------------------------------------------------------------- plan


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something to be spoken, free of its place in the book.

    `key` is a hash of all that shapes the sound (engine, model, voice, sampling, text), so equal lines share a clip
    and an inserted line shifts no key. `take` counts attempts from 1; each has its own seed.
    """

    key: str
    text: str
    voice: str
    tokens: int
    """Prompt tokens, as the engine counts them."""
    take: int = 1

    @property
    def seed(self) -> int:
        """63 bits that depend on the key and the take alone: never on batch, order or machine."""
        digest = hashlib.blake2b(f"{self.key}:{self.take}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") >> 1


def utterance_key(fingerprint: str, voice: str, text: str) -> str:
    """The content key of an utterance: 32 hex digits of SHA-256."""
    return hashlib.sha256("\0".join((fingerprint, voice, text)).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Cue:
    """A sentence's place on the time line: which clip is heard, and how long the silence after it is."""

    sentence: Sentence
    spoken: Spoken
    key: str
    tokens: int
    pause: float
    """Seconds of silence that follow the clip, before what the clip itself already carries is counted."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A compiled book: cues in reading order and the distinct utterances they point at, in order of first use."""

    title: str
    source_name: str
    source_hash: str
    chapters: tuple[Chapter, ...]
    cues: tuple[Cue, ...]
    utterances: tuple[Utterance, ...]
    drops: tuple[Drop, ...] = ()
    warnings: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


# ---------------------------------------------------------------- rendering


@dataclass(frozen=True, slots=True)
class Limits:
    """What an engine asks of the text and of the batches, in its own prompt tokens."""

    goal: int
    """Neighbours in a paragraph are merged up to about this length."""
    longest: int
    """No utterance is longer than this."""
    budget: int
    """Default of `--max-tokens`: padded tokens of a batch, or KV tokens in slots."""
    rows: int
    """Most utterances side by side."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Utterances decoded side by side; `tokens` is rows x longest, the padded size."""

    bucket: int
    utterances: tuple[Utterance, ...]

    @property
    def longest(self) -> int:
        return max(utterance.tokens for utterance in self.utterances)

    @property
    def tokens(self) -> int:
        return len(self.utterances) * self.longest


class Stop(StrEnum):
    """Why a row ended."""

    END = "end"
    """The model said that it was done."""


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """The sound of one take."""

    key: str
    take: int
    samples: Samples
    rate: int
    frames: int = 0
    """Decoder frames, 0 for an engine that has none."""
    stop: Stop = Stop.END


class Cause(StrEnum):
    """Why a take gave no clip."""

    EMPTY = "empty"
    """The row ended before it had said anything."""
    CAP = "cap"
    """The row never ended by itself."""
    NAN = "nan"
    MEMORY = "memory"
    """It ran out of memory alone in its batch."""
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Failure:
    """A take that gave no clip."""

    key: str
    take: int
    cause: Cause
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks found in a take. A take with flags is tried again; `score` (higher is better) picks the best."""

    flags: tuple[str, ...] = ()
    score: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.flags


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice that an engine offers."""

    name: str
    engine: str
    note: str = ""


# ---------------------------------------------------------------- assembly


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a cue is heard in its chapter, in samples: the clip's own sound and then `pause` samples of silence."""

    cue: Cue
    start: int
    length: int
    pause: int
