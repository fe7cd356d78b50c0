"""Speed of the ChatTTS engine against the ChatTTS package itself, in one run, on the same weights and lengths.

Random weights of the published shape, fp32. Every row has a forced length (`--frames LOW HIGH`, growing with its text),
so both sides do the same work: the engine stops each row at its own length; upstream, which decodes a batch until its
longest row ends, gets that length as `min_new_token` and `max_new_token`. Only the rows' own frames are counted. Texts
are sorted by length for both. Contenders take turns, and the median of the turns is shown. `decode` is codes and
hidden states alone, `whole` is the call from texts to waveforms: `Chat.infer` there, `engine.render` here. With one row
side by side only `--single` of the texts are spoken, since a rate is what is measured.

    python benchmarks/decode.py                          about 10 minutes on 2 cores, 1.2 GB on disk
    python benchmarks/decode.py --model models/random    keeps the checkpoint there for the next time
    python benchmarks/decode.py --size tiny --repeats 1  a dry run, in seconds; its numbers say nothing

Exits with 1 when the published shape is slower than the floor: 1.2 times upstream at as many rows, 3 times upstream
at one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # tests/support/upstream.py loads the ChatTTS package

if TYPE_CHECKING:
    import torch

    from batchtts.engines.chattts.engine import ChatTTSEngine
    from batchtts.engines.chattts.spec import ChatTTSSpec
    from batchtts.model import Utterance

FRAME_RATE = 24000 / 512
FLOORS = {"same rows": 1.2, "one row": 3.0}


@dataclass(frozen=True, slots=True)
class Turn:
    """One contender's turn: frames of speech, seconds in all, and those of them that went into waveforms."""

    frames: int
    seconds: float
    vocoder: float

    @property
    def whole(self) -> float:
        return self.frames / self.seconds

    @property
    def decode(self) -> float:
        return self.frames / (self.seconds - self.vocoder)


class Timed:
    """A function that adds up the time it takes."""

    def __init__(self, function: Callable[..., Any], device: torch.device) -> None:
        self.function, self.device, self.seconds = function, device, 0.0

    def __call__(self, *arguments: Any) -> Any:
        synchronize(self.device)  # what was queued before is not the vocoder's
        began = time.perf_counter()
        result = self.function(*arguments)  # ends in samples on the host, so it waits by itself
        self.seconds += time.perf_counter() - began
        return result


def synchronize(device: torch.device) -> None:
    import torch

    if device.type == "cuda":
        torch.cuda.synchronize()


class Work:
    """Texts, sorted by length, and how many frames each is to have."""

    def __init__(self, spec: ChatTTSSpec, count: int, low: int, high: int) -> None:
        from batchtts.model import Utterance

        texts = [f"{'今天天气很好我们去公园散步吧' * 3}"[: 8 + round(24 * n / max(count - 1, 1))] for n in range(count)]
        self.items: list[Utterance] = [
            Utterance(f"{n:032x}", f"{text}。", spec.voice, spec.count(f"{text}。")) for n, text in enumerate(texts)
        ]
        self.low, self.high = low, high
        self.shortest = self.items[0].tokens
        self.spread = max(self.items[-1].tokens - self.shortest, 1)

    def frames(self, tokens: int) -> int:
        return self.low + round((self.high - self.low) * (tokens - self.shortest) / self.spread)

    def some(self, count: int) -> list[Utterance]:
        """As many of the items, spread evenly over their lengths."""
        step = len(self.items) / count
        return [self.items[int((n + 0.5) * step)] for n in range(count)]


class Ours:
    def __init__(self, engine: ChatTTSEngine, work: Work, device: torch.device) -> None:
        from batchtts.engines.chattts.lengths import Bounds

        self.engine, self.device = engine, device
        self.vocoder = Timed(engine.vocoder, device)
        engine.vocoder = self.vocoder  # type: ignore[assignment] # called in the same way
        engine.decoder.limit = lambda tokens: Bounds(work.frames(tokens), work.frames(tokens))

    def turn(self, items: Iterable[Utterance], rows: int) -> Turn:
        from batchtts.model import Clip
        from batchtts.schedule.queue import WorkQueue

        self.vocoder.seconds, frames = 0.0, 0
        queue = WorkQueue(items, 1 << 24, rows)
        began = time.perf_counter()
        for clip in self.engine.render(queue):
            assert isinstance(clip, Clip), clip
            queue.settle(clip.key)
            frames += clip.frames
        return Turn(frames, time.perf_counter() - began, self.vocoder.seconds)


class Upstream:
    def __init__(self, chat: Any, voice: torch.Tensor, work: Work, device: torch.device) -> None:
        self.chat, self.voice, self.work = chat, voice, work
        self.vocoder = Timed(chat._decode_to_wavs, device)
        chat._decode_to_wavs = self.vocoder

    def turn(self, items: list[Utterance], rows: int) -> Turn:
        from support.upstream import quiet

        self.vocoder.seconds = 0.0
        began = time.perf_counter()
        with quiet():
            for start in range(0, len(items), rows):
                self._infer(items[start : start + rows])
        seconds = time.perf_counter() - began
        return Turn(sum(self.work.frames(item.tokens) for item in items), seconds, self.vocoder.seconds)

    def _infer(self, batch: list[Utterance]) -> None:
        longest = max(self.work.frames(item.tokens) for item in batch)
        params = self.chat.InferCodeParams(
            spk_emb=self.voice, min_new_token=longest, max_new_token=longest, show_tqdm=False
        )
        waves = self.chat.infer(
            [item.text for item in batch],
            skip_refine_text=True,
            split_text=False,
            do_text_normalization=False,
            do_homophone_replacement=False,
            params_infer_code=params,
        )
        assert len(waves) == len(batch)


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    import torch
    from support.upstream import load_chat

    from batchtts.engines.chattts.load import pick_device
    from batchtts.engines.chattts.random_model import SHAPES, make_random
    from batchtts.engines.chattts.spec import spec
    from batchtts.settings import EngineSettings

    if not folder.exists():
        make_random(folder, options.size)
    chosen = spec(EngineSettings(engine="chattts", model_dir=folder, device=options.device, threads=options.threads))
    device = pick_device(options.device)
    work = Work(chosen, options.rows, *options.frames)
    voice = torch.from_numpy(chosen.speaker.vector(SHAPES[options.size].hidden)).to(device)
    ours = Ours(chosen.load(), work, device)
    upstream = Upstream(load_chat(folder, SHAPES[options.size], str(device)), voice, work, device)
    some = work.some(min(options.single, options.rows))
    contenders: list[tuple[str, Callable[[], Turn]]] = [
        ("upstream 1", lambda: upstream.turn(some, 1)),
        (f"upstream {options.rows}", lambda: upstream.turn(work.items, options.rows)),
        ("batchtts 1", lambda: ours.turn(some, 1)),
        (f"batchtts {options.rows}", lambda: ours.turn(work.items, options.rows)),
    ]
    turns: dict[str, list[Turn]] = {name: [] for name, _ in contenders}
    ours.turn(some[:1], 1)
    upstream.turn(some[:1], 1)
    for number in range(options.repeats):
        for name, turn in contenders:
            turns[name].append(turn())
            print(f"  turn {number + 1}: {name}: {turns[name][-1].whole:.1f} frames/s", file=sys.stderr, flush=True)
    return report(options, turns, device)


def report(options: argparse.Namespace, turns: dict[str, list[Turn]], device: torch.device) -> dict[str, Any]:
    import torch

    rates = {
        name: {part: statistics.median(getattr(turn, part) for turn in taken) for part in ("decode", "whole")}
        for name, taken in turns.items()
    }
    mine = rates[f"batchtts {options.rows}"]
    against = {"same rows": rates[f"upstream {options.rows}"], "one row": rates["upstream 1"]}
    return {
        "size": options.size,
        "frames": options.frames,
        "rows": options.rows,
        "repeats": options.repeats,
        "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
        "machine": processor(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "frames_per_second": rates,
        "ratio": {name: {part: mine[part] / rate[part] for part in rate} for name, rate in against.items()},
        "turns": {name: [[turn.frames, turn.seconds, turn.vocoder] for turn in taken] for name, taken in turns.items()},
    }


def processor() -> str:
    """The processor's name and how many of its cores this process may use."""
    name = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            name = line.partition(":")[2].strip()
            break
    return f"{name}, {len(os.sched_getaffinity(0))} cores"


def show(result: dict[str, Any]) -> None:
    low, high = result["frames"]
    print(
        f"{result['size']} shape, fp32, {result['device']}, {result['threads']} threads, torch {result['torch']}\n"
        f"{result['machine']}\n"
        f"{result['rows']} texts of {low} to {high} frames, median of {result['repeats']}\n"
    )
    print(f"{'frames/s (x real time)':24}{'decode':>18}{'whole':>18}")
    for name, rates in result["frames_per_second"].items():
        cells = "".join(f"{rate:10.1f} ({rate / FRAME_RATE:5.2f})" for rate in (rates["decode"], rates["whole"]))
        print(f"{name + ' rows':24}{cells}")
    for name, ratio in result["ratio"].items():
        print(f"{'against upstream, ' + name:27}{ratio['decode']:7.2f} x{ratio['whole']:16.2f} x")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=["published", "tiny"], default="published")
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--frames", type=int, nargs=2, metavar=("LOW", "HIGH"), default=[64, 128])
    parser.add_argument("--single", type=int, default=2, help="texts spoken one at a time")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--device", choices=["cpu", "cuda", "auto"], default="cpu")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--model", type=Path, help="folder of a random checkpoint; made if it is not there")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        result = measure(options, options.model or Path(name) / "model")
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)
    slow = any(result["ratio"][name]["whole"] < floor for name, floor in FLOORS.items())
    return int(slow and options.size == "published")


if __name__ == "__main__":
    raise SystemExit(main())
