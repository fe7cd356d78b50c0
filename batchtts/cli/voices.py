"""`batchtts voices`."""

from __future__ import annotations

from pathlib import Path

import click

from batchtts.cli.options import build_settings, debug_option
from batchtts.engines import find


@click.command()
@click.option("--engine", default="auto", show_default=True, metavar="NAME", help="chattts, kokoro or auto.")
@click.option("--model-dir", type=click.Path(path_type=Path), help="Folder of the ChatTTS model.")
@debug_option
def command(engine: str, model_dir: Path | None) -> None:
    """List the voices of an engine; the default one is marked.

    \b
    Examples:
      batchtts voices
      batchtts voices --engine kokoro
    """
    spec, notice = find(build_settings(engine=engine, model_dir=model_dir).engine)
    if notice:
        click.echo(notice, err=True)
    for voice in spec.voices():
        mark = "*" if voice.name == spec.voice else " "
        click.echo(f"{mark} {voice.name:16s} {voice.engine:10s} {voice.note}".rstrip())
