"""Engines fail in many ways; the job goes on, and what could not be rendered is said out loud."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.cli import batchtts
from support.ledger import chapter_bytes, rows, takes

BOOK = "\n\n".join(
    ["# One", "The first line.", "A poison line, endless and unlucky.", "The last line.", "# Two", *"ABCDEFGH"]
)


def render(folder: Path, engine: str, *options: str, expect: int = 0) -> Path:
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    result = batchtts("render", "book.md", "--engine", engine, *options, cwd=folder)
    assert result.code == expect, result.err
    return folder / "book"


def status(folder: Path) -> dict[str, Any]:
    result = batchtts("status", "book", "--json", cwd=folder.parent)
    data: dict[str, Any] = json.loads(result.out)[0]
    return data


def test_running_short_of_memory_again_and_again_changes_nothing_in_the_result(tmp_path: Path) -> None:
    """Errors at every other batch: the chapters equal those of an undisturbed run, byte for byte."""
    (tmp_path / "calm").mkdir()
    calm = render(tmp_path / "calm", "silent")
    short = render(tmp_path, "engines.faulty:short_of_memory")
    assert chapter_bytes(short) == chapter_bytes(calm)
    assert takes(short).keys() == takes(calm).keys()
    assert rows(short, "select count(*) from events where kind = 'memory'")[0][0] > 0


def test_a_sentence_that_runs_out_of_memory_alone_is_flagged_and_the_rest_is_done(tmp_path: Path) -> None:
    """Exit 5; `status` names it; the other chapter is whole, and `redo --flagged` mends it where there is memory."""
    folder = render(tmp_path, "engines.faulty:poisoned", expect=5)
    told = status(folder)
    assert told["failed"] == 1
    assert told["done"] == told["sentences"] - 1
    assert "poison" in told["problems"][0]["text"]
    assert "002 Two.wav" in chapter_bytes(folder)


def test_a_row_that_never_ends_is_a_failed_take_and_not_a_clip(tmp_path: Path) -> None:
    """Its takes are counted and bounded by --retries."""
    folder = render(tmp_path, "engines.faulty:capped", "--retries", "1", expect=5)
    told = status(folder)
    assert told["failed"] == 1
    assert told["problems"][0]["flags"].startswith("cap")
    assert len(list((folder / "clips").rglob("*.flac"))) == told["sentences"] - 1


def test_a_take_that_fails_once_is_tried_again(tmp_path: Path) -> None:
    """Complete, with one take more."""
    folder = render(tmp_path, "engines.faulty:unlucky")
    told = status(folder)
    assert (told["failed"], told["flagged"]) == (0, 0)
    assert told["takes"] == told["sentences"] + 1


def test_a_voice_that_says_nothing_is_flagged(tmp_path: Path) -> None:
    """A clip of silence is kept as the best there is, and the exit code says that someone should listen."""
    folder = render(tmp_path, "engines.faulty:mute", expect=5)
    told = status(folder)
    assert told["flagged"] == told["sentences"]


def test_flagged_sentences_get_new_takes(tmp_path: Path) -> None:
    """`redo --flagged` asks for those alone."""
    folder = render(tmp_path, "engines.faulty:capped", "--retries", "0", expect=5)
    before = takes(folder)
    again = batchtts("redo", "book", "--flagged", "--retries", "0", cwd=tmp_path)
    assert again.code == 5, again.err
    new = takes(folder).keys() - before.keys()
    assert len(new) == 1
    assert {take for _, take in new} == {2}
