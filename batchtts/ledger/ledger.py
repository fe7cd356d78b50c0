"""The ledger of a job folder: what is planned, what has been rendered, what is left.

Every change is one transaction. Utterances are the unit of work; a sentence is finished when its utterance is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchtts.errors import JobBroken, UsageError
from batchtts.ledger.clips import ClipStore
from batchtts.ledger.files import StoredFile
from batchtts.ledger.rows import (
    ChapterRow,
    Job,
    Problem,
    Status,
    Tally,
    chapter_from,
    cue_from,
    file_columns,
    file_from,
    job_from,
    job_row,
    sentence_row,
)
from batchtts.ledger.schema import DATABASE, LedgerDamaged, connect
from batchtts.model import Clip, Cue, Failure, Plan, Utterance, Verdict

if TYPE_CHECKING:
    from sqlite_utils import Database

FINISHED = (Status.DONE.value, Status.FLAGGED.value, Status.FAILED.value)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Ledger:
    """`job.db` and `clips/` of one folder. Writing methods need the job's lock (`ledger.lock.exclusive`)."""

    def __init__(self, folder: Path, db: Database) -> None:
        self.folder = folder
        self.clips = ClipStore(folder / "clips")
        self._db = db

    @classmethod
    def open(cls, folder: Path, create: bool = False) -> Ledger:
        """Raises UsageError when the folder holds no job and `create` is false; JobBroken as `schema.connect`."""
        try:
            return cls(folder, connect(folder / DATABASE, create))
        except FileNotFoundError as error:
            raise UsageError(
                f"{folder}: no batchtts job here (no {DATABASE}); begin one with `batchtts render`"
            ) from error

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """One transaction. Raises JobBroken, with nothing changed, when the disk or another process refuses it."""
        import sqlite3

        try:
            with self._db.atomic():
                yield
        except sqlite3.OperationalError as error:
            raise JobBroken(
                f"{self.folder / DATABASE}: cannot write the ledger ({error}); make room or free the folder, "
                "then run the same command again"
            ) from error
        except sqlite3.DatabaseError as error:
            raise LedgerDamaged(f"{self.folder / DATABASE}: the ledger is damaged ({error})") from error

    # ------------------------------------------------ the job and its plan

    def job(self) -> Job | None:
        row = next(iter(self._db.query("select * from job")), None)
        return job_from(row) if row else None

    def begin(self, job: Job) -> None:
        with self._change():
            self._db.table("job").upsert(job_row(job), pk="id")

    def accept(self, plan: Plan, tries: int) -> None:
        """Take over a plan: new utterances become pending, known ones keep their state, so an edited book re-renders
        only what changed. Utterances that the plan no longer uses stay, out of position."""
        titles = [(chapter.index, chapter.title) for chapter in plan.chapters]
        with self._change():
            self._db.execute("update job set source_hash = ?, title = ?", [plan.source_hash, plan.title])
            self._accept_chapters(titles)
            self._db.execute("delete from sentences")
            self._db.table("sentences").insert_all(sentence_row(cue) for cue in plan.cues)
            self._db.execute("update utterances set position = null")
            self._db.table("utterances").insert_all(
                (_new_utterance(utterance, tries) for utterance in plan.utterances), ignore=True
            )
            self._db.conn.executemany(
                "update utterances set position = ?, text = ?, voice = ?, tokens = ? where key = ?",
                [(at, u.text, u.voice, u.tokens, u.key) for at, u in enumerate(plan.utterances)],
            )

    def _accept_chapters(self, titles: list[tuple[int, str]]) -> None:
        known = {row["idx"]: row["title"] for row in self._db.query("select idx, title from chapters")}
        for index, title in titles:
            if known.pop(index, None) != title:
                self._db.table("chapters").upsert({"idx": index, "title": title}, pk="idx")
        for index in known:
            self._db.table("chapters").delete(index)

    # ------------------------------------------------ work

    def pending(self) -> list[Utterance]:
        """What is left to render, in the order of the book, each as its next take."""
        rows = self._db.query(
            "select * from utterances where status = 'pending' and position is not null order by position"
        )
        return [Utterance(r["key"], r["text"], r["voice"], r["tokens"], r["takes"] + 1) for r in rows]

    def record(self, clip: Clip, verdict: Verdict) -> Status:
        """Store a take: its file first, then its row and the utterance's new status in one transaction."""
        stored = self.clips.write(clip)
        take = {
            "outcome": "ok" if verdict.passed else "flagged",
            "flags": " ".join(verdict.flags),
            "score": verdict.score,
            **file_columns(stored),
            "samples": len(clip.samples),
            "frames": clip.frames,
        }
        return self._finish(clip.key, clip.take, take, passed=verdict.passed)

    def record_failure(self, failure: Failure) -> Status:
        """Store a take that gave no clip."""
        take = {"outcome": failure.cause.value, "flags": failure.detail}
        return self._finish(failure.key, failure.take, take, passed=False)

    def _finish(self, key: str, number: int, take: dict[str, Any], passed: bool) -> Status:
        with self._change():
            self._db.table("takes").insert({"key": key, "take": number, "at": now(), **take}, pk=("key", "take"))
            tries_left = self._one("select tries_left from utterances where key = ?", key) - 1
            best = number if passed else self._best_take(key)
            if passed:
                status = Status.DONE
            elif tries_left > 0:
                status = Status.PENDING
            else:
                status = Status.FAILED if best is None else Status.FLAGGED
            self._db.execute(
                "update utterances set takes = max(takes, ?), tries_left = ?, status = ?, best_take = ? where key = ?",
                [number, tries_left, status.value, best, key],
            )
        return status

    def _best_take(self, key: str) -> int | None:
        row = next(
            self._db.query(
                "select take from takes where key = ? and file is not null "
                "order by outcome = 'ok' desc, score desc, take limit 1",
                [key],
            ),
            None,
        )
        return row["take"] if row else None

    def reopen_damaged(self, tries: int, thorough: bool = False) -> int:
        """Utterances whose clip file is missing or altered become pending; returns how many."""
        broken = [
            key for key, file in self._best_files() if file is None or not file.intact(self.clips.folder, thorough)
        ]
        self._reopen(broken, tries)
        return len(broken)

    def redo(self, sentences: Iterable[int], tries: int) -> int:
        """The utterances of these sentences become pending, with new tries; returns how many."""
        wanted = set(sentences)
        rows = self._db.query("select distinct key, id from sentences")
        keys = sorted({row["key"] for row in rows if row["id"] in wanted})
        self._reopen(keys, tries)
        return len(keys)

    def _reopen(self, keys: list[str], tries: int) -> None:
        with self._change():
            self._db.conn.executemany(
                "update utterances set status = 'pending', tries_left = ? where key = ?", [(tries, key) for key in keys]
            )

    def adopt(self, key: str, take: int, stored: StoredFile, samples: int, verdict: Verdict) -> None:
        """Enter a clip file that a lost ledger had made (see `app.job`)."""
        columns = {
            "outcome": "ok" if verdict.passed else "flagged",
            "flags": " ".join(verdict.flags),
            "score": verdict.score,
            **file_columns(stored),
            "samples": samples,
            "frames": 0,
        }
        self._finish(key, take, columns, passed=verdict.passed)

    # ------------------------------------------------ what there is

    def chapters(self) -> list[ChapterRow]:
        rows = self._db.query(
            "select c.*, count(s.id) as sentences, "
            f"coalesce(sum(u.status in {FINISHED!r}), 0) as finished "
            "from chapters c left join sentences s on s.chapter = c.idx left join utterances u on u.key = s.key "
            "group by c.idx order by c.idx"
        )
        return [chapter_from(row) for row in rows]

    def cues(self, chapter: int) -> Iterator[Cue]:
        """The chapter's cues in reading order."""
        for row in self._db.query("select * from sentences where chapter = ? order by id", [chapter]):
            yield cue_from(row)

    def chapter_clips(self, chapter: int) -> dict[str, StoredFile]:
        """The clip to be heard for each key of the chapter; failed utterances are absent."""
        rows = self._db.query(
            "select distinct t.* from sentences s join utterances u on u.key = s.key "
            "join takes t on t.key = u.key and t.take = u.best_take where s.chapter = ? and t.file is not null",
            [chapter],
        )
        return {row["key"]: file_from(row) for row in rows}

    def heard(self, chapter: int) -> list[tuple[str | None, float]]:
        """What the chapter is made of, in reading order: the hash of each clip (None: no clip) and its pause."""
        rows = self._db.query(
            "select t.sha256, s.pause from sentences s join utterances u on u.key = s.key "
            "left join takes t on t.key = u.key and t.take = u.best_take where s.chapter = ? order by s.id",
            [chapter],
        )
        return [(row["sha256"], row["pause"]) for row in rows]

    def waiting(self) -> list[tuple[str, int]]:
        """Key and chapter of each sentence that is not finished."""
        rows = self._db.query(
            "select s.key, s.chapter from sentences s join utterances u on u.key = s.key where u.status = 'pending'"
        )
        return [(row["key"], row["chapter"]) for row in rows]

    def chapter_stitched(self, index: int, stored: StoredFile, signature: str, samples: int) -> None:
        with self._change():
            self._db.table("chapters").update(
                index, {**file_columns(stored), "signature": signature, "samples": samples}
            )

    def tally(self) -> Tally:
        counts = {
            row["status"]: row["n"]
            for row in self._db.query(
                "select u.status, count(*) as n from sentences s join utterances u on u.key = s.key group by u.status"
            )
        }
        samples = self._one(
            "select coalesce(sum(t.samples), 0) from sentences s join utterances u on u.key = s.key "
            "join takes t on t.key = u.key and t.take = u.best_take where u.status != 'pending'"
        )
        return Tally(
            sentences=sum(counts.values()),
            done=counts.get(Status.DONE.value, 0),
            flagged=counts.get(Status.FLAGGED.value, 0),
            failed=counts.get(Status.FAILED.value, 0),
            takes=self._one("select count(*) from takes"),
            samples=samples,
        )

    def problems(self) -> list[Problem]:
        """Flagged and failed sentences, in reading order."""
        rows = self._db.query(
            "select s.id, s.chapter, s.text, u.status, "
            "trim(t.outcome || ' ' || t.flags) as flags from sentences s join utterances u on u.key = s.key "
            "join takes t on t.key = u.key and t.take = coalesce(u.best_take, u.takes) "
            "where u.status in ('flagged', 'failed') order by s.id"
        )
        return [Problem(r["id"], r["chapter"], r["text"], Status(r["status"]), r["flags"]) for r in rows]

    def sentences_of(self, chapter: int) -> list[int]:
        return [row["id"] for row in self._db.query("select id from sentences where chapter = ?", [chapter])]

    def damaged_clips(self) -> list[str]:
        """Names of clip files (or keys, where no file is known) that are missing or altered, each file read whole."""
        return [
            file.name if file else key
            for key, file in self._best_files()
            if file is None or not file.intact(self.clips.folder, thorough=True)
        ]

    def clip_count(self) -> int:
        """Clip files that are heard in the book."""
        return len(self._best_files())

    def _best_files(self) -> list[tuple[str, StoredFile | None]]:
        """The clip of each utterance that has been rendered; None if its take is not there or names no file."""
        rows = self._db.query(
            "select t.*, u.key as wanted from utterances u left join takes t on t.key = u.key and t.take = u.best_take "
            "where u.position is not null and u.status in ('done', 'flagged') order by u.position"
        )
        return [(row["wanted"], file_from(row) if row["file"] else None) for row in rows]

    # ------------------------------------------------ history

    def note(self, kind: str, detail: str = "") -> None:
        """Append to the job's history."""
        with self._change():
            self._db.table("events").insert({"at": now(), "kind": kind, "detail": detail})

    def last_run(self) -> tuple[str, int, str] | None:
        """Start of the latest run, samples that it has rendered, and when it last finished a take."""
        begun = self._one("select max(at) from events where kind = 'run'")
        if begun is None:
            return None
        row = next(
            self._db.query("select sum(samples) as samples, max(at) as at from takes where at >= ?", [begun]), None
        )
        return (begun, row["samples"], row["at"]) if row and row["samples"] else None

    def _one(self, sql: str, *parameters: object) -> Any:
        return self._db.execute(sql, list(parameters)).fetchone()[0]


def _new_utterance(utterance: Utterance, tries: int) -> dict[str, Any]:
    return {
        "key": utterance.key,
        "text": utterance.text,
        "voice": utterance.voice,
        "tokens": utterance.tokens,
        "status": Status.PENDING.value,
        "takes": 0,
        "tries_left": tries,
    }
