"""A job folder: begun once, pinned to its engine and voice, opened again by every later run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from batchtts import __version__
from batchtts.app.chapters import retire
from batchtts.app.chapters import sweep as sweep_chapters
from batchtts.app.events import Notice, Observer
from batchtts.check.verdict import judge
from batchtts.engines.base import EngineSpec
from batchtts.errors import JobBroken, UsageError
from batchtts.ledger.files import stored_file
from batchtts.ledger.ledger import Ledger, now
from batchtts.ledger.lock import exclusive
from batchtts.ledger.rows import Job
from batchtts.ledger.schema import DATABASE, LedgerDamaged, set_aside
from batchtts.model import Clip, Plan
from batchtts.settings import EngineSettings, Sampling


def pinned_engine(folder: Path, asked: EngineSettings) -> EngineSettings:
    """The engine settings for a folder: `auto` and an unnamed voice mean those that its job began with."""
    job = _peek(folder)
    if job is None:
        return asked
    known = engine_settings(job)
    if asked.engine not in ("auto", job.engine, known.engine):
        return asked
    return replace(
        asked,
        engine=known.engine if asked.engine == "auto" else asked.engine,
        voice=asked.voice or known.voice,
        model_dir=asked.model_dir or known.model_dir,
    )


def _peek(folder: Path) -> Job | None:
    if not (folder / DATABASE).is_file():
        return None
    try:
        ledger = Ledger.open(folder)
    except JobBroken:
        return None
    try:
        return ledger.job()
    finally:
        ledger.close()


def engine_settings(job: Job) -> EngineSettings:
    """The engine settings that a job was begun with."""
    stored = dict(job.settings["engine"])
    model_dir = stored.pop("model_dir")
    sampling = Sampling(**stored.pop("sampling"))
    return EngineSettings(**stored, model_dir=Path(model_dir) if model_dir else None, sampling=sampling)


def pinned_settings(spec: EngineSpec, engine: EngineSettings) -> dict[str, Any]:
    """What the ledger keeps of the settings, JSON-ready."""
    model_dir = str(engine.model_dir.resolve()) if engine.model_dir else None
    name = engine.engine if ":" in engine.engine else spec.name  # an engine of the user's own is found by its place
    return {"engine": {**asdict(engine), "engine": name, "voice": spec.voice, "model_dir": model_dir}}


@contextmanager
def opened(folder: Path, observer: Observer) -> Iterator[Ledger]:
    """The folder's ledger under its lock; a damaged one is set aside and a new one begun.

    Raises AlreadyRunning, JobBroken.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JobBroken(
            f"{folder}: cannot make the job folder ({error.strerror or error}); name one with -o DIR"
        ) from error
    with exclusive(folder):
        try:
            ledger = Ledger.open(folder, create=True)
        except LedgerDamaged:
            aside = set_aside(folder / DATABASE)
            observer(Notice(f"{folder / DATABASE} was damaged; it is now {aside.name}, and finished clips are kept"))
            ledger = Ledger.open(folder, create=True)
        try:
            ledger.clips.sweep()
            sweep_chapters(folder)
            yield ledger
        finally:
            ledger.close()


def begin(ledger: Ledger, plan: Plan, spec: EngineSpec, engine: EngineSettings, rate: int, tries: int) -> None:
    """Begin the job, or check that the folder's job is this one; then take over the plan.

    Raises UsageError when the folder belongs to another source, engine, model, sampling or voice.
    """
    job = ledger.job()
    if job is None:
        settings = pinned_settings(spec, engine)
        ledger.begin(
            Job(
                plan.source_name,
                plan.source_hash,
                plan.title,
                spec.name,
                spec.fingerprint,
                spec.voice,
                rate,
                settings,
                __version__,
                now(),
            )
        )
    else:
        check_pin(ledger.folder, job, plan, spec)
    retire(ledger, plan)
    ledger.accept(plan, tries)
    if job is None:
        adopt_clips(ledger, plan, spec)


def check_pin(folder: Path, job: Job, plan: Plan, spec: EngineSpec) -> None:
    """Raises UsageError, with the way out, when a run would mix something into the job that it was not begun with."""
    if job.source_name != plan.source_name:
        raise UsageError(
            f"{folder} holds the job of {job.source_name}, not of {plan.source_name}; give another folder with -o"
        )
    if (job.engine, job.voice) != (spec.name, spec.voice):
        raise UsageError(
            f"{folder} was begun with {job.engine}, voice {job.voice}; you ask for {spec.name}, voice {spec.voice}. "
            f"Go on with --engine {job.engine} --voice {job.voice}, or give another folder with -o"
        )
    if job.fingerprint != spec.fingerprint:
        raise UsageError(
            f"{folder} was begun with another model, sampling or version of {job.engine} ({job.fingerprint}, "
            f"now {spec.fingerprint}). Go on with those it was begun with, or give another folder with -o"
        )


def adopt_clips(ledger: Ledger, plan: Plan, spec: EngineSpec) -> None:
    """Enter clip files that are already there for utterances of the plan: those of a ledger that was lost."""
    import numpy as np

    wanted = {utterance.key: utterance for utterance in plan.utterances}
    for key, take, path in ledger.clips.stored():
        if key not in wanted:
            continue
        name = str(path.relative_to(ledger.clips.folder))
        try:
            samples, rate = ledger.clips.read(name)
        except JobBroken:
            path.unlink(missing_ok=True)
            continue
        clip = Clip(key, take, (samples / 32767).astype(np.float32), rate)
        verdict = judge(clip, wanted[key].tokens, spec.audio_per_token)
        ledger.adopt(key, take, stored_file(ledger.clips.folder, name), len(samples), verdict)
