"""`batchtts plan`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from batchtts.app.planning import Forecast, forecast, make_plan
from batchtts.cli.options import (
    batch_options,
    build_settings,
    debug_option,
    engine_options,
    json_option,
    read_options,
)
from batchtts.cli.progress import clock, shortened
from batchtts.engines import find


@click.command()
@click.argument("source", metavar="SOURCE")
@json_option
@read_options
@engine_options
@batch_options
@debug_option
def command(source: str, as_json: bool, **options: Any) -> None:
    """Show what a render would do: chapters, sentences, batches, padding, time and disk. Renders nothing.

    \b
    Examples:
      batchtts plan book.txt
      batchtts plan book.md --engine chattts --max-tokens 4096
      batchtts plan book.txt --json | jq '.sentences[] | [.text, .spoken]'
    """
    settings = build_settings(**options)
    spec, notice = find(settings.engine)
    if notice:
        click.echo(notice, err=True)
    plan = make_plan(source if source == "-" else Path(source), spec, settings, sys.stdin.buffer)
    result = forecast(plan, spec, settings)
    if as_json:
        click.echo(json.dumps(as_document(result), ensure_ascii=False, indent=1))
    else:
        _show(result)


def as_document(result: Forecast) -> dict[str, Any]:
    """The JSON form of a forecast (README, "plan --json")."""
    plan = result.plan
    return {
        "title": plan.title,
        "engine": result.engine,
        "voice": result.voice,
        "max_tokens": result.budget,
        "rows": result.rows,
        "chapters": [{"index": chapter.index, "title": chapter.title} for chapter in plan.chapters],
        "sentences": [
            {
                "id": cue.sentence.id,
                "chapter": cue.sentence.chapter,
                "text": cue.sentence.text,
                "spoken": cue.spoken.text,
                "boundary": cue.sentence.boundary.value,
                "tokens": cue.tokens,
                "span": [cue.sentence.span.start, cue.sentence.span.end],
            }
            for cue in plan.cues
        ],
        "batches": [
            {"bucket": batch.bucket, "rows": len(batch.utterances), "tokens": batch.tokens} for batch in result.batches
        ],
        "padding": round(result.padding, 4),
        "estimate": {
            "audio_s": round(result.estimate.audio_s, 1),
            "render_s": round(result.estimate.render_s, 1),
            "disk_bytes": result.estimate.disk_bytes,
        },
        "dropped": [{"span": [drop.span.start, drop.span.end], "reason": drop.reason} for drop in plan.drops],
        "warnings": list(plan.warnings),
    }


def _show(result: Forecast) -> None:
    plan, estimate = result.plan, result.estimate
    click.echo(f"{shortened(plan.title)}   (engine {result.engine}, voice {result.voice})")
    sentences, tokens = Counter[int](), Counter[int]()
    for cue in plan.cues:
        sentences[cue.sentence.chapter] += 1
        tokens[cue.sentence.chapter] += cue.tokens
    for chapter in plan.chapters:
        index = chapter.index
        click.echo(f"  {index:3d}  {shortened(chapter.title)}   {sentences[index]} sentences, {tokens[index]} tokens")
    rows = [len(batch.utterances) for batch in result.batches]
    mean = sum(rows) / len(rows) if rows else 0
    click.echo(f"sentences  {len(plan.cues)} ({len(plan.utterances)} distinct)")
    click.echo(
        f"batches    {len(rows)}, {mean:.1f} rows in the mean, at most {result.budget} tokens; "
        f"padding {result.padding:.1%}"
    )
    click.echo(f"audio      about {clock(estimate.audio_s)}")
    click.echo(f"time       about {clock(estimate.render_s)} on this machine")
    click.echo(f"disk       about {estimate.disk_bytes / 1e6:.1f} MB")
    if dropped := Counter(drop.reason for drop in plan.drops if drop.reason != "markup"):
        told = ", ".join(f"{count} x {reason}" for reason, count in dropped.most_common())
        click.echo(f"not spoken {told} (--json lists the places)")
    for warning in plan.warnings:
        click.echo(f"warning: {warning}", err=True)
