"""Bad input gets one clear line and the exit code of the contract; nothing is left behind."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.cli import BOOK, COMMAND, batchtts, environment
from support.ledger import takes


def one_line(err: str) -> str:
    lines = err.strip().splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("batchtts: ")
    assert "Traceback" not in err
    return lines[0]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("blank.txt", b" \n\n\t \n"),
        ("marks.txt", "……！！？？".encode()),
        ("binary.txt", bytes(range(256)) * 40),
        ("nul.txt", b"abc\0def\0" * 100),
        ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(200)),
        ("broken.txt", "好的，这里坏了".encode() + b"\xff\xfe\xff\x81\x20\xff" * 30),
    ],
)
def test_a_source_that_is_no_text_is_rejected(tmp_path: Path, name: str, content: bytes) -> None:
    """Exit 3, the line names the file, and no job folder appears."""
    (tmp_path / name).write_bytes(content)
    result = batchtts("render", name, "--engine", "silent", cwd=tmp_path)
    assert result.code == 3, result.err
    assert name in one_line(result.err)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_missing_source_is_rejected(tmp_path: Path) -> None:
    """Exit 3."""
    result = batchtts("render", "nowhere.txt", "--engine", "silent", cwd=tmp_path)
    assert result.code == 3
    assert "nowhere.txt" in one_line(result.err)


def test_a_folder_as_source_is_rejected(tmp_path: Path) -> None:
    """Exit 3."""
    (tmp_path / "folder").mkdir()
    result = batchtts("render", "folder", "--engine", "silent", cwd=tmp_path)
    assert result.code == 3
    assert "folder" in one_line(result.err)


@pytest.mark.parametrize("arguments", [["--encoding", "klingon"], ["--encoding", "ascii"]])
def test_a_wrong_encoding_option_is_told(tmp_path: Path, arguments: list[str]) -> None:
    """What was asked for is what is used; when it cannot be, the line says so."""
    (tmp_path / "zh.txt").write_text("中文。", encoding="utf-8")
    result = batchtts("render", "zh.txt", "--engine", "silent", *arguments, cwd=tmp_path)
    assert result.code in (2, 3)
    assert arguments[1] in one_line(result.err)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--engine", "nonesuch"], "nonesuch"),
        (["--engine", "nonesuch:spec"], "nonesuch"),
        (["--engine", "kokoro", "--voice", "nobody"], "nobody"),
        (["--engine", "chattts", "--model-dir", "nomodel"], "nomodel"),
        (["--model-dir", "nomodel"], "nomodel"),
    ],
)
def test_what_is_not_installed_is_exit_4(tmp_path: Path, arguments: list[str], word: str) -> None:
    """An unknown engine, voice or model is told before anything is made."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    result = batchtts("render", "book.md", *arguments, cwd=tmp_path)
    assert result.code == 4, result.err
    assert word in one_line(result.err)
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize("arguments", [["--max-tokens", "0"], ["--rows", "x"], ["--nonesuch"], []])
def test_a_wrong_option_is_exit_2(tmp_path: Path, arguments: list[str]) -> None:
    """click's own message, and no job folder."""
    source = ["book.md"] if arguments else []
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    assert batchtts("render", *source, *arguments, cwd=tmp_path).code == 2
    assert not (tmp_path / "book").exists()


def test_an_output_that_is_a_file_is_told(tmp_path: Path) -> None:
    """The file is not touched."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    (tmp_path / "taken").write_text("mine")
    result = batchtts("render", "book.md", "-o", "taken", "--engine", "silent", cwd=tmp_path)
    assert result.code == 1
    assert "taken" in one_line(result.err)
    assert (tmp_path / "taken").read_text() == "mine"


def test_an_unwritable_folder_is_told(tmp_path: Path) -> None:
    """Exit 1, one line. (Nobody writes to /proc, root neither.)"""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    result = batchtts("render", "book.md", "-o", "/proc/book", "--engine", "silent", cwd=tmp_path)
    assert result.code == 1
    assert "/proc/book" in one_line(result.err)


def test_a_full_disk_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    """Exit 1 and one line that says what to do; with room again the same command finishes the job."""
    (tmp_path / "book.md").write_text(BOOK * 3, encoding="utf-8")
    full = batchtts("render", "book.md", "--engine", "engines.full_disk:spec", cwd=tmp_path)
    assert full.code == 1, full.err
    assert "No space left" in full.err.strip().splitlines()[-1]
    kept = takes(tmp_path / "book")
    assert kept
    result = batchtts("render", "book.md", "--engine", "silent", cwd=tmp_path)
    assert result.code == 0, result.err
    assert kept.items() <= takes(tmp_path / "book").items()


def test_a_command_on_a_folder_without_a_job_is_exit_2(tmp_path: Path) -> None:
    """The line says how to begin one."""
    for command in (["status"], ["verify", "."], ["redo", ".", "--flagged"]):
        result = batchtts(*command, cwd=tmp_path)
        assert result.code == 2
        assert "batchtts render" in one_line(result.err)


def test_a_traceback_is_shown_only_with_debug(tmp_path: Path) -> None:
    """For a bug report, not for a user."""
    assert "Traceback" in batchtts("render", "nowhere.txt", "--debug", cwd=tmp_path).err


def test_closed_streams_and_poor_locales_do_no_harm(tmp_path: Path) -> None:
    """As cron and old containers start programs."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    shell = f"{COMMAND} render book.md --engine silent"
    environ = {**environment(), "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for closed in ("<&- >&- 2>&-", "2>&-", "<&-"):
        assert subprocess.run(f"{shell} -o out {closed}", shell=True, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "zh.txt").write_text("第一章 春\n天气好。", encoding="utf-8")
    shown = subprocess.run([COMMAND, "plan", "zh.txt", "--engine", "silent"], cwd=tmp_path, env=environ, check=False)
    assert shown.returncode == 0
