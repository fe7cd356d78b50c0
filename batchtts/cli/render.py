"""`batchtts render`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from batchtts.cli.options import (
    batch_options,
    build_settings,
    debug_option,
    engine_options,
    read_options,
    retries_option,
)
from batchtts.cli.session import render_all, worst


@click.command()
@click.argument("sources", metavar="SOURCE…", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Job folder; with several sources, the folder that holds theirs.  [default: ./<source stem>/]",
)
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@read_options
@engine_options
@batch_options
@retries_option
@debug_option
def command(sources: tuple[str, ...], output: Path | None, quiet: bool, **options: Any) -> int:
    """Render documents to chapter files, or go on where the last run stopped.

    SOURCE is a text or Markdown file, or - for standard input. The same command resumes: whatever was finished before
    a crash, a kill or a power cut is kept.

    \b
    Examples:
      batchtts render book.txt
      batchtts render book.md -o audiobooks/book --voice jf_alpha
      batchtts render *.txt -o audiobooks
      curl -s https://example.org/article.txt | batchtts render - -o article

    \b
    Exit codes: 0 complete; 3 input rejected; 4 engine or model not available; 5 finished, but sentences failed or are
    flagged; 6 stopped early, run it again; 75 already running.
    """
    settings = build_settings(**options)
    return worst(render_all(sources, output, settings, quiet))
