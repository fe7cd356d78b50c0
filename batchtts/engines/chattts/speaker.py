"""Voices. A ChatTTS voice is a vector of 768 halfs; its string form carries it between machines, a seed does not.

String form (`ChatTTS.model.speaker`): base16384 of raw LZMA2 over little-endian float16.
"""

from __future__ import annotations

import hashlib
import lzma
import math
import struct
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.errors import EngineUnavailable
from batchtts.model import Voice

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ENGINE = "chattts"
DEFAULT = "default"
WIDTH = 768
"""Values of a published voice."""

_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


@dataclass(frozen=True, slots=True)
class Speaker:
    """A voice by name, with its vector as raw float16 bytes."""

    name: str
    raw: bytes
    note: str = ""

    @property
    def hash(self) -> str:
        """8 hex digits that stand for the vector."""
        return hashlib.sha256(self.raw).hexdigest()[:8]

    def vector(self, width: int) -> npt.NDArray[np.float32]:
        """The first `width` values, shape (width,): all of them for the published model, fewer for a tiny one."""
        import numpy as np

        values = np.frombuffer(self.raw, dtype="<f2").astype(np.float32)
        if len(values) < width:
            raise EngineUnavailable(f"voice {self.name} has {len(values)} values; this model needs {width}")
        return values[:width]


def encode(vector: npt.NDArray[np.float16]) -> str:
    """The string form of a voice vector."""
    import pybase16384

    raw = vector.astype("<f2").tobytes()
    return str(pybase16384.encode_to_string(lzma.compress(raw, format=lzma.FORMAT_RAW, filters=_FILTERS)))


def decode(text: str) -> bytes:
    """The raw float16 bytes of a voice string. Raises ValueError for anything else."""
    import pybase16384

    try:
        packed = pybase16384.decode_from_string(text.strip())
        raw = lzma.decompress(packed, format=lzma.FORMAT_RAW, filters=_FILTERS)
    except Exception as error:  # pybase16384 and lzma raise several kinds, none of them documented
        raise ValueError("not a voice string") from error
    if len(raw) != 2 * WIDTH or not all(map(math.isfinite, struct.unpack(f"<{WIDTH}e", raw))):
        raise ValueError("not a voice string")
    return raw


def find_speaker(name: str | None) -> Speaker:
    """A voice by name, or by the path of a `.toml` file (`speaker = "…"`) or `.txt` file that holds the string.

    Raises EngineUnavailable when there is no such voice or its string is damaged.
    """
    name = name or DEFAULT
    if Path(name).suffix in (".toml", ".txt"):
        return _from_file(Path(name))
    entries = _packaged()
    if name not in entries:
        raise EngineUnavailable(
            f"no voice {name!r} for chattts; choose one of: {', '.join(entries)}, "
            "or give the path of a .toml or .txt file that holds a speaker string"
        )
    return _speaker(name, entries[name], "the package")


def voices() -> tuple[Voice, ...]:
    """The voices that come with the project."""
    return tuple(Voice(name, ENGINE, entry.get("note", "")) for name, entry in _packaged().items())


def _packaged() -> dict[str, dict[str, str]]:
    text = resources.files(__package__).joinpath("voices.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _from_file(path: Path) -> Speaker:
    try:
        text = path.read_text(encoding="utf-8-sig")
        entry = tomllib.loads(text) if path.suffix == ".toml" else {"speaker": text}
    except OSError as error:
        raise EngineUnavailable(f"voice {path}: {error.strerror}; give a readable .toml or .txt file") from None
    except ValueError:
        raise EngineUnavailable(f"voice {path} is not a {path.suffix} file in UTF-8") from None
    return _speaker(path.stem, entry, str(path))


def _speaker(name: str, entry: dict[str, str], where: str) -> Speaker:
    try:
        return Speaker(name, decode(entry["speaker"]), entry.get("note", ""))
    except (KeyError, ValueError, TypeError, AttributeError):
        raise EngineUnavailable(
            f'voice {name} of {where} holds no speaker string (speaker = "…"); export it from ChatTTS again'
        ) from None
