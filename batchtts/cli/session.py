"""Runs jobs one after another for `render`, `run` and `redo`, and says how each ended."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

from batchtts.app.rendering import Report, render
from batchtts.cli.progress import Progress, clock
from batchtts.cli.stop import stop_on_signals
from batchtts.errors import BatchttsError, ExitCode, UsageError
from batchtts.settings import Settings

SEVERITY = (
    ExitCode.COMPLETE,
    ExitCode.FLAGGED,
    ExitCode.ALREADY_RUNNING,
    ExitCode.STOPPED,
    ExitCode.INPUT_REJECTED,
    ExitCode.USAGE,
    ExitCode.ENGINE_UNAVAILABLE,
    ExitCode.OTHER,
)
"""From good to bad: the exit code of several books is that of the worst."""


def worst(codes: Iterable[ExitCode]) -> ExitCode:
    return max(codes, key=SEVERITY.index, default=ExitCode.COMPLETE)


def job_folder(source: str, output: Path | None, several: bool) -> Path:
    """Where a source's job lives. Raises UsageError for standard input without a folder."""
    if source == "-":
        if output is None:
            raise UsageError("standard input has no name: give the job folder with -o DIR")
        return output
    stem = Path(source).stem or "book"
    if output is None:
        return Path(stem)
    return output / stem if several else output


def folders_for(sources: Sequence[str], output: Path | None, own_folders: bool) -> list[tuple[str, Path]]:
    """Each source with its job folder: `output` itself for a single one, unless `own_folders`.

    Raises UsageError when two sources would share one.
    """
    several = own_folders or len(sources) > 1
    pairs = [(source, job_folder(source, output, several)) for source in sources]
    seen: dict[Path, str] = {}
    for source, folder in pairs:
        other = seen.setdefault(folder, source)
        if other is not source:
            raise UsageError(f"{other} and {source} would share the folder {folder}; render them one by one with -o")
    return pairs


def render_all(
    sources: Sequence[str], output: Path | None, settings: Settings, quiet: bool, own_folders: bool = False
) -> list[ExitCode]:
    """Render each source; one that fails does not keep the others from being rendered.

    With one source its error is raised. A stop that was asked for ends the series.
    """
    pairs = folders_for(sources, output, own_folders)
    codes: list[ExitCode] = []
    with stop_on_signals() as stop:
        for source, folder in pairs:
            try:
                code = _render_one(source, folder, settings, quiet, stop)
            except BatchttsError as error:
                if len(pairs) == 1:
                    raise
                click.echo(f"batchtts: {' '.join(str(error).split())}", err=True)
                code = error.exit_code
            codes.append(code)
            if stop():
                break
    if len(codes) < len(pairs):
        codes.append(ExitCode.STOPPED)
    return codes


def _render_one(source: str, folder: Path, settings: Settings, quiet: bool, stop: Callable[[], bool]) -> ExitCode:
    path: Path | str = source if source == "-" else Path(source)
    return with_progress(lambda progress: render(path, folder, settings, progress, stop, sys.stdin.buffer), quiet)


def with_progress(work: Callable[[Progress], Report], quiet: bool) -> ExitCode:
    """Do some work under a progress display and print how it ended."""
    progress = Progress(quiet)
    try:
        report = work(progress)
    finally:
        progress.close()
    _say_end(report, quiet)
    return report.exit_code


def _say_end(report: Report, quiet: bool) -> None:
    tally = report.tally
    if report.exit_code is ExitCode.STOPPED:
        click.echo(
            f"batchtts: stopped with {tally.left} of {tally.sentences} sentences left; "
            "the same command goes on from here",
            err=True,
        )
        return
    if report.problems:
        click.echo(
            f"batchtts: {tally.failed} sentences failed and {tally.flagged} are flagged; "
            f"see `batchtts status {report.folder}`, new takes with `batchtts redo {report.folder} --flagged`",
            err=True,
        )
    if not quiet:
        seconds = tally.samples / 24000
        click.echo(f"{report.folder / 'chapters'}: {tally.sentences} sentences, {clock(seconds)} of speech", err=True)
