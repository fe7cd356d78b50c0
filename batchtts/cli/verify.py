"""`batchtts verify`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from batchtts.app.inspect import verify
from batchtts.cli.options import debug_option, json_option
from batchtts.errors import ExitCode


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@json_option
@debug_option
def command(folder: Path, as_json: bool) -> int:
    """Read every clip and chapter file and compare it with the ledger. Changes nothing.

    \b
    Examples:
      batchtts verify book/
      batchtts verify book/ --json

    \b
    Exit codes: 0 all files are as they were made; 5 some are missing or altered (`batchtts render` mends them).
    """
    result = verify(folder)
    if as_json:
        document = {
            "folder": str(result.folder),
            "clips": result.clips,
            "damaged_clips": list(result.damaged_clips),
            "damaged_chapters": list(result.damaged_chapters),
            "unfinished": result.unfinished,
        }
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        for name in (*result.damaged_clips, *result.damaged_chapters):
            click.echo(f"missing or altered: {name}")
        state = "all intact" if result.intact else "run the same `batchtts render` again to mend them"
        left = f"; {result.unfinished} sentences not rendered yet" if result.unfinished else ""
        click.echo(f"{result.folder}: {result.clips} clips checked, {state}{left}")
    return ExitCode.COMPLETE if result.intact else ExitCode.FLAGGED
