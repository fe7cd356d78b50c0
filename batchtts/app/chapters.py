"""Finished chapters become files, once: a chapter whose clips have not changed is not stitched again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.app.events import ChapterDone
from batchtts.assemble.names import chapter_file_names
from batchtts.assemble.stitch import stitch
from batchtts.assemble.wavfile import TEMPORARY
from batchtts.ledger.files import stored_file
from batchtts.ledger.ledger import Ledger
from batchtts.ledger.rows import ChapterRow
from batchtts.model import Plan
from batchtts.settings import AssembleSettings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FOLDER = "chapters"
STITCH_VERSION = 1
"""Raised when the same clips and settings give other bytes."""


def stitch_complete(
    ledger: Ledger, rate: int, settings: AssembleSettings, only: Collection[int] | None = None
) -> Iterator[ChapterDone]:
    """Stitch each chapter (of `only`, if given) that is complete and whose file is not up to date.

    Raises JobBroken when the disk refuses.
    """
    rows = ledger.chapters()
    names = chapter_file_names([row.title for row in rows])
    folder = ledger.folder / FOLDER
    for row, name in zip(rows, names, strict=True):
        if not row.complete or (only is not None and row.index not in only):
            continue
        signature = signature_of(ledger, row.index, settings)
        if row.signature == signature and row.file and row.file.name == name and row.file.intact(folder):
            continue
        yield _stitch(ledger, row, name, signature, rate, settings)


def signature_of(ledger: Ledger, chapter: int, settings: AssembleSettings) -> str:
    """A hash of everything that a chapter file's bytes depend on."""
    content = json.dumps([STITCH_VERSION, asdict(settings), ledger.heard(chapter)])
    return hashlib.sha256(content.encode()).hexdigest()


def _stitch(
    ledger: Ledger, row: ChapterRow, name: str, signature: str, rate: int, settings: AssembleSettings
) -> ChapterDone:
    clips = ledger.chapter_clips(row.index)

    def open_clip(key: str) -> npt.NDArray[np.int16] | None:
        return ledger.clips.read(clips[key].name)[0] if key in clips else None

    folder = ledger.folder / FOLDER
    folder.mkdir(exist_ok=True)
    sound = stitch(list(ledger.cues(row.index)), open_clip, folder / name, rate, settings)
    ledger.chapter_stitched(row.index, stored_file(folder, name), signature, sound.samples)
    return ChapterDone(row.index, row.title, f"{FOLDER}/{name}", sound.samples / rate)


def retire(ledger: Ledger, plan: Plan) -> None:
    """Delete the files of chapters that an edited book no longer has, or calls otherwise.

    Before the ledger forgets them: killed in between, the next run meets them again, or stitches them again.
    """
    kept = set(chapter_file_names([chapter.title for chapter in plan.chapters]))
    for row in ledger.chapters():
        if row.file and row.file.name not in kept:
            (ledger.folder / FOLDER / row.file.name).unlink(missing_ok=True)


def sweep(job: Path) -> None:
    """Delete half-written chapters of a killed run. Only under the job's lock."""
    for path in (job / FOLDER).glob(f"*{TEMPORARY}"):
        path.unlink(missing_ok=True)
