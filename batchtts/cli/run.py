"""`batchtts run`."""

from __future__ import annotations

from pathlib import Path

import click

from batchtts.app.jobfile import load
from batchtts.cli.options import debug_option
from batchtts.cli.session import render_all, worst


@click.command()
@click.argument("job", metavar="JOB.toml", type=click.Path(path_type=Path))
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@debug_option
def command(job: Path, quiet: bool) -> int:
    """Run a job file: each of its sources is rendered, or gone on with, in its own folder under `output`.

    The exit code is that of the book that ended worst.

    \b
    Examples:
      batchtts run jobs/nightly.toml
      0 23 * * *  batchtts run --quiet $HOME/audiobooks/nightly.toml     (crontab)
    """
    loaded = load(job)
    sources = [str(source) for source in loaded.sources]
    return worst(render_all(sources, loaded.output, loaded.settings, quiet, own_folders=True))
