"""A file becomes a `Document`: suffix to reader, one file a format."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from batchtts.errors import InputRejected, UsageError
from batchtts.model import Document
from batchtts.read.encoding import decode
from batchtts.read.found import Found
from batchtts.read.markdown import read_markdown
from batchtts.read.text import read_text
from batchtts.settings import ReadSettings

LARGEST = 64 * 2**20
"""Bytes. A thousand-page novel is about 3 MB; beyond this it is a dump or a mistake."""

READERS: Mapping[str, Callable[[str], Found]] = {"txt": read_text, "md": read_markdown}
SUFFIXES: Mapping[str, str] = {".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md"}
OTHER_FORMATS = frozenset(
    f".{name}"
    for name in "epub mobi azw azw3 pdf doc docx odt rtf html htm xhtml zip gz 7z rar tar png jpg jpeg gif mp3 wav m4a"
    " m4b flac ogg mp4 xls xlsx ppt pptx exe so db".split()
)
"""Suffixes of well-known formats that no reader takes; any other suffix is tried as plain text."""


def read(source: Path | str, settings: ReadSettings, stdin: BinaryIO | None = None) -> Document:
    """Read a file, or standard input when `source` is `-`.

    Raises InputRejected when there is no text to be had from it, UsageError for an unknown `settings.format`.
    """
    name, data = _standard_input(stdin) if str(source) == "-" else _file(Path(source))
    form = _format(name, settings)
    if not data:
        raise InputRejected(f"{name} is empty; give a file with text in it")
    text, encoding = decode(data, name, settings.encoding)
    if not text.strip():
        raise InputRejected(f"{name} holds nothing but white space; give a file with text in it")
    found = READERS[form](text)
    return Document(
        name=name,
        hash=hashlib.sha256(data).hexdigest(),
        source=text,
        blocks=found.blocks,
        drops=found.drops,
        metadata=found.metadata,
        encoding=encoding,
    )


def _standard_input(stdin: BinaryIO | None) -> tuple[str, bytes]:
    data = (stdin or sys.stdin.buffer).read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputRejected(f"standard input is larger than {LARGEST >> 20} MiB; split it into parts")
    return "-", data


def _file(path: Path) -> tuple[str, bytes]:
    try:
        if path.is_dir():
            raise InputRejected(f"{path} is a folder; name a file in it")
        if not path.exists():
            raise InputRejected(f"{path}: no such file; check the path")
        if not path.is_file():
            raise InputRejected(f"{path} is no regular file; pipe it in and use - as the source")
        if path.suffix.lower() in OTHER_FORMATS:
            known = ", ".join(SUFFIXES)
            raise InputRejected(f"{path}: no reader for {path.suffix} files; known are {known} (convert it first)")
        size = path.stat().st_size
        if size > LARGEST:
            raise InputRejected(f"{path} has {size >> 20} MiB, the limit is {LARGEST >> 20} MiB; split it into parts")
        return path.name, path.read_bytes()
    except PermissionError:
        raise InputRejected(f"{path}: permission denied; make it readable for this user") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputRejected(f"{path} cannot be read: {reason}") from None


def _format(name: str, settings: ReadSettings) -> str:
    if settings.format is None:
        return SUFFIXES.get(Path(name).suffix.lower(), "txt")
    if settings.format not in READERS:
        raise UsageError(f"no format {settings.format!r}; known are {', '.join(READERS)}")
    return settings.format
