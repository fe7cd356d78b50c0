"""Peak memory and time of stitching a short and a long chapter.

Stitches clips of 3 to 8 seconds, read from FLAC files as in a job, into one chapter of each length given, each in a
process of its own, and prints the peaks that the system counted (`resource.getrusage`). Exits with 1 when the longest
chapter took more than `--limit` MB above the shortest.

    python benchmarks/stitch_memory.py                   10 minutes and 10 hours: 1.7 GB on disk, under a minute
    python benchmarks/stitch_memory.py --minutes 1 60
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batchtts.assemble.edges import Pcm

RATE = 24000
CLIPS = 40
EDGE = 0.2
PAUSE = 0.35


def write_clips(folder: Path) -> None:
    """Clips with the loudness and the silent edges of speech; what is said in them does not matter here."""
    import numpy as np
    import soundfile

    random = np.random.default_rng(0)
    for number in range(CLIPS):
        sound = random.normal(0, 0.1, round(random.uniform(3, 8) * RATE)).clip(-1, 1)
        soundfile.write(folder / f"{number}.flac", np.pad(sound, round(EDGE * RATE)), RATE, subtype="PCM_16")


def stitch_minutes(folder: Path, minutes: float) -> tuple[float, float, float]:
    """Stitch a chapter of about `minutes`: its true length, the seconds it took, this process's peak in MB."""
    import soundfile

    from batchtts.assemble.stitch import stitch
    from batchtts.model import Boundary, Cue, Sentence, Span, Spoken
    from batchtts.settings import AssembleSettings

    lengths = {str(n): soundfile.info(folder / f"{n}.flac").duration - 2 * EDGE + PAUSE for n in range(CLIPS)}
    cues: list[Cue] = []
    seconds = 0.0
    for key in cycle(lengths):
        if seconds >= minutes * 60:
            break
        seconds += lengths[key]
        cues.append(Cue(Sentence(len(cues) + 1, 1, key, Span(0, 1), Boundary.SENTENCE), Spoken(key), key, 9, PAUSE))

    def open_clip(key: str) -> Pcm:
        samples: Pcm = soundfile.read(folder / f"{key}.flac", dtype="int16")[0]
        return samples

    began = time.perf_counter()
    sound = stitch(cues, open_clip, folder / "chapter.wav", RATE, AssembleSettings())
    took = time.perf_counter() - began
    sound.path.unlink()
    return sound.samples / RATE / 60, took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, nargs="+", default=[10, 600])
    parser.add_argument("--limit", type=float, default=50, help="MB that the longest may take above the shortest")
    options = parser.parse_args()
    peaks: list[float] = []
    apart = ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1)
    with apart, tempfile.TemporaryDirectory() as name:
        apart.submit(write_clips, Path(name)).result()
        print("audio (min)   seconds   peak (MB)")
        for minutes in sorted(options.minutes):
            length, took, peak = apart.submit(stitch_minutes, Path(name), minutes).result()
            print(f"{length:11.1f} {took:9.1f} {peak:11.1f}", flush=True)
            peaks.append(peak)
    growth = peaks[-1] - peaks[0]
    print(f"growth {growth:.1f} MB, limit {options.limit:.0f} MB")
    return int(growth > options.limit)


if __name__ == "__main__":
    raise SystemExit(main())
