"""File names for chapters: readable in any script, safe on any file system, unique."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

LONGEST = 200
"""Bytes of UTF-8. File systems take 255; temporary files and copies add to the name."""
SUFFIX = ".wav"
FORBIDDEN = frozenset('<>:"/\\|?*' + "⁄∕∖⧵⧸⧹／＼﹨")
"""What Windows or POSIX reserves, and what is taken for a path separator, by eye or by a code page's best fit."""


def chapter_file_names(titles: Sequence[str]) -> list[str]:
    """One file name for each chapter title, in order: `001 第一章 春.wav`.

    The number in front sorts the files, tells equal titles apart in any normal form and letter case, and makes device
    names such as `CON` impossible.

    >>> chapter_file_names(["第一章　春", "AC/DC?", ""])
    ['001 第一章 春.wav', '002 AC DC.wav', '003.wav']
    """
    width = max(3, len(str(len(titles))))
    return [_file_name(f"{number:0{width}d}", title) for number, title in enumerate(titles, 1)]


def _file_name(number: str, title: str) -> str:
    room = LONGEST - len(number) - len(" ") - len(SUFFIX)
    stem = _shortened(_clean(title), room).rstrip(". ")
    return f"{number} {stem}{SUFFIX}" if stem else number + SUFFIX


def _clean(title: str) -> str:
    """The title in NFC, without control, format, private and unassigned characters, and with single spaces."""
    kept = "".join(map(_kept, unicodedata.normalize("NFC", title)))
    return unicodedata.normalize("NFC", " ".join(kept.split()))


def _kept(character: str) -> str:
    if character in FORBIDDEN or character.isspace():
        return " "
    return "" if unicodedata.category(character).startswith("C") else character


def _shortened(text: str, room: int) -> str:
    """The longest start of `text` that takes at most `room` bytes and parts no letter from its marks."""
    data = text.encode()
    if len(data) <= room:
        return text
    end = len(data[:room].decode(errors="ignore"))
    whole = end
    while whole and _joins(text[whole]):
        whole -= 1
    return text[: whole or end]


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before it: accents, vowel signs, variation selectors, skin tones."""
    return unicodedata.category(character).startswith("M") or "\U0001f3fb" <= character <= "\U0001f3ff"
