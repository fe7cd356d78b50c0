"""`batchtts redo`."""

from __future__ import annotations

from pathlib import Path

import click

from batchtts.app.rendering import redo
from batchtts.app.selection import select
from batchtts.cli.options import batch_options, build_settings, debug_option, retries_option
from batchtts.cli.session import with_progress
from batchtts.cli.stop import stop_on_signals
from batchtts.errors import UsageError


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--sentence", "sentences", multiple=True, type=int, metavar="N", help="Sentence by number; repeatable.")
@click.option("--chapter", "chapters", multiple=True, type=int, metavar="N", help="All of a chapter; repeatable.")
@click.option("--flagged", is_flag=True, help="Every sentence that failed or is flagged.")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@batch_options
@retries_option
@debug_option
def command(
    folder: Path,
    sentences: tuple[int, ...],
    chapters: tuple[int, ...],
    flagged: bool,
    quiet: bool,
    max_tokens: int | None,
    rows: int | None,
    retries: int,
) -> int:
    """Make new takes of some sentences, with the engine and voice that the job began with.

    \b
    Examples:
      batchtts redo book/ --sentence 17 --sentence 18
      batchtts redo book/ --chapter 3
      batchtts redo book/ --flagged
    """
    if not (sentences or chapters or flagged):
        raise UsageError("say what to redo: --sentence N, --chapter N or --flagged")
    chosen = select(folder, sentences, chapters, flagged)
    settings = build_settings(max_tokens=max_tokens, rows=rows, retries=retries)
    with stop_on_signals() as stop:
        return with_progress(lambda progress: redo(folder, chosen, settings, progress, stop), quiet)
