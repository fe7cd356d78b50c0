"""The tables of `job.db`, as numbered migrations. `PRAGMA user_version` says how far a file has come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.errors import JobBroken

if TYPE_CHECKING:
    import sqlite3

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
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("integrity_check failed")
        db = Database(connection)
        _migrate(db, path)
        _check_content(connection)
    except sqlite3.OperationalError as error:
        _close(connection)
        raise JobBroken(f"{path}: cannot open the ledger ({error}); check the folder's permissions and disk") from error
    except sqlite3.DatabaseError as error:
        _close(connection)
        raise LedgerDamaged(
            f"{path}: the ledger is damaged ({error}); `batchtts render` sets it aside and rebuilds it from the clips"
        ) from error
    return db


_COLUMNS = {
    "job": "source_name, source_hash, title, engine, fingerprint, voice, rate, settings, version, created",
    "chapters": "idx, title, signature, samples, file, sha256, bytes, mtime_ns",
    "sentences": "id, chapter, key, pause",
    "utterances": "key, text, voice, tokens, position, status, takes, tries_left, best_take",
    "takes": "key, take, outcome, flags, score, file, sha256, bytes, mtime_ns, samples, frames, at",
    "events": "at, kind",
}
"""Columns that decide what is done and what is shown. The text of sentences is not among them: each run writes it anew
from the source."""
_HEX = "'*[^0-9a-f]*'"
_IMPOSSIBLE = (
    "select 1 from utterances where status not in ('pending', 'done', 'flagged', 'failed')",
    f"select 1 from utterances where length(key) != 32 or key glob {_HEX}",
    f"select 1 from takes where length(key) != 32 or key glob {_HEX} or take < 1",
    f"select 1 from takes where file is not null and (length(sha256) != 64 or sha256 glob {_HEX})",
    "select 1 from job where json_valid(settings) = 0",
    "select 1 from takes where at not glob '20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].*'",
    "select 1 from events where at not glob '20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].*'",
)
"""What no version ever wrote: a byte that has changed on the disk, which SQLite itself does not notice."""


def _check_content(connection: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError for text that is none, and for values that cannot be."""
    import sqlite3

    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        for table, columns in _COLUMNS.items():
            for row in connection.execute(f"select {columns} from {table}"):
                if any(isinstance(value, str) and not value.isascii() and _broken(value) for value in row):
                    raise sqlite3.DatabaseError(f"a text in table {table} is not UTF-8")
        for query in _IMPOSSIBLE:
            if connection.execute(query).fetchone():
                raise sqlite3.DatabaseError(f"an impossible value: {query}")
    except sqlite3.OperationalError as error:  # a name in the schema has changed
        raise sqlite3.DatabaseError(str(error)) from error
    finally:
        connection.text_factory = str


def _broken(text: str) -> bool:
    return any("\udc80" <= char <= "\udcff" for char in text)


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
