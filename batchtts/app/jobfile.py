"""Job files: everything that `render` takes, in TOML, for cron."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batchtts.errors import UsageError
from batchtts.model import Boundary
from batchtts.settings import EngineSettings, ReadSettings, RenderSettings, Sampling, Settings, TextSettings


@dataclass(frozen=True, slots=True)
class JobFile:
    """Sources in order, the folder that holds their job folders, and the settings of all of them."""

    sources: tuple[Path, ...]
    output: Path
    settings: Settings


Check = Callable[[Any], bool]

_SECTIONS: Mapping[str, Mapping[str, tuple[str, Check]]] = {
    "read": {
        "encoding": ("a string", lambda v: isinstance(v, str)),
        "format": ('"txt" or "md"', lambda v: v in ("txt", "md")),
    },
    "engine": {
        "engine": ("a string", lambda v: isinstance(v, str)),
        "model_dir": ("a path", lambda v: isinstance(v, str)),
        "voice": ("a string", lambda v: isinstance(v, str)),
        "device": ("a string", lambda v: isinstance(v, str)),
        "threads": ("a whole number from 1", lambda v: _whole(v, 1)),
    },
    "sampling": {
        "temperature": ("a number above 0, at most 2", lambda v: _number(v) and 0 < v <= 2),
        "top_p": ("a number above 0, at most 1", lambda v: _number(v) and 0 < v <= 1),
        "top_k": ("a whole number from 1", lambda v: _whole(v, 1)),
        "repetition": ("a number from 1", lambda v: _number(v) and v >= 1),
        "speed": ("0 to 9", lambda v: _whole(v, 0) and v <= 9),
    },
    "render": {
        "max_tokens": ("a whole number from 1", lambda v: _whole(v, 1)),
        "rows": ("a whole number from 1", lambda v: _whole(v, 1)),
        "retries": ("a whole number", lambda v: _whole(v, 0)),
    },
    "pauses": {boundary.value: ("seconds, 0 to 60", lambda v: _number(v) and 0 <= v <= 60) for boundary in Boundary},
}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def load(path: Path) -> JobFile:
    """Read a job file; paths in it are relative to it, and sources may be glob patterns.

    Raises UsageError with the place of the fault.
    """
    data = _parse(path)
    for name in data:
        if name not in ("sources", "output", *_SECTIONS):
            known = ", ".join(["sources", "output", *(f"[{section}]" for section in _SECTIONS)])
            raise UsageError(f"{path}: unknown entry {name!r}; there are: {known}")
    base = path.parent
    sources = tuple(source for pattern in _strings(path, data, "sources") for source in _expand(path, base, pattern))
    output = data.get("output")
    if not isinstance(output, str):
        raise UsageError(f'{path}: output must be a folder, such as output = "audiobooks"')
    sections = {name: _section(path, data, name) for name in _SECTIONS}
    return JobFile(sources, base / Path(output).expanduser(), _settings(base, sections))


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot read the job file ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML ({error})") from error


def _strings(path: Path, data: Mapping[str, Any], name: str) -> list[str]:
    value = data.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise UsageError(f'{path}: {name} must be a list of paths, such as {name} = ["books/*.txt"]')
    return value


def _expand(path: Path, base: Path, pattern: str) -> list[Path]:
    """The files that a path or pattern means, in name order."""
    full = base / Path(pattern).expanduser()
    if not any(mark in pattern for mark in "*?["):
        return [full]
    anchor = Path(full.anchor) if full.is_absolute() else Path()
    found = sorted(anchor.glob(str(full.relative_to(anchor))))
    if not found:
        raise UsageError(f"{path}: no file matches {pattern!r}")
    return [file for file in found if file.is_file()]


def _section(path: Path, data: Mapping[str, Any], name: str) -> dict[str, Any]:
    section = data.get(name, {})
    if not isinstance(section, dict):
        raise UsageError(f"{path}: {name} must be a table: [{name}]")
    rules = _SECTIONS[name]
    for key, value in section.items():
        if key not in rules:
            raise UsageError(f"{path}: [{name}] has no entry {key!r}; there are: {', '.join(rules)}")
        wanted, good = rules[key]
        if not good(value):
            raise UsageError(f"{path}: [{name}] {key} = {value!r} must be {wanted}")
    return dict(section)


def _settings(base: Path, sections: Mapping[str, dict[str, Any]]) -> Settings:
    engine = dict(sections["engine"])
    if "model_dir" in engine:
        engine["model_dir"] = base / Path(engine["model_dir"]).expanduser()
    pauses = {Boundary(name): float(value) for name, value in sections["pauses"].items()}
    return Settings(
        read=ReadSettings(**sections["read"]),
        text=TextSettings(pauses={**TextSettings().pauses, **pauses}),
        engine=EngineSettings(**engine, sampling=Sampling(**sections["sampling"])),
        render=RenderSettings(**sections["render"]),
    )
