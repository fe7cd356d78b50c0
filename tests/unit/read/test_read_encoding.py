"""Bytes become text, in whatever encoding books come."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.errors import InputRejected
from batchtts.read.encoding import decode

SIMPLIFIED = "第一章 春天\n今天天气很好，我们去公园散步。\n"
TRADITIONAL = "第一章 春天\n今天天氣很好，我們去公園散步，說說話。\n"
ENGLISH = "Chapter 1\nIt was a bright cold day in April.\n"
SHORT = "他说：“你好。”"


@pytest.mark.parametrize("text", [SIMPLIFIED, TRADITIONAL, ENGLISH, SHORT])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "utf-32"])
def test_encodings_of_unicode_are_told_apart(text: str, encoding: str) -> None:
    """With a mark or without one, down to a single line."""
    assert decode(text.encode(encoding), "book.txt")[0] == text


@pytest.mark.parametrize(
    ("text", "encoding", "found"),
    [
        (SIMPLIFIED, "gbk", "gb18030"),
        (SHORT, "gb2312", "gb18030"),
        (SIMPLIFIED * 400, "gbk", "gb18030"),
        (TRADITIONAL, "big5", "big5"),
        ("我們說話。", "big5", "big5"),
        (TRADITIONAL * 400, "big5", "big5"),
    ],
)
def test_the_chinese_code_pages_are_told_apart(text: str, encoding: str, found: str) -> None:
    """GBK and Big5 share nearly all byte pairs: only what the characters mean tells which it is."""
    assert decode(text.encode(encoding), "book.txt") == (text, found)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Où est passé l'été ? Après la pluie, les élèves rentrèrent à l'école, très fatigués. " * 20, "cp1252"),
        ("“It’s late,” she said. The café was closed. " * 5, "cp1252"),
        ("Старый дом стоял на холме у моря. " * 10, "cp1251"),
    ],
)
def test_other_code_pages_are_left_to_the_detector(text: str, encoding: str) -> None:
    """Not every old file is Chinese."""
    assert decode(text.encode(encoding), "book.txt") == (text, encoding)


@pytest.mark.parametrize("text", ["a\r\nb\rc\nd", "一\r\n二"])
def test_line_ends_become_one_kind(text: str) -> None:
    """Spans must not depend on where a file was written."""
    assert "\r" not in decode(text.encode(), "book.txt")[0]


def test_a_named_encoding_wins() -> None:
    """Even over a better guess."""
    assert decode(SIMPLIFIED.encode("gbk"), "book.txt", "latin-1")[0] != SIMPLIFIED
    assert decode(SIMPLIFIED.encode("gbk"), "book.txt", "gbk") == (SIMPLIFIED, "gbk")


def test_a_wrong_encoding_names_the_first_bad_byte() -> None:
    """The user can look there."""
    with pytest.raises(InputRejected, match="not valid ascii: byte 0xe4 at offset 3"):
        decode(b"abc" + "一".encode(), "book.txt", "ascii")


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "hex", "zip"])
def test_what_is_no_text_encoding_is_refused(encoding: str) -> None:
    """Python's transforms included."""
    with pytest.raises(InputRejected, match=encoding):
        decode(b"abc", "book.txt", encoding)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"abc\x00def\x00\x01" * 50, "binary.*offset 3"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "binary"),
        (b"abc\x01def", "control byte 0x01 at offset 3"),
        ("好的，这里坏了。".encode() * 9 + b"\xff\x20" + "后来。".encode(), "no valid UTF-8 .*offset 216"),
        (codecs.BOM_UTF8 + b"abc\xff", "offset 6"),
        (codecs.BOM_UTF16_LE + "好".encode("utf-16-le") + b"\x00\xd8", "broken utf-16-le at offset 4"),
    ],
)
def test_what_is_no_text_is_refused_with_the_place(data: bytes, words: str) -> None:
    """The offset counts from the file's first byte."""
    with pytest.raises(InputRejected, match=words):
        decode(data, "book.txt")


@given(st.binary(max_size=200), st.none() | st.sampled_from(["utf-8", "gb18030", "utf-16"]))
def test_arbitrary_bytes_are_text_or_refused(data: bytes, encoding: str | None) -> None:
    """Never another exception, and never a NUL in what is called text."""
    try:
        text, _ = decode(data, "book.txt", encoding)
    except InputRejected:
        return
    assert "\0" not in text
    assert "\r" not in text


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=60))
def test_utf8_comes_back(text: str) -> None:
    """Whatever it says. (A mark at the head of a file is not text.)"""
    assert decode(text.encode(), "book.txt", "utf-8")[0] == text.removeprefix("\ufeff")
