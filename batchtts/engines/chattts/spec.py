"""What is known of the ChatTTS engine without loading it; free of torch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.engines.chattts import speaker
from batchtts.engines.chattts.checkpoint import ModelInfo, find_model, identify
from batchtts.engines.chattts.lengths import FRAMES_PER_SECOND, FRAMES_PER_TOKEN, bounds
from batchtts.engines.chattts.prompt import Prompter
from batchtts.errors import EngineUnavailable, UsageError
from batchtts.machine import available_memory
from batchtts.model import Limits, Voice
from batchtts.settings import EngineSettings

if TYPE_CHECKING:
    from batchtts.engines.chattts.engine import ChatTTSEngine

VERSION = 1
"""Raised when the code changes what a seed sounds like."""

LIMITS = Limits(goal=48, longest=84, budget=32768, rows=16)
"""In prompt tokens: 10 to 18 s of speech, since past about 30 s the model degrades and loses its tail. The budget is in
KV tokens (rows x the prompt and most frames of the longest): 15 rows of the longest utterances, 4 GB at the published
shape in fp32. A machine with less to give gets a smaller one (`affordable`)."""

KV_BYTES = 2 * 20 * 768 * 4
"""Keys and values of one token at the published shape: 20 layers of 768 floats each."""
SHARE = 0.6
"""Of the memory that is available, what an engine may plan with."""
LOADED = 2.0
"""Memory of the loaded weights over the size of their files, while they are being packed."""

DEVICES = ("auto", "cpu", "cuda")
PRECISIONS = ("auto", "fp32")


@dataclass(frozen=True)
class ChatTTSSpec:
    """Implements `engines.base.EngineSpec`."""

    settings: EngineSettings
    model: ModelInfo
    speaker: speaker.Speaker

    name = "chattts"
    audio_per_token = FRAMES_PER_TOKEN / FRAMES_PER_SECOND
    edge_silence = 0.0
    """Not yet measured with published weights."""

    @property
    def folder(self) -> Path:
        return Path(self.model.path)

    @property
    def speed(self) -> float:
        """Seconds of work per second of audio; the published shape was measured on 2 cores (docs/performance.md)."""
        return 0.02 if self.model.size == "tiny" else 0.56

    @property
    def fingerprint(self) -> str:
        drawn = self.settings.sampling
        parts = (self.name, str(VERSION), self.model.hash, repr(drawn), self.speaker.hash)
        return f"{self.name}-{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"

    @property
    def voice(self) -> str:
        return self.speaker.name

    @cached_property
    def limits(self) -> Limits:
        free = None if self.model.size == "tiny" else available_memory()
        return LIMITS if free is None else replace(LIMITS, budget=affordable(free, self.model.bytes))

    @cached_property
    def prompter(self) -> Prompter:
        return Prompter(self.folder, self.settings.sampling.speed)

    def count(self, text: str) -> int:
        return self.prompter.count(text)

    def voices(self) -> tuple[Voice, ...]:
        return speaker.voices()

    def load(self) -> ChatTTSEngine:
        from batchtts.engines.chattts.load import load_engine

        return load_engine(self)


def affordable(free: int, weights: int) -> int:
    """The budget in KV tokens for so many bytes of free memory, beside weights of so many: between the longest
    utterance alone and the default.

    >>> affordable(32 * 10**9, 10**9), affordable(8 * 10**9, 10**9), affordable(10**9, 10**9)
    (32768, 22786, 2100)
    """
    least = LIMITS.longest + bounds(LIMITS.longest).most
    spare = int(free * SHARE - weights * LOADED)
    return max(least, min(LIMITS.budget, spare // KV_BYTES))


def spec(settings: EngineSettings) -> ChatTTSSpec:
    """The spec of the model that the settings name, or that is found where `checkpoint.find_model` looks.

    Raises EngineUnavailable when there is none, its folder is not whole, or the voice is not there; UsageError for
    settings that this engine does not know.
    """
    _check(settings)
    folder = find_model(settings)
    if folder is None:
        raise EngineUnavailable(
            "no ChatTTS model found; get it with `batchtts model fetch` (about 1.1 GB, CC BY-NC 4.0), "
            "or name its folder with --model-dir or BATCHTTS_MODEL_DIR"
        )
    return ChatTTSSpec(settings, identify(folder), speaker.find_speaker(settings.voice))


def _check(settings: EngineSettings) -> None:
    """Raises UsageError for settings that this engine does not know."""
    for value, known, option in (
        (settings.device, DEVICES, "device"),
        (settings.precision, PRECISIONS, "precision"),
    ):
        if value not in known:
            raise UsageError(f"chattts has no {option} {value!r}; choose one of: {', '.join(known)}")
    if not 0 <= settings.sampling.speed <= 9:
        raise UsageError(f"speed {settings.sampling.speed} is not between 0 and 9")
