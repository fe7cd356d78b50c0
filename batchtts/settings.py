"""Settings, one frozen slice a stage. The command line and job files build them; a stage takes its own slice only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from batchtts.model import Boundary


@dataclass(frozen=True, slots=True)
class ReadSettings:
    encoding: str | None = None
    """Name of the source's encoding; None: found out."""
    format: str | None = None
    """`txt` or `md`; None: by the suffix."""


@dataclass(frozen=True, slots=True)
class TextSettings:
    pauses: Mapping[Boundary, float] = field(
        default_factory=lambda: {
            Boundary.CLAUSE: 0.15,
            Boundary.SENTENCE: 0.35,
            Boundary.PARAGRAPH: 0.7,
            Boundary.SECTION: 1.2,
            Boundary.CHAPTER: 2.0,
        }
    )
    """Seconds of silence after a sentence, by how it ends."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How codes are drawn (ChatTTS; defaults are upstream's `InferCodeParams`)."""

    temperature: float = 0.3
    top_p: float = 0.7
    top_k: int = 20
    repetition: float = 1.05
    speed: int = 5
    """0-9, ChatTTS's `[speed_N]` prompt."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    engine: str = "auto"
    model_dir: Path | None = None
    voice: str | None = None
    device: str = "auto"
    precision: str = "auto"
    threads: int | None = None
    """Processor threads of the engine; None: the engine's measured default."""
    sampling: Sampling = Sampling()


@dataclass(frozen=True, slots=True)
class RenderSettings:
    max_tokens: int | None = None
    """The budget; None: the engine's default."""
    rows: int | None = None
    """Most utterances side by side; None: the engine's default."""
    retries: int = 2
    """New takes that a failed or flagged utterance gets."""


@dataclass(frozen=True, slots=True)
class AssembleSettings:
    fade: float = 0.008
    """Seconds of fade at either edge of a clip."""
    trim_dbfs: float = -50.0
    """Edges quieter than this (RMS of 10 ms) are trimmed."""


@dataclass(frozen=True, slots=True)
class Settings:
    read: ReadSettings = ReadSettings()
    text: TextSettings = field(default_factory=TextSettings)
    engine: EngineSettings = EngineSettings()
    render: RenderSettings = RenderSettings()
    assemble: AssembleSettings = AssembleSettings()


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's cache folder for batchtts, by the XDG rule."""
    return Path(environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "batchtts"
