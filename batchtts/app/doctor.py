"""What this machine has to offer: one finding a line, none of which loads a model."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from batchtts import __version__
from batchtts.engines import find
from batchtts.engines.chattts import checkpoint
from batchtts.errors import EngineUnavailable
from batchtts.machine import available_memory
from batchtts.settings import EngineSettings

PACKAGES = ("torch", "chattts", "transformers", "onnxruntime", "soundfile", "sqlite-utils", "numpy", "click")
LOW_DISK = 2e9
"""Bytes. Under this an audiobook may not fit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`data` is the JSON form, `line` the human one; `good` is false for what keeps an engine from working."""

    topic: str
    line: str
    good: bool = True
    data: dict[str, Any] = field(default_factory=dict)


def examine(model_dir: Path | None) -> list[Finding]:
    """Every finding, in reading order."""
    checks: tuple[Callable[[], Finding], ...] = (
        _program,
        _packages,
        _processor,
        _memory,
        _device,
        lambda: _model(model_dir),
        lambda: _voices("kokoro"),
        _disk,
    )
    return [check() for check in checks]


def _program() -> Finding:
    data = {"batchtts": __version__, "python": platform.python_version(), "system": platform.platform()}
    return Finding("program", f"batchtts {__version__}, Python {data['python']}, {data['system']}", data=data)


def _packages() -> Finding:
    found: dict[str, str | None] = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    missing = [name for name, number in found.items() if number is None]
    line = ", ".join(f"{name} {number or 'MISSING'}" for name, number in found.items())
    return Finding("packages", line, not missing, dict(found))


def _processor() -> Finding:
    allowed = getattr(os, "sched_getaffinity", None)
    cores = len(allowed(0)) if allowed else os.cpu_count() or 1
    return Finding("processor", f"{cores} cores, {platform.machine()}", data={"cores": cores})


def _memory() -> Finding:
    total, free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), available_memory()
    line = f"{total / 1e9:.1f} GB" + (f", {free / 1e9:.1f} GB available" if free is not None else "")
    return Finding("memory", line, data={"total_bytes": total, "free_bytes": free})


def _device() -> Finding:
    try:
        import torch
    except (ImportError, OSError) as error:
        return Finding("devices", f"torch does not load: {error}", good=False)
    devices: list[dict[str, Any]] = [{"name": "cpu", "threads": torch.get_num_threads()}]
    for index in range(torch.cuda.device_count()):
        free, total = torch.cuda.mem_get_info(index)
        name = torch.cuda.get_device_name(index)
        devices.append({"name": f"cuda:{index}", "model": name, "free_bytes": free, "total_bytes": total})
    if torch.backends.mps.is_available():
        devices.append({"name": "mps"})
    line = ", ".join(
        f"{device['name']} ({device['model']}, {device['free_bytes'] / 1e9:.1f} GB free)"
        if "model" in device
        else str(device["name"])
        for device in devices
    )
    return Finding("devices", line, data={"devices": devices})


def _model(model_dir: Path | None) -> Finding:
    folder = checkpoint.find_model(EngineSettings(model_dir=model_dir))
    if folder is None:
        line = (
            "no ChatTTS model found; `batchtts model fetch` gets it (about 1.1 GB), until then the embedded voice reads"
        )
        return Finding("model", line, data={"found": False})
    try:
        info = checkpoint.identify(folder)
    except EngineUnavailable as error:
        return Finding("model", str(error), good=False, data={"found": True, "intact": False, "path": str(folder)})
    data = {"found": True, "intact": True, "path": info.path, "kind": info.kind, "hash": info.hash}
    return Finding("model", f"{info.path} ({info.kind}, {info.hash}), intact", data=data)


def _voices(engine: str) -> Finding:
    try:
        spec, _ = find(EngineSettings(engine=engine))
    except EngineUnavailable as error:
        return Finding("voices", str(error), good=False)
    names = [voice.name for voice in spec.voices()]
    return Finding("voices", f"{engine}: {', '.join(names)} (default {spec.voice})", data={engine: names})


def _disk() -> Finding:
    usage = shutil.disk_usage(Path.cwd())
    data = {"free_bytes": usage.free, "folder": str(Path.cwd())}
    return Finding("disk", f"{usage.free / 1e9:.1f} GB free in {Path.cwd()}", usage.free >= LOW_DISK, data)
