"""`batchtts status`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from batchtts.app.inspect import JobStatus, find_jobs, status
from batchtts.cli.options import debug_option, json_option
from batchtts.cli.progress import clock, shortened


@click.command()
@click.argument("folders", metavar="[DIR]…", nargs=-1, type=click.Path(path_type=Path))
@json_option
@debug_option
def command(folders: tuple[Path, ...], as_json: bool) -> None:
    """Show what is done, left and flagged. DIR is a job folder, or a folder of job folders.  [default: .]

    \b
    Examples:
      batchtts status book/
      batchtts status audiobooks/ --json
    """
    found = [job for folder in folders or (Path(),) for job in find_jobs(folder)]
    results = [status(folder) for folder in found]
    if as_json:
        click.echo(json.dumps([as_document(result) for result in results], ensure_ascii=False, indent=1))
        return
    for result in results:
        _show(result)


def as_document(result: JobStatus) -> dict[str, Any]:
    """The JSON form of a job's status."""
    tally = result.tally
    return {
        "folder": str(result.folder),
        "title": result.job.title,
        "source": result.job.source_name,
        "engine": result.job.engine,
        "voice": result.job.voice,
        "sentences": tally.sentences,
        "done": tally.done,
        "left": tally.left,
        "flagged": tally.flagged,
        "failed": tally.failed,
        "takes": tally.takes,
        "audio_s": round(result.audio_s, 2),
        "speed": result.speed and round(result.speed, 3),
        "eta_s": None if result.eta_s is None else round(result.eta_s),
        "chapters": [
            {
                "index": chapter.index,
                "title": chapter.title,
                "sentences": chapter.sentences,
                "finished": chapter.finished,
                "file": chapter.file.name if chapter.file else None,
            }
            for chapter in result.chapters
        ],
        "problems": [
            {
                "sentence": problem.sentence,
                "chapter": problem.chapter,
                "status": problem.status.value,
                "flags": problem.flags,
                "text": problem.text,
            }
            for problem in result.problems
        ],
    }


def _show(result: JobStatus) -> None:
    tally = result.tally
    finished = tally.sentences - tally.left
    share = finished / tally.sentences if tally.sentences else 1.0
    state = "complete" if not tally.left else f"{tally.left} left"
    click.echo(f"{result.folder}   {shortened(result.job.title)}   ({result.job.engine}, voice {result.job.voice})")
    click.echo(f"  {_bar(share)} {share:4.0%}   {finished}/{tally.sentences} sentences, {state}")
    pace = f", {result.speed:.2f}x real time" if result.speed else ""
    eta = f", ETA {clock(result.eta_s)}" if result.eta_s and tally.left else ""
    click.echo(f"  {clock(result.audio_s)} of speech, {tally.takes} takes{pace}{eta}")
    for chapter in result.chapters:
        mark = "done" if chapter.file and chapter.complete else f"{chapter.finished}/{chapter.sentences}"
        click.echo(f"  {chapter.index:3d}  {shortened(chapter.title)}   {mark}")
    for problem in result.problems:
        click.echo(f"  ! sentence {problem.sentence} {problem.status} ({problem.flags}): {shortened(problem.text)}")
    if result.problems:
        click.echo(f"  new takes: batchtts redo {result.folder} --flagged")


def _bar(share: float, width: int = 30) -> str:
    full = int(share * width)
    return "█" * full + "·" * (width - full)
