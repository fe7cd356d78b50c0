"""`render`, `status`, `verify`, `redo`: one job from its beginning to new takes, through the installed command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import soundfile
from support.cli import BOOK, batchtts
from support.ledger import chapter_bytes, strays, takes


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.md"
    path.write_text(BOOK, encoding="utf-8")
    return path


def rendered(book: Path) -> Path:
    result = batchtts("render", book.name, "--engine", "silent", cwd=book.parent)
    assert result.code == 0, result.err
    return book.parent / "book"


def test_a_book_becomes_chapter_files(book: Path) -> None:
    """One WAV a chapter, 24 kHz mono 16 bit, named by number and title, and nothing half-written beside them."""
    folder = rendered(book)
    assert list(chapter_bytes(folder)) == ["001 Chapter 1.wav", "002 Chapter 2.wav"]
    for path in (folder / "chapters").iterdir():
        info = soundfile.info(str(path))
        assert (info.samplerate, info.channels, info.subtype) == (24000, 1, "PCM_16")
        assert info.duration > 2
    assert strays(folder) == []


def test_the_same_command_again_renders_nothing(book: Path) -> None:
    """A finished job is recognised; its files are not touched."""
    folder = rendered(book)
    before, stamp = takes(folder), (folder / "chapters" / "001 Chapter 1.wav").stat().st_mtime_ns
    rendered(book)
    assert takes(folder) == before
    assert (folder / "chapters" / "001 Chapter 1.wav").stat().st_mtime_ns == stamp


def test_standard_input_is_a_source(tmp_path: Path) -> None:
    """`-` needs -o, since it has no name."""
    result = batchtts("render", "-", "-o", "spoken", "--engine", "silent", cwd=tmp_path, stdin="你好。世界。".encode())
    assert result.code == 0, result.err
    assert len(chapter_bytes(tmp_path / "spoken")) == 1
    assert batchtts("render", "-", "--engine", "silent", cwd=tmp_path, stdin=b"Hello.").code == 2


def test_status_says_what_is_done(book: Path) -> None:
    """For a person at a glance, for a program as JSON."""
    rendered(book)
    human = batchtts("status", "book", cwd=book.parent)
    assert "100%" in human.out
    assert "complete" in human.out
    data = json.loads(batchtts("status", "book", "--json", cwd=book.parent).out)
    assert data[0]["left"] == data[0]["failed"] == data[0]["flagged"] == 0
    assert [chapter["file"] for chapter in data[0]["chapters"]] == ["001 Chapter 1.wav", "002 Chapter 2.wav"]


def test_status_of_a_folder_of_jobs_shows_each(book: Path) -> None:
    """A pipeline's output folder is a list of books."""
    rendered(book)
    data = json.loads(batchtts("status", ".", "--json", cwd=book.parent).out)
    assert [job["folder"] for job in data] == ["book"]


@pytest.mark.parametrize("harm", ["delete", "alter"])
def test_a_harmed_clip_is_found_and_mended(book: Path, harm: str) -> None:
    """`verify` names it and exits 5; `render` makes that one clip anew and the chapter is as it was."""
    folder = rendered(book)
    good = chapter_bytes(folder)
    clip = next((folder / "clips").rglob("*.flac"))
    if harm == "delete":
        clip.unlink()
    else:
        data = clip.read_bytes()
        clip.write_bytes(data[:-4] + b"oops")
    result = batchtts("verify", "book", cwd=book.parent)
    assert result.code == 5
    assert clip.name in result.out
    before = len(takes(folder))
    rendered(book)
    assert len(takes(folder)) == before + 1
    assert set(chapter_bytes(folder)) == set(good)
    assert batchtts("verify", "book", cwd=book.parent).code == 0


def test_a_lost_chapter_file_is_stitched_again_without_rendering(book: Path) -> None:
    """Clips are the truth; chapters are made from them."""
    folder = rendered(book)
    good, before = chapter_bytes(folder), takes(folder)
    (folder / "chapters" / "002 Chapter 2.wav").unlink()
    assert batchtts("verify", "book", cwd=book.parent).code == 5
    rendered(book)
    assert chapter_bytes(folder) == good
    assert takes(folder) == before


def test_redo_makes_a_new_take_of_one_sentence(book: Path) -> None:
    """Only its chapter changes."""
    folder = rendered(book)
    good = chapter_bytes(folder)
    result = batchtts("redo", "book", "--sentence", "2", cwd=book.parent)
    assert result.code == 0, result.err
    assert sum(take == 2 for _, take in takes(folder)) == 1
    now = chapter_bytes(folder)
    assert now["001 Chapter 1.wav"] != good["001 Chapter 1.wav"]
    assert now["002 Chapter 2.wav"] == good["002 Chapter 2.wav"]


@pytest.mark.parametrize("choice", [["--sentence", "99"], ["--chapter", "9"], []])
def test_redo_of_what_is_not_there_is_a_usage_error(book: Path, choice: list[str]) -> None:
    """The line says what there is."""
    rendered(book)
    result = batchtts("redo", "book", *choice, cwd=book.parent)
    assert result.code == 2
    assert len(result.err.strip().splitlines()) == 1


def test_an_edited_book_renders_only_the_new_sentence(book: Path) -> None:
    """The rest keeps its clips; the chapter is stitched again."""
    folder = rendered(book)
    before = len(takes(folder))
    book.write_text(BOOK.replace("A new paragraph begins.", "A wholly different paragraph."), encoding="utf-8")
    rendered(book)
    assert len(takes(folder)) == before + 1


def test_chapters_that_an_edit_removed_or_renamed_leave_no_file(book: Path) -> None:
    """The folder holds the book as it is now."""
    folder = rendered(book)
    book.write_text("# Only\n\nThe first line stands here.", encoding="utf-8")
    rendered(book)
    assert list(chapter_bytes(folder)) == ["001 Only.wav"]
    assert batchtts("verify", "book", cwd=book.parent).code == 0


@pytest.mark.parametrize("step", [0, 3, 7])
def test_flipped_bytes_in_the_ledger_never_lose_a_sentence(book: Path, step: int) -> None:
    """Whatever they hit: the run mends it, or sets the ledger aside, and the chapters are as they were."""
    folder = rendered(book)
    good = chapter_bytes(folder)
    data = bytearray((folder / "job.db").read_bytes())
    for place in range(4096 + 31 * step, len(data), 499 + 64 * step):
        data[place] ^= 0xFF
    (folder / "job.db").write_bytes(data)
    status = batchtts("status", "book", cwd=book.parent)
    assert "Traceback" not in status.err
    assert "unexpected" not in status.err
    result = batchtts("render", book.name, "--engine", "silent", cwd=book.parent)
    assert result.code == 0, result.err
    assert chapter_bytes(folder) == good
    assert batchtts("verify", "book", cwd=book.parent).code == 0


def test_a_damaged_ledger_is_set_aside_and_the_clips_are_kept(book: Path) -> None:
    """Nothing is rendered again, and the chapters are as they were."""
    folder = rendered(book)
    good = chapter_bytes(folder)
    mtimes = {path: path.stat().st_mtime_ns for path in (folder / "clips").rglob("*.flac")}
    (folder / "job.db").write_bytes(b"garbage" * 1000)
    assert batchtts("status", "book", cwd=book.parent).code == 1
    result = batchtts("render", book.name, "--engine", "silent", cwd=book.parent)
    assert result.code == 0, result.err
    assert "job.db.damaged-1" in result.err
    assert {path: path.stat().st_mtime_ns for path in (folder / "clips").rglob("*.flac")} == mtimes
    assert chapter_bytes(folder) == good


def test_another_engine_voice_or_source_in_the_same_folder_is_refused(book: Path) -> None:
    """Exit 2, with the way out; the job is not touched."""
    folder = rendered(book)
    before = takes(folder)
    other = batchtts("render", "book.md", "--engine", "kokoro", cwd=book.parent)
    assert other.code == 2
    assert "--engine silent" in other.err
    (book.parent / "other.md").write_text(BOOK, encoding="utf-8")
    result = batchtts("render", "other.md", "-o", "book", "--engine", "silent", cwd=book.parent)
    assert result.code == 2
    assert "-o" in result.err
    assert takes(folder) == before


def test_auto_keeps_the_engine_that_the_job_began_with(book: Path) -> None:
    """A model that was installed in the meantime does not change the voice in the middle of a book."""
    folder = rendered(book)
    before = takes(folder)
    result = batchtts("render", book.name, cwd=book.parent)
    assert result.code == 0, result.err
    assert takes(folder) == before


def test_several_sources_get_a_folder_each(book: Path) -> None:
    """One that is rejected does not keep the other from being rendered; the code says the worst."""
    (book.parent / "empty.txt").write_text("")
    result = batchtts("render", "empty.txt", "book.md", "-o", "out", "--engine", "silent", cwd=book.parent)
    assert result.code == 3
    assert len(chapter_bytes(book.parent / "out" / "book")) == 2
    assert not (book.parent / "out" / "empty").exists()
