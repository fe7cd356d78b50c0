"""The ledger remembers exactly what was finished."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from batchtts.errors import JobBroken, UsageError
from batchtts.ledger.ledger import Ledger
from batchtts.ledger.rows import Job, Status
from batchtts.ledger.schema import DATABASE, LedgerDamaged, set_aside
from batchtts.model import (
    Boundary,
    Cause,
    Chapter,
    Clip,
    Cue,
    Edit,
    Failure,
    Plan,
    Sentence,
    Span,
    Spoken,
    Utterance,
    Verdict,
    utterance_key,
)

JOB = Job("book.txt", "hash", "Book", "silent", "fp", "tone", 24000, {"engine": {}}, "0", "2026-01-01")
FLAGGED = Verdict(("short",), -1.0)


def make_plan(*chapters: list[str]) -> Plan:
    """A plan whose sentences are given as one list a chapter."""
    cues: list[Cue] = []
    utterances: dict[str, Utterance] = {}
    for index, lines in enumerate(chapters, 1):
        for line in lines:
            key = utterance_key("fp", "tone", line)
            utterances.setdefault(key, Utterance(key, line, "tone", len(line)))
            sentence = Sentence(len(cues) + 1, index, line, Span(0, len(line)), Boundary.SENTENCE)
            spoken = Spoken(line, (Edit(Span(0, 1), line[:1], "none"),))
            cues.append(Cue(sentence, spoken, key, len(line), 0.35))
    titles = tuple(Chapter(index, f"Chapter {index}", ()) for index in range(1, len(chapters) + 1))
    return Plan("Book", "book.txt", "hash", titles, tuple(cues), tuple(utterances.values()))


def clip(utterance: Utterance, level: float = 0.1) -> Clip:
    return Clip(utterance.key, utterance.take, np.full(240, level, np.float32), 24000)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path, create=True)
    opened.begin(JOB)
    yield opened
    opened.close()


def test_a_repeated_line_is_rendered_once(ledger: Ledger) -> None:
    """Two sentences with one text share an utterance, and both are finished by its clip."""
    ledger.accept(make_plan(["same", "other", "same"]), tries=1)
    assert [u.text for u in ledger.pending()] == ["same", "other"]
    ledger.record(clip(ledger.pending()[0]), Verdict())
    assert (ledger.tally().done, ledger.tally().left) == (2, 1)


def test_accepting_the_same_plan_again_keeps_everything(ledger: Ledger) -> None:
    """A resumed run renders only what is left."""
    plan = make_plan(["one", "two"])
    ledger.accept(plan, tries=1)
    ledger.record(clip(ledger.pending()[0]), Verdict())
    ledger.accept(plan, tries=1)
    assert [u.text for u in ledger.pending()] == ["two"]
    assert list(ledger.cues(1)) == list(plan.cues)


def test_an_edited_book_renders_only_what_changed(ledger: Ledger) -> None:
    """An inserted line shifts nothing; a removed line is not pending any more."""
    ledger.accept(make_plan(["one", "two"]), tries=1)
    for utterance in ledger.pending():
        ledger.record(clip(utterance), Verdict())
    ledger.accept(make_plan(["one", "new", "two"]), tries=1)
    assert [u.text for u in ledger.pending()] == ["new"]
    ledger.accept(make_plan(["one", "two"]), tries=1)
    assert ledger.pending() == []


def test_a_rejected_take_comes_back_with_the_next_seed_until_tries_run_out(ledger: Ledger) -> None:
    """Retries are bounded; then the best take is kept and the sentence is flagged."""
    ledger.accept(make_plan(["one"]), tries=3)
    statuses = []
    for score in (-3.0, -1.0, -2.0):
        utterance = ledger.pending()[0]
        statuses.append(ledger.record(clip(utterance, -score / 10), Verdict(("short",), score)))
    assert statuses == [Status.PENDING, Status.PENDING, Status.FLAGGED]
    assert ledger.pending() == []
    assert ledger.chapter_clips(1)[make_plan(["one"]).cues[0].key].name.endswith(".2.flac")
    assert [problem.flags for problem in ledger.problems()] == ["flagged short"]


def test_an_utterance_without_any_clip_is_failed(ledger: Ledger) -> None:
    """It is listed as a problem, not silently missing."""
    ledger.accept(make_plan(["one"]), tries=1)
    utterance = ledger.pending()[0]
    assert ledger.record_failure(Failure(utterance.key, 1, Cause.CAP, "2048 frames")) is Status.FAILED
    assert ledger.tally().failed == 1
    assert ledger.problems()[0].flags == "cap 2048 frames"
    assert ledger.heard(1) == [(None, 0.35)]


def test_redo_makes_new_takes_and_the_new_one_is_heard(ledger: Ledger) -> None:
    """The old file stays; the next take has the next number."""
    ledger.accept(make_plan(["one"]), tries=1)
    first = ledger.pending()[0]
    ledger.record(clip(first), Verdict())
    assert ledger.redo([1], tries=1) == 1
    second = ledger.pending()[0]
    assert second.take == 2
    ledger.record(clip(second, 0.2), Verdict())
    assert ledger.chapter_clips(1)[first.key].name.endswith(".2.flac")
    assert ledger.tally().takes == 2


def test_a_redo_that_fails_keeps_the_old_take(ledger: Ledger) -> None:
    """A worse take never replaces a good one."""
    ledger.accept(make_plan(["one"]), tries=1)
    first = ledger.pending()[0]
    ledger.record(clip(first), Verdict())
    ledger.redo([1], tries=1)
    ledger.record(clip(ledger.pending()[0], 0.2), Verdict(("short",), 5.0))
    assert ledger.chapter_clips(1)[first.key].name == f"{first.key[:2]}/{first.key}.flac"


@pytest.mark.parametrize("harm", ["delete", "alter", "truncate"])
def test_a_harmed_clip_is_rendered_again(ledger: Ledger, harm: str) -> None:
    """A row whose file is missing or differs is not done."""
    ledger.accept(make_plan(["one", "two"]), tries=1)
    for utterance in ledger.pending():
        ledger.record(clip(utterance), Verdict())
    assert ledger.reopen_damaged(tries=1) == 0
    path = ledger.clips.path(next(iter(ledger.chapter_clips(1).values())).name)
    data = path.read_bytes()
    if harm == "delete":
        path.unlink()
    else:
        path.write_bytes(data[:-1] if harm == "truncate" else data[:-1] + bytes([data[-1] ^ 1]))
    assert len(ledger.damaged_clips()) == 1
    assert ledger.reopen_damaged(tries=1) == 1
    assert len(ledger.pending()) == 1


def test_a_clip_whose_time_stamp_alone_changed_is_kept(ledger: Ledger) -> None:
    """A restored backup is not rendered again."""
    ledger.accept(make_plan(["one"]), tries=1)
    ledger.record(clip(ledger.pending()[0]), Verdict())
    path = ledger.clips.path(next(iter(ledger.chapter_clips(1).values())).name)
    path.touch()
    assert ledger.reopen_damaged(tries=1) == 0


def test_half_written_clips_are_swept_and_others_kept(ledger: Ledger) -> None:
    """Only temporary names are touched."""
    ledger.accept(make_plan(["one"]), tries=1)
    ledger.record(clip(ledger.pending()[0]), Verdict())
    (ledger.clips.folder / "ab").mkdir(exist_ok=True)
    stray = ledger.clips.folder / "ab" / "abcd.flac.part"
    stray.write_bytes(b"half")
    ledger.clips.sweep()
    assert not stray.exists()
    assert ledger.damaged_clips() == []


def test_a_full_disk_leaves_no_half_clip(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is one line, the take is not recorded, and the next run makes it."""
    import os

    ledger.accept(make_plan(["one"]), tries=1)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JobBroken, match="No space left"):
        ledger.record(clip(ledger.pending()[0]), Verdict())
    assert list(ledger.clips.folder.rglob("*.*")) == []
    assert len(ledger.pending()) == 1


def test_no_job_is_a_usage_error(tmp_path: Path) -> None:
    """The line says how to begin one."""
    with pytest.raises(UsageError, match="batchtts render"):
        Ledger.open(tmp_path)


@pytest.mark.parametrize("content", [b"not a database at all, sorry" * 50, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_ledger_is_told_and_can_be_set_aside(tmp_path: Path, content: bytes) -> None:
    """Setting aside never overwrites an earlier one."""
    path = tmp_path / DATABASE
    for number in (1, 2):
        path.write_bytes(content)
        with pytest.raises(LedgerDamaged, match="damaged"):
            Ledger.open(tmp_path)
        assert set_aside(path).name == f"job.db.damaged-{number}"
    Ledger.open(tmp_path, create=True).close()


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """An old program never writes into a newer ledger."""
    import sqlite3

    Ledger.open(tmp_path, create=True).close()
    connection = sqlite3.connect(tmp_path / DATABASE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(JobBroken, match="newer batchtts"):
        Ledger.open(tmp_path)
