"""Tones instead of speech: the engine of dry runs and tests. Static batches, no model, no randomness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from batchtts.engines.base import Queue
from batchtts.model import Clip, Failure, Limits, Utterance, Voice
from batchtts.settings import EngineSettings

RATE = 24000
SECONDS_PER_TOKEN = 0.02
FRAMING = 5
"""Tokens of an empty text: the shortest tone must be long enough to pass the checks."""
LEVEL = 0.1
"""Peak of the tone: -20 dBFS, so that the checks find something to hear."""


@dataclass(frozen=True, slots=True)
class SilentSpec:
    """A token is a character."""

    name: str = "silent"
    fingerprint: str = "silent/1"
    limits: Limits = field(default=Limits(goal=60, longest=200, budget=2048, rows=16))
    voice: str = "tone"
    audio_per_token: float = SECONDS_PER_TOKEN
    edge_silence: float = 0.0
    speed: float = 0.001

    def count(self, text: str) -> int:
        return len(text) + FRAMING

    def voices(self) -> tuple[Voice, ...]:
        return (Voice("tone", self.name, "a tone a sentence, its pitch by content"),)

    def load(self) -> SilentEngine:
        return SilentEngine()


class SilentEngine:
    """Each clip is a tone whose pitch and phase depend on key and take, and whose length on the tokens."""

    rate = RATE

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        """See `engines.base.Engine.render`."""
        while (batch := queue.draw_batch()) is not None:
            for utterance in batch.utterances:
                yield tone(utterance)

    def close(self) -> None:
        """Nothing to free."""


def tone(utterance: Utterance) -> Clip:
    """200 to 800 Hz, swelling and fading so that the clip has a beginning and an end."""
    import numpy as np

    length = round(utterance.tokens * SECONDS_PER_TOKEN * RATE)
    pitch = 200 + utterance.seed % 600
    time = np.arange(length) / RATE
    wave = LEVEL * np.sin(2 * np.pi * pitch * time) * np.sin(np.pi * np.linspace(0, 1, length))
    return Clip(utterance.key, utterance.take, wave.astype(np.float32), RATE)


def spec(settings: EngineSettings) -> SilentSpec:  # noqa: ARG001 - the signature of every engine's factory
    return SilentSpec()
