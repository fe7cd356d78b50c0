"""Killed at any instant, the same command finishes the job: real processes, real signals."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest
from support.cli import batchtts, start
from support.ledger import chapter_bytes, known_takes, rows, strays, takes

KILLS = 20
LINES = [
    "今天天气很好。", "我们去公园散步。", "The weather is fine today.", "湖边有很多人。", "She bought two tickets.",
    "时间过得很快。", "It was 9 o'clock.", "我们坐车回家。", "Everyone was tired.", "晚安。",
    "第二天下雨了。", "Rain fell all day.", "我们在家看书。", "The book was good.", "他写了一封信。",
    "The letter was long.", "邮局很近。", "We walked there.", "回来时雨停了。", "The end came soon.",
    "大家都很高兴。", "Good night to all.", "明天再见。", "See you tomorrow.",
]  # fmt: skip


def write_book(folder: Path) -> None:
    half = len(LINES) // 2
    chapters = (LINES[:half], LINES[half:])
    text = "".join(f"# Part {n}\n\n" + "\n\n".join(lines) + "\n\n" for n, lines in enumerate(chapters, 1))
    (folder / "book.md").write_text(text, encoding="utf-8")


def kill_and_resume(
    folder: Path, engine: str, reference_seconds: float, kills: int
) -> list[dict[tuple[str, int], str]]:
    """Start the job again and again, SIGKILL it at a random moment each time, then let it finish."""
    moments = random.Random(20)
    snapshots = []
    for number in range(kills):
        process = start("render", "book.md", "--engine", engine, "--quiet", cwd=folder)
        # Later and later moments, so that kills fall on start-up, on rendering and on stitching.
        time.sleep(moments.uniform(0.05, reference_seconds * (0.3 + 0.7 * number / kills)))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        snapshots.append(known_takes(folder / "book"))
    result = batchtts("render", "book.md", "--engine", engine, cwd=folder, timeout=300)
    assert result.code == 0, result.err
    return snapshots


def check(folder: Path, reference: Path, snapshots: list[dict[tuple[str, int], str]]) -> None:
    done = takes(folder)
    for snapshot in snapshots:
        assert snapshot.items() <= done.items(), "a take that had been recorded was lost or made again"
    keys = [key for key, _ in done]
    assert len(keys) == len(set(keys)), "a finished utterance was rendered twice"
    wanted = {key for (key,) in rows(folder, "select distinct key from sentences")}
    assert set(keys) == wanted, "a sentence is missing"
    assert strays(folder) == []
    assert chapter_bytes(folder) == chapter_bytes(reference)


def undisturbed(folder: Path, engine: str) -> tuple[Path, float]:
    folder.mkdir()
    write_book(folder)
    begun = time.monotonic()
    result = batchtts("render", "book.md", "--engine", engine, cwd=folder, timeout=300)
    assert result.code == 0, result.err
    return folder / "book", time.monotonic() - begun


def test_a_job_killed_at_twenty_moments_equals_an_undisturbed_one(tmp_path: Path) -> None:
    """With a slow dry-run engine: every recorded take survives, none is repeated, chapters equal byte for byte."""
    engine = "engines.faulty:slow"
    reference, seconds = undisturbed(tmp_path / "reference", engine)
    folder = tmp_path / "killed"
    folder.mkdir()
    write_book(folder)
    snapshots = kill_and_resume(folder, engine, seconds, KILLS)
    assert any(0 < len(snapshot) < len(takes(reference)) for snapshot in snapshots), "no kill fell into the rendering"
    check(folder / "book", reference, snapshots)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_embedded_voice_killed_at_twenty_moments_gives_the_same_bytes(tmp_path: Path) -> None:
    """The same with real speech."""
    reference, seconds = undisturbed(tmp_path / "reference", "kokoro")
    folder = tmp_path / "killed"
    folder.mkdir()
    write_book(folder)
    snapshots = kill_and_resume(folder, "kokoro", seconds / 2, KILLS)
    assert any(0 < len(snapshot) < len(takes(reference)) for snapshot in snapshots), "no kill fell into the rendering"
    check(folder / "book", reference, snapshots)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_signal_stops_cleanly(tmp_path: Path, number: int) -> None:
    """Exit 6 and one line on how to go on; the same command finishes the job and repeats nothing."""
    write_book(tmp_path)
    engine = "engines.faulty:slow"
    process = start("render", "book.md", "--engine", engine, "--quiet", cwd=tmp_path)
    wait_for_takes(tmp_path / "book", 2)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 6, err
    assert "the same command goes on" in err.decode().strip().splitlines()[-1]
    before = takes(tmp_path / "book")
    assert 2 <= len(before) < len(LINES)
    assert batchtts("status", "book", cwd=tmp_path).code == 0
    assert batchtts("render", "book.md", "--engine", engine, cwd=tmp_path).code == 0
    after = takes(tmp_path / "book")
    assert before.items() <= after.items()
    assert len({key for key, _ in after}) == len(after)


def test_a_second_run_on_one_folder_exits_75(tmp_path: Path) -> None:
    """It says so at once, and the first one is not disturbed."""
    write_book(tmp_path)
    engine = "engines.faulty:slow"
    process = start("render", "book.md", "--engine", engine, "--quiet", cwd=tmp_path)
    wait_for_takes(tmp_path / "book", 1)
    second = batchtts("render", "book.md", "--engine", engine, cwd=tmp_path)
    assert second.code == 75
    assert len(second.err.strip().splitlines()) == 1
    process.communicate(timeout=60)
    assert process.returncode == 0


def wait_for_takes(folder: Path, count: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if len(known_takes(folder)) >= count:
            return
        time.sleep(0.02)
    raise AssertionError("the job did not get going")


def test_an_engine_that_dies_takes_nothing_with_it(tmp_path: Path) -> None:
    """A process killed from inside (as by the system when memory is short) resumes like any other."""
    write_book(tmp_path)
    dying = batchtts("render", "book.md", "--engine", "engines.faulty:dying", "--quiet", cwd=tmp_path)
    assert dying.code == -signal.SIGKILL
    before = takes(tmp_path / "book")
    assert before
    assert batchtts("render", "book.md", "--engine", "silent", cwd=tmp_path).code == 0
    assert before.items() <= takes(tmp_path / "book").items()
