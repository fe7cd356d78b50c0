"""Whether a device says what the processor says, and survives running out of memory; `gpu_check.sh` runs it.

A tiny random model, fp32. Three checks, a line each:
- utterances decoded on the device have the codes that they have on the processor, and the same waveform;
- they have the same codes alone and side by side;
- when the device truly runs out of memory (its allocator is held to less than the rows need), the loop backs off and
  every clip is as before.

    python benchmarks/parity.py --device cuda

Random numbers that fall within rounding of a border between two codes may differ: one row in 24 is let pass.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from batchtts.engines.chattts.engine import ChatTTSEngine
    from batchtts.engines.chattts.spec import ChatTTSSpec
    from batchtts.model import Clip, Utterance

COUNT = 24
MEMORY_ROWS = 64
MEMORY_FRAMES = 4000
"""Frames that a row may come to need when memory is short: 4 MB of keys and values a row."""
SPARE = 120 << 20
"""Bytes that the allocator may take beyond what it has: less than half of what the rows need."""


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    passed: bool
    detail: str


def utterances(spec: ChatTTSSpec, count: int) -> list[Utterance]:
    from batchtts.model import Utterance

    texts = [f"{'好' * (2 + number % 9)}{'。！？，'[number % 4]}" for number in range(count)]
    return [Utterance(f"{n:032x}", text, spec.voice, spec.count(text)) for n, text in enumerate(texts)]


def codes(engine: ChatTTSEngine, items: list[Utterance], rows: int) -> dict[str, torch.Tensor]:
    from batchtts.engines.chattts.decode import Decoded
    from batchtts.schedule.queue import WorkQueue

    queue = WorkQueue(items, 1 << 20, rows)
    found: dict[str, torch.Tensor] = {}
    for row in engine.decoder.run(queue):
        assert isinstance(row, Decoded), row
        queue.settle(row.utterance.key)
        found[row.utterance.key] = row.codes.cpu()
    return found


def same_codes(name: str, one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> Line:
    import torch

    equal = sum(torch.equal(other[key], row) for key, row in one.items())
    frames = sum(len(row) for row in one.values())
    return Line(name, equal >= len(one) - 1, f"{equal} of {len(one)} rows, {frames} frames")


def same_sound(one: ChatTTSEngine, other: ChatTTSEngine) -> Line:
    import numpy as np
    import torch

    hidden = torch.randn(100, one.decoder.body.hidden, generator=torch.Generator().manual_seed(0))
    device = other.decoder.device
    difference = float(np.abs(one.vocoder(hidden) - other.vocoder(hidden.to(device))).max())
    return Line("waveform as on the processor", difference < 1e-3, f"largest difference {difference:.1e}")


@contextlib.contextmanager
def little_memory(device: torch.device) -> Iterator[None]:
    """Hold the allocator to what it has taken and `SPARE`."""
    import torch

    if device.type == "cuda":
        torch.cuda.empty_cache()
        whole = torch.cuda.get_device_properties(device).total_memory
        torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + SPARE) / whole)
        try:
            yield
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)
        return
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + SPARE, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def clips(engine: ChatTTSEngine, items: list[Utterance]) -> tuple[dict[str, Clip], int]:
    """The clips, and how often the loop backed off for want of memory."""
    from batchtts.model import Clip
    from batchtts.render.loop import Backoff, run
    from batchtts.schedule.queue import WorkQueue

    found: dict[str, Clip] = {}
    backoffs = 0
    for result in run(engine, WorkQueue(items, 1 << 20, MEMORY_ROWS)):
        if isinstance(result, Backoff):
            assert result.memory, result
            print(result, file=sys.stderr)
            backoffs += 1
        elif isinstance(result, Clip):
            found[result.key] = result
        else:
            print(result, file=sys.stderr)
    return found, backoffs


def backed_off(engine: ChatTTSEngine, spec: ChatTTSSpec, device: torch.device) -> Line:
    from batchtts.engines.chattts.lengths import Bounds, bounds

    items = utterances(spec, MEMORY_ROWS)
    engine.decoder.limit = lambda tokens: Bounds(bounds(tokens).least, MEMORY_FRAMES)
    expected, none = clips(engine, items)
    with little_memory(device):
        found, backoffs = clips(engine, items)
    equal = sum(key in found and found[key].frames == clip.frames for key, clip in expected.items())
    passed = none == 0 < backoffs and equal >= len(items) - 2
    return Line(
        "out of memory is survived", passed, f"backed off {backoffs} times, {equal} of {len(items)} clips as before"
    )


def check(device: torch.device, folder: Path) -> list[Line]:
    from batchtts.engines.chattts.random_model import make_random
    from batchtts.engines.chattts.spec import spec
    from batchtts.settings import EngineSettings

    make_random(folder, "tiny")
    here = spec(EngineSettings(engine="chattts", model_dir=folder, device="cpu"))
    there = spec(EngineSettings(engine="chattts", model_dir=folder, device=str(device)))
    processor, engine = here.load(), there.load()
    items = utterances(here, COUNT)
    ours, theirs = codes(processor, items, 16), codes(engine, items, 16)
    return [
        same_codes("codes as on the processor", ours, theirs),
        same_codes("codes alone as side by side", theirs, codes(engine, items, 1)),
        same_sound(processor, engine),
        backed_off(engine, there, device),
    ]


def main() -> int:
    import torch

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        lines = check(torch.device(options.device), Path(name) / "tiny")
    for line in lines:
        print(f"{'ok  ' if line.passed else 'FAIL'}  {line.name:30}{line.detail}")
    return int(not all(line.passed for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
