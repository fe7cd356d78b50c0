"""A ChatTTS model folder: what must be in it, where to look for one, and whether it is whole.

The published model is checked against the SHA-256 map of the ChatTTS package (read without importing the package, which
would load torch). A random checkpoint, made by `random_model`, carries its own sums in `batchtts.json`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from batchtts.errors import EngineUnavailable
from batchtts.settings import EngineSettings, cache_folder

FILES = (
    "asset/Decoder.safetensors",
    "asset/DVAE.safetensors",
    "asset/Embed.safetensors",
    "asset/Vocos.safetensors",
    "asset/gpt/config.json",
    "asset/gpt/model.safetensors",
    "asset/tokenizer/special_tokens_map.json",
    "asset/tokenizer/tokenizer_config.json",
    "asset/tokenizer/tokenizer.json",
)
"""The published layout (`ChatTTS.config.Path`), relative to the model folder."""

TOKENIZER = "asset/tokenizer/tokenizer.json"
MANIFEST = "batchtts.json"
"""Kind, size, seed and sums of a random checkpoint; a published model has none."""

Progress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes done and the bytes in all."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model folder that was found whole."""

    path: str
    kind: str
    """`published` or `random`."""
    size: str
    """`published` or `tiny`: the shape of the network."""
    hash: str
    """16 hex digits that stand for the content of all its files."""
    bytes: int


def verify(folder: Path, progress: Progress | None = None) -> ModelInfo:
    """Read every file of a model folder and compare its SHA-256.

    Raises EngineUnavailable that names the folder and the first file which is missing or differs.
    """
    if not folder.is_dir():
        raise EngineUnavailable(f"no model folder {folder}; get the model with `batchtts model fetch {folder}`")
    stamp = _stamp(folder)  # before reading: what changes meanwhile must not pass for checked
    manifest = _manifest(folder)
    sums = manifest["files"] if manifest else published_sums()
    sizes = {name: _size(folder, name) for name in FILES}
    total, done = sum(sizes.values()), 0
    for name in FILES:
        if progress:
            progress(name, done, total)
        if file_sum(folder / name) != sums.get(name):
            raise EngineUnavailable(
                f"model folder {folder}: {name} is damaged (its SHA-256 differs); "
                f"delete that file and run `batchtts model fetch {folder}`"
            )
        done += sizes[name]
    if progress:
        progress("", total, total)
    info = ModelInfo(
        path=str(folder),
        kind="random" if manifest else "published",
        size=manifest["size"] if manifest else "published",
        hash=_combined(sums),
        bytes=total,
    )
    _remember(folder, stamp, info)
    return info


def identify(folder: Path) -> ModelInfo:
    """`verify`, but a folder whose files kept size and modification time since the last check is not read again.

    What was found is kept in the user's cache folder (`$XDG_CACHE_HOME/batchtts/models/`), so a plan pays nothing.
    """
    try:
        kept = json.loads(_memory(folder).read_text(encoding="utf-8"))
        if kept["stamp"] == _stamp(folder):
            return replace(ModelInfo(**kept["info"]), path=str(folder))  # it may have been named from elsewhere
    except (OSError, ValueError, TypeError, KeyError):
        pass  # never seen, changed since, or the note is unreadable: look again
    return verify(folder)


def find_model(settings: EngineSettings, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Where the model should be: `settings.model_dir`, then `BATCHTTS_MODEL_DIR`, then the folder that `model fetch`
    fills by default, then a snapshot in the hub's cache.

    A folder that was named is returned even if it holds nothing, so that `verify` can say so; None if none was named
    and none was found.
    """
    if settings.model_dir is not None:
        return settings.model_dir
    if named := environ.get("BATCHTTS_MODEL_DIR"):
        return Path(named).expanduser()
    if _has_files(default_folder(environ)):
        return default_folder(environ)
    snapshots = _hub_cache(environ) / "models--2Noise--ChatTTS" / "snapshots"
    found = [path for path in snapshots.glob("*") if _has_files(path)]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def default_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where `model fetch` puts the model when no folder is named."""
    return Path(environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "batchtts" / "ChatTTS"


def _has_files(folder: Path) -> bool:
    return all((folder / name).is_file() for name in FILES)


def published_sums() -> dict[str, str]:
    """SHA-256 of each file of the published model, by the ChatTTS package's own map."""
    package = importlib.util.find_spec("ChatTTS")  # finds a top-level package without importing it
    if package is None or package.origin is None:
        raise EngineUnavailable("the ChatTTS package is not installed; run `pip install chattts==0.2.5`")
    text = (Path(package.origin).parent / "res" / "sha256_map.json").read_text(encoding="utf-8")
    known: dict[str, str] = json.loads(text)
    return {name: known["sha256_" + name.replace("/", "_").replace(".", "_")] for name in FILES}


def file_sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path, size: str, seed: int) -> None:
    """Write the sums of a random checkpoint beside its files."""
    sums = {name: file_sum(folder / name) for name in FILES}
    text = json.dumps({"kind": "random", "size": size, "seed": seed, "files": sums}, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _size(folder: Path, name: str) -> int:
    try:
        return (folder / name).stat().st_size
    except OSError:
        raise EngineUnavailable(
            f"model folder {folder}: {name} is missing; get the model with `batchtts model fetch {folder}`"
        ) from None


def _manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a random checkpoint, None for a folder without one."""
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
        manifest: dict[str, Any] = json.loads(text)
        kinds = [type(manifest[name]) for name in ("kind", "size", "files")]
        if kinds != [str, str, dict] or manifest["kind"] != "random":
            raise ValueError
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise EngineUnavailable(
            f"model folder {folder}: {MANIFEST} is damaged; make the checkpoint anew with `batchtts model make-random`"
        ) from None
    return manifest


def _combined(sums: Mapping[str, str]) -> str:
    lines = "".join(f"{name} {sums[name]}\n" for name in FILES)
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def _stamp(folder: Path) -> list[list[Any]]:
    """Name, size and modification time of every file that decides what a check would find."""
    stamp: list[list[Any]] = []
    for name in (*FILES, MANIFEST):
        try:
            status = (folder / name).stat()
        except FileNotFoundError:
            continue
        stamp.append([name, status.st_size, status.st_mtime_ns])
    return stamp


def _memory(folder: Path) -> Path:
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:32]
    return cache_folder() / "models" / f"{name}.json"


def _remember(folder: Path, stamp: list[list[Any]], info: ModelInfo) -> None:
    memory = _memory(folder)
    fresh = memory.with_suffix(f".{os.getpid()}")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps({"stamp": stamp, "info": asdict(info)}), encoding="utf-8")
        fresh.replace(memory)
    except OSError:
        pass  # a read-only home costs a second at every start, nothing else


def _hub_cache(environ: Mapping[str, str]) -> Path:
    """The hub's cache folder, as `huggingface_hub` finds it."""
    if cache := environ.get("HF_HUB_CACHE"):
        return Path(cache).expanduser()
    if home := environ.get("HF_HOME"):
        return Path(home).expanduser() / "hub"
    return Path(environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "huggingface" / "hub"
