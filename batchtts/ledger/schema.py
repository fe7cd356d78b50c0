"""The tables of `job.db`, as numbered migrations. `PRAGMA user_version` says how far a file has come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.errors import JobBroken

if TYPE_CHECKING:
    from sqlite_utils import Database

DATABASE = "job.db"


def _first(db: Database) -> None:
    """Everything that version 1 knows."""
    db.table("job").create(
        {
            "id": int,
            "source_name": str,
            "source_hash": str,
            "title": str,
            "engine": str,
            "fingerprint": str,
            "voice": str,
            "rate": int,
            "settings": str,
            "version": str,
            "created": str,
        },
        pk="id",
    )
    db.table("chapters").create(
        {
            "idx": int,
            "title": str,
            "signature": str,
            "samples": int,
            "file": str,
            "sha256": str,
            "bytes": int,
            "mtime_ns": int,
        },
        pk="idx",
    )
    db.table("sentences").create(
        {
            "id": int,
            "chapter": int,
            "text": str,
            "spoken": str,
            "edits": str,
            "boundary": str,
            "start": int,
            "end": int,
            "key": str,
            "tokens": int,
            "pause": float,
        },
        pk="id",
    ).create_index(["key"])
    db.table("utterances").create(
        {
            "key": str,
            "text": str,
            "voice": str,
            "tokens": int,
            "position": int,
            "status": str,
            "takes": int,
            "tries_left": int,
            "best_take": int,
        },
        pk="key",
    ).create_index(["status", "position"])
    db.table("takes").create(
        {
            "key": str,
            "take": int,
            "outcome": str,
            "flags": str,
            "score": float,
            "file": str,
            "sha256": str,
            "bytes": int,
            "mtime_ns": int,
            "samples": int,
            "frames": int,
            "at": str,
        },
        pk=("key", "take"),
    )
    db.table("events").create({"id": int, "at": str, "kind": str, "detail": str}, pk="id")


MIGRATIONS: tuple[Callable[[Database], None], ...] = (_first,)


def connect(path: Path, create: bool = False) -> Database:
    """Open a ledger and bring it up to date.

    Raises LedgerDamaged when the file is not a whole ledger, JobBroken when it cannot be opened or was written by a
    newer version, FileNotFoundError when there is none and `create` is false.
    """
    import sqlite3

    from sqlite_utils import Database

    if not create and not path.is_file():
        raise FileNotFoundError(path)
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(path, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("quick_check failed")
        db = Database(connection)
        _migrate(db, path)
    except sqlite3.OperationalError as error:
        _close(connection)
        raise JobBroken(f"{path}: cannot open the ledger ({error}); check the folder's permissions and disk") from error
    except sqlite3.DatabaseError as error:
        _close(connection)
        raise LedgerDamaged(
            f"{path}: the ledger is damaged ({error}); `batchtts render` sets it aside and rebuilds it from the clips"
        ) from error
    return db


class LedgerDamaged(JobBroken):
    """`job.db` is not a usable database. `render` sets it aside and rebuilds it."""


def _close(connection: object) -> None:
    import sqlite3

    if isinstance(connection, sqlite3.Connection):
        connection.close()


def _migrate(db: Database, path: Path) -> None:
    version = db.conn.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise JobBroken(f"{path}: written by a newer batchtts (ledger version {version}); upgrade batchtts to go on")
    for number, migration in enumerate(MIGRATIONS[version:], version + 1):
        with db.atomic():
            migration(db)
            db.conn.execute(f"PRAGMA user_version = {number}")


def set_aside(path: Path) -> Path:
    """Rename a damaged ledger (and its WAL) out of the way, never over an older one; returns the new path."""
    number = 1
    while (target := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(target)
    for suffix in ("-wal", "-shm"):
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.rename(target.with_name(target.name + suffix))
    return target
