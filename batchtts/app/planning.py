"""A source becomes a plan, and a plan becomes a forecast."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from batchtts.engines.base import EngineSpec
from batchtts.model import Batch, Plan
from batchtts.read import read
from batchtts.schedule.queue import batches, padding_share
from batchtts.settings import Settings
from batchtts.text.plan import plan as compile_plan

SAMPLE_RATE = 24000
FLAC_SHARE = 0.6
"""FLAC bytes of a spoken clip over its 16-bit PCM bytes (0.5-0.6 on the embedded voice)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A forecast: seconds of audio, seconds of rendering on this machine, bytes of clips and chapters together."""

    audio_s: float
    render_s: float
    disk_bytes: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What `batchtts plan` shows."""

    plan: Plan
    engine: str
    voice: str
    budget: int
    rows: int
    batches: tuple[Batch, ...]
    padding: float
    """Share of padded tokens that carry no text, 0 to 1."""
    estimate: Estimate


def make_plan(source: Path | str, spec: EngineSpec, settings: Settings, stdin: BinaryIO | None = None) -> Plan:
    """Read and compile a source for an engine. Raises InputRejected."""
    document = read(source, settings.read, stdin)
    return compile_plan(document, spec.count, spec.limits, spec.fingerprint, spec.voice, settings.text)


def batch_limits(spec: EngineSpec, settings: Settings) -> tuple[int, int]:
    """Budget and rows: what was asked for, or else the engine's own."""
    budget = settings.render.max_tokens or spec.limits.budget
    rows = settings.render.rows or spec.limits.rows
    return budget, min(rows, spec.limits.rows) if spec.limits.rows == 1 else rows


def forecast(plan: Plan, spec: EngineSpec, settings: Settings) -> Forecast:
    """Batches, padding and cost of a plan; renders nothing."""
    budget, rows = batch_limits(spec, settings)
    drawn = tuple(batches(plan.utterances, budget, rows))
    return Forecast(plan, spec.name, spec.voice, budget, rows, drawn, padding_share(drawn), estimate(plan, spec))


def estimate(plan: Plan, spec: EngineSpec) -> Estimate:
    """Repeated lines are rendered once but heard each time."""
    uses = Counter(cue.key for cue in plan.cues)
    rendered = heard = 0.0
    for utterance in plan.utterances:
        seconds = utterance.tokens * spec.audio_per_token
        rendered += seconds
        heard += max(seconds - spec.edge_silence, 0.0) * uses[utterance.key]
    heard += sum(cue.pause for cue in plan.cues)
    pcm = SAMPLE_RATE * 2
    return Estimate(heard, rendered * spec.speed, int(rendered * pcm * FLAC_SHARE + heard * pcm))
