"""`read` is the one door: it picks the reader, and refuses what is no document."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pytest

from batchtts.errors import InputRejected, UsageError
from batchtts.model import BlockKind
from batchtts.read import read
from batchtts.settings import ReadSettings

PLAIN = ReadSettings()


def test_a_document_knows_its_source(tmp_path: Path) -> None:
    """Name, hash of the bytes, decoded text, encoding."""
    data = "第一章\n\n一。\r\n".encode("gbk")
    (tmp_path / "书.txt").write_bytes(data)
    document = read(tmp_path / "书.txt", PLAIN)
    assert document.name == "书.txt"
    assert document.hash == hashlib.sha256(data).hexdigest()
    assert document.source == "第一章\n\n一。\n"
    assert document.encoding == "gb18030"


@pytest.mark.parametrize(
    ("name", "form", "kind"),
    [
        ("a.md", None, BlockKind.HEADING),
        ("a.MARKDOWN", None, BlockKind.HEADING),
        ("a.txt", None, BlockKind.PARAGRAPH),
        ("a.txt", "md", BlockKind.HEADING),
        ("a.md", "txt", BlockKind.PARAGRAPH),
        ("a", None, BlockKind.PARAGRAPH),
        ("a.story", None, BlockKind.PARAGRAPH),
    ],
)
def test_the_suffix_or_the_option_picks_the_reader(
    tmp_path: Path, name: str, form: str | None, kind: BlockKind
) -> None:
    """An unknown suffix is tried as plain text."""
    (tmp_path / name).write_text("# One\n")
    assert read(tmp_path / name, ReadSettings(format=form)).blocks[0].kind is kind


def test_standard_input_is_a_source() -> None:
    """As plain text, or as what the option says."""
    assert read("-", PLAIN, io.BytesIO(b"One.")).name == "-"
    document = read("-", ReadSettings(format="md"), io.BytesIO(b"# One"))
    assert document.blocks[0].kind is BlockKind.HEADING


def test_an_unknown_format_is_a_usage_error(tmp_path: Path) -> None:
    """It lists the known ones."""
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(UsageError, match="txt, md"):
        read(tmp_path / "a.txt", ReadSettings(format="pdf"))


@pytest.mark.parametrize("name", ["book.epub", "book.PDF", "song.mp3"])
def test_a_format_without_a_reader_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """Before its bytes are called broken text."""
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    with pytest.raises(InputRejected, match="no reader"):
        read(tmp_path / name, PLAIN)


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    """Missing, a folder, a NUL in the name, a device."""
    for source in (tmp_path / "none.txt", tmp_path, Path("a\0b.txt"), Path("/dev/null")):
        with pytest.raises(InputRejected):
            read(source, PLAIN)


@pytest.mark.parametrize("data", [b"", b" \n\t\n", "\ufeff".encode(), "　\u2028".encode()])
def test_a_source_without_text_is_refused(tmp_path: Path, data: bytes) -> None:
    """Empty or white."""
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(InputRejected):
        read(tmp_path / "a.txt", PLAIN)


def test_a_dump_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """A sparse file of a terabyte costs nothing."""
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputRejected, match="limit"):
        read(tmp_path / "a.txt", PLAIN)
