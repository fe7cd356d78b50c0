"""What the ledger says, as values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from batchtts.ledger.files import StoredFile
from batchtts.model import Boundary, Cue, Edit, Sentence, Span, Spoken

Row = Mapping[str, Any]


class Status(StrEnum):
    """Where an utterance stands."""

    PENDING = "pending"
    DONE = "done"
    FLAGGED = "flagged"
    """Out of tries; its best take has flags, and is what is heard."""
    FAILED = "failed"
    """Out of tries; no take gave a clip, so nothing is heard."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a folder was begun with; pinned, so that one book never mixes two voices."""

    source_name: str
    source_hash: str
    title: str
    engine: str
    fingerprint: str
    voice: str
    rate: int
    settings: Mapping[str, Any]
    """The engine and assembly settings, to go on without the source (`redo`)."""
    version: str
    created: str


@dataclass(frozen=True, slots=True)
class ChapterRow:
    index: int
    title: str
    sentences: int
    finished: int
    """Sentences that will not be rendered any more: done, flagged or failed."""
    file: StoredFile | None
    signature: str | None
    """What the chapter file was stitched from; differs from a fresh one when it must be stitched again."""
    samples: int | None

    @property
    def complete(self) -> bool:
        return self.finished == self.sentences


@dataclass(frozen=True, slots=True)
class Tally:
    """Sentences by status, and the sound behind them."""

    sentences: int
    done: int
    flagged: int
    failed: int
    takes: int
    samples: int

    @property
    def left(self) -> int:
        return self.sentences - self.done - self.flagged - self.failed


@dataclass(frozen=True, slots=True)
class Problem:
    """A sentence that a person should look at."""

    sentence: int
    chapter: int
    text: str
    status: Status
    flags: str


def job_from(row: Row) -> Job:
    fields = {name: row[name] for name in Job.__dataclass_fields__}
    return Job(**{**fields, "settings": json.loads(row["settings"])})


def job_row(job: Job) -> dict[str, Any]:
    return {**asdict(job), "id": 1, "settings": json.dumps(dict(job.settings), sort_keys=True)}


def sentence_row(cue: Cue) -> dict[str, Any]:
    sentence = cue.sentence
    return {
        "id": sentence.id,
        "chapter": sentence.chapter,
        "text": sentence.text,
        "spoken": cue.spoken.text,
        "edits": json.dumps([[e.span.start, e.span.end, e.spoken, e.rule] for e in cue.spoken.edits]),
        "boundary": sentence.boundary.value,
        "start": sentence.span.start,
        "end": sentence.span.end,
        "key": cue.key,
        "tokens": cue.tokens,
        "pause": cue.pause,
    }


def cue_from(row: Row) -> Cue:
    sentence = Sentence(
        row["id"], row["chapter"], row["text"], Span(row["start"], row["end"]), Boundary(row["boundary"])
    )
    edits = tuple(Edit(Span(start, end), spoken, rule) for start, end, spoken, rule in json.loads(row["edits"]))
    return Cue(sentence, Spoken(row["spoken"], edits), row["key"], row["tokens"], row["pause"])


def file_columns(stored: StoredFile) -> dict[str, Any]:
    return {"file": stored.name, "sha256": stored.sha256, "bytes": stored.bytes, "mtime_ns": stored.mtime_ns}


def file_from(row: Row) -> StoredFile:
    return StoredFile(row["file"], row["sha256"], row["bytes"], row["mtime_ns"])


def chapter_from(row: Row) -> ChapterRow:
    file = file_from(row) if row["file"] else None
    return ChapterRow(
        row["idx"], row["title"], row["sentences"], row["finished"], file, row["signature"], row["samples"]
    )
