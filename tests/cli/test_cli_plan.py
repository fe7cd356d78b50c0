"""`plan` shows the whole job before a second of it is rendered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.cli import BOOK, batchtts


def planned(tmp_path: Path, *arguments: str, text: str = BOOK) -> dict[str, Any]:
    (tmp_path / "book.md").write_text(text, encoding="utf-8")
    result = batchtts("plan", "book.md", "--engine", "silent", "--json", *arguments, cwd=tmp_path)
    assert result.code == 0, result.err
    document: dict[str, Any] = json.loads(result.out)
    return document


def test_json_holds_the_contract(tmp_path: Path) -> None:
    """The fields that programs read are there, and belong together."""
    plan = planned(tmp_path)
    assert [chapter["title"] for chapter in plan["chapters"]] == ["Chapter 1", "Chapter 2"]
    assert {sentence["chapter"] for sentence in plan["sentences"]} <= {chapter["index"] for chapter in plan["chapters"]}
    assert [sentence["id"] for sentence in plan["sentences"]] == list(range(1, len(plan["sentences"]) + 1))
    for sentence in plan["sentences"]:
        assert sentence["spoken"]
        assert sentence["tokens"] > 0
        assert sentence["boundary"] in ("clause", "sentence", "paragraph", "section", "chapter")
    assert plan["sentences"][-1]["boundary"] == "chapter"
    assert 0 <= plan["padding"] < 1
    assert plan["estimate"]["audio_s"] > 1
    assert plan["estimate"]["disk_bytes"] > 10_000
    assert plan["estimate"]["render_s"] >= 0


def test_batches_keep_the_budget(tmp_path: Path) -> None:
    """`--max-tokens` is never passed by a batch of several rows, and every distinct sentence is in one batch."""
    text = "\n\n".join(f"Sentence number {number} says {'word ' * (number % 13)}here." for number in range(120))
    plan = planned(tmp_path, "--max-tokens", "200", text=text)
    assert all(batch["tokens"] <= 200 or batch["rows"] == 1 for batch in plan["batches"])
    assert sum(batch["rows"] for batch in plan["batches"]) == len({s["spoken"] for s in plan["sentences"]})


def test_a_plan_leaves_nothing_behind(tmp_path: Path) -> None:
    """It only looks."""
    planned(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["book.md"]


def test_a_person_sees_chapters_batches_time_and_disk(tmp_path: Path) -> None:
    """The short form fits on a screen."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    out = batchtts("plan", "book.md", "--engine", "silent", cwd=tmp_path).out
    for word in ("Chapter 1", "Chapter 2", "sentences", "batches", "padding", "audio", "time", "disk"):
        assert word in out


def test_plan_reads_standard_input(tmp_path: Path) -> None:
    """So an article can be piped in."""
    result = batchtts("plan", "-", "--engine", "silent", "--json", cwd=tmp_path, stdin="好。".encode())
    assert result.code == 0, result.err
    assert json.loads(result.out)["sentences"]
