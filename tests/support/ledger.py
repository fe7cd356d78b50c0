"""Looks into a job folder from outside, as a second program would."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{folder / 'job.db'}?mode=ro", uri=True, timeout=10)) as connection:
        return connection.execute(sql).fetchall()


def takes(folder: Path) -> dict[tuple[str, int], str]:
    """(key, take) -> when it was recorded."""
    return {(key, take): at for key, take, at in rows(folder, "select key, take, at from takes")}


def known_takes(folder: Path) -> dict[tuple[str, int], str]:
    """The takes so far; none while a process that is at work, or was killed, has not yet made the tables."""
    try:
        return takes(folder)
    except sqlite3.OperationalError:
        return {}


def chapter_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "chapters").glob("*.wav"))}


def strays(folder: Path) -> list[str]:
    """Files that no finished job should hold."""
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if ".part" in path.name or ".tmp" in path.name]
