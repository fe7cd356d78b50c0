"""The night's work: a source becomes a folder of chapters, from wherever the last run stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from batchtts.app import job as jobs
from batchtts.app.chapters import stitch_complete
from batchtts.app.events import BackedOff, Began, ChapterDone, Notice, Observer, TakeDone, TakeFailed
from batchtts.app.planning import SAMPLE_RATE, batch_limits, make_plan
from batchtts.check.verdict import judge
from batchtts.engines import find
from batchtts.engines.base import Engine, EngineSpec
from batchtts.errors import ExitCode, UsageError
from batchtts.ledger.ledger import Ledger
from batchtts.ledger.rows import Job, Problem, Status, Tally
from batchtts.model import Clip, Failure, Utterance
from batchtts.render.loop import Backoff, run
from batchtts.schedule.queue import WorkQueue
from batchtts.settings import Settings

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Report:
    """How a run ended."""

    folder: Path
    tally: Tally
    chapters: tuple[ChapterDone, ...]
    """Chapters stitched by this run."""
    problems: tuple[Problem, ...]
    exit_code: ExitCode


def render(
    source: Path | str,
    folder: Path,
    settings: Settings,
    observer: Observer,
    stop: Stop = lambda: False,
    stdin: BinaryIO | None = None,
) -> Report:
    """Render a source into a folder, or go on with what the folder holds.

    Raises the errors of each stage (exit codes 1-4, 75); whatever was finished before stays finished.
    """
    engine_settings = jobs.pinned_engine(folder, settings.engine)
    spec, notice = find(engine_settings)
    if notice:
        observer(Notice(notice))
    plan = make_plan(source, spec, settings, stdin)
    for warning in plan.warnings:
        observer(Notice(warning))
    tries = settings.render.retries + 1
    with jobs.opened(folder, observer) as ledger:
        jobs.begin(ledger, plan, spec, engine_settings, SAMPLE_RATE, tries)
        lost = ledger.reopen_damaged(tries)
        if lost:
            observer(Notice(f"{lost} clips were missing or altered and are rendered again"))
        return _work(ledger, spec, settings, observer, stop)


def redo(folder: Path, sentences: Iterable[int], settings: Settings, observer: Observer, stop: Stop) -> Report:
    """New takes for some sentences of a job, with the engine and voice that it was begun with."""
    job = _job_of(folder)
    spec, _ = find(jobs.engine_settings(job))
    if spec.fingerprint != job.fingerprint:
        raise UsageError(
            f"{folder} was begun with another model or version of {job.engine}; restore it, or render anew"
        )
    with jobs.opened(folder, observer) as ledger:
        count = ledger.redo(sentences, settings.render.retries + 1)
        observer(Notice(f"{count} utterances get new takes"))
        return _work(ledger, spec, settings, observer, stop)


def _job_of(folder: Path) -> Job:
    ledger = Ledger.open(folder)
    try:
        job = ledger.job()
    finally:
        ledger.close()
    if job is None:
        raise UsageError(f"{folder}: the job has not begun; run `batchtts render` first")
    return job


def _work(ledger: Ledger, spec: EngineSpec, settings: Settings, observer: Observer, stop: Stop) -> Report:
    ledger.note("run")
    tally = ledger.tally()
    observer(
        Began(
            str(ledger.folder),
            spec.name,
            spec.voice,
            tally.sentences,
            tally.sentences - tally.left,
            tally.samples / SAMPLE_RATE,
        )
    )
    chapters: list[ChapterDone] = []

    def stitch(only: Collection[int] | None = None) -> None:
        for chapter in stitch_complete(ledger, SAMPLE_RATE, settings.assemble, only):
            chapters.append(chapter)
            observer(chapter)

    stitch()
    if ledger.pending() and not stop():
        _Session(ledger, spec, settings, observer, stop, stitch).run()
    stitch()
    return _report(ledger, tuple(chapters))


def _report(ledger: Ledger, chapters: tuple[ChapterDone, ...]) -> Report:
    tally = ledger.tally()
    problems = tuple(ledger.problems())
    code = ExitCode.STOPPED if tally.left else ExitCode.FLAGGED if problems else ExitCode.COMPLETE
    ledger.note("end", code.name)
    return Report(ledger.folder, tally, chapters, problems, code)


class _Session:
    """One loaded engine over the pending utterances, pass after pass, until nothing is pending or a stop is asked."""

    def __init__(
        self,
        ledger: Ledger,
        spec: EngineSpec,
        settings: Settings,
        observer: Observer,
        stop: Stop,
        stitch: Callable[[Collection[int]], None],
    ) -> None:
        self.ledger = ledger
        self.spec = spec
        self.observer = observer
        self.stop = stop
        self.stitch = stitch
        self.budget, self.rows = batch_limits(spec, settings)
        self.chapters_of: dict[str, list[int]] = {}
        self.open_sentences: Counter[int] = Counter()

    def run(self) -> None:
        self._count_open()
        engine = self.spec.load()
        try:
            while (pending := self.ledger.pending()) and not self.stop():
                self._pass(engine, pending)
        finally:
            engine.close()

    def _count_open(self) -> None:
        """Which chapters wait for which utterances, so that a chapter is stitched the moment its last one is in."""
        for key, chapter in self.ledger.waiting():
            self.chapters_of.setdefault(key, []).append(chapter)
            self.open_sentences[chapter] += 1

    def _pass(self, engine: Engine, pending: list[Utterance]) -> None:
        """One meeting with every pending utterance. A rejected take stays pending and is met by the next pass."""
        by_key = {utterance.key: utterance for utterance in pending}
        queue = WorkQueue(pending, self.budget, self.rows, self.stop)
        for outcome in run(engine, queue):
            if isinstance(outcome, Backoff):
                self._backed_off(outcome)
                continue
            utterance = by_key[outcome.key]
            status = self._clip(outcome, utterance) if isinstance(outcome, Clip) else self._failure(outcome, utterance)
            if status is not Status.PENDING:
                self._close(outcome.key)
        self.budget = queue.budget

    def _clip(self, clip: Clip, utterance: Utterance) -> Status:
        verdict = judge(clip, utterance.tokens, self.spec.audio_per_token)
        status = self.ledger.record(clip, verdict)
        sentences = 0 if status is Status.PENDING else len(self.chapters_of.get(clip.key, ()))
        seconds = len(clip.samples) / clip.rate
        self.observer(TakeDone(sentences, seconds, status, verdict.flags, utterance.text))
        return status

    def _failure(self, failure: Failure, utterance: Utterance) -> Status:
        status = self.ledger.record_failure(failure)
        sentences = 0 if status is Status.PENDING else len(self.chapters_of.get(failure.key, ()))
        self.observer(TakeFailed(sentences, status, failure.cause, failure.detail, utterance.text))
        return status

    def _backed_off(self, backoff: Backoff) -> None:
        self.ledger.note("memory" if backoff.memory else "fault", f"{backoff.rows} rows: {backoff.detail}")
        self.observer(BackedOff(backoff.rows, backoff.budget, backoff.memory, backoff.detail))

    def _close(self, key: str) -> None:
        """Count a finished utterance off; stitch when it was the last of a chapter."""
        chapters = self.chapters_of.pop(key, [])
        self.open_sentences.subtract(chapters)
        if finished := {chapter for chapter in chapters if not self.open_sentences[chapter]}:
            self.stitch(finished)
