"""`batchtts doctor`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from batchtts.app.doctor import examine
from batchtts.cli.options import debug_option, json_option
from batchtts.errors import ExitCode


@click.command()
@click.option("--model-dir", type=click.Path(path_type=Path), help="Folder of the ChatTTS model.")
@json_option
@debug_option
def command(model_dir: Path | None, as_json: bool) -> int:
    """Report devices, memory, versions, model, voices and disk.

    \b
    Examples:
      batchtts doctor
      batchtts doctor --json

    \b
    Exit codes: 0 all well; 4 something keeps an engine from working.
    """
    findings = examine(model_dir)
    if as_json:
        document = {finding.topic: {"good": finding.good, "line": finding.line, **finding.data} for finding in findings}
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        for finding in findings:
            click.echo(f"{'ok' if finding.good else '!!'}  {finding.topic:10s} {finding.line}")
    return ExitCode.COMPLETE if all(finding.good for finding in findings) else ExitCode.ENGINE_UNAVAILABLE
