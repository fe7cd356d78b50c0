"""Getting the published model: from the hub or a mirror of it, file by file, resumable, verified."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.engines.chattts import checkpoint
from batchtts.engines.chattts.checkpoint import FILES, ModelInfo, Progress
from batchtts.errors import EngineUnavailable, UsageError

if TYPE_CHECKING:
    import requests

REPOSITORY = "2Noise/ChatTTS"
NOTICE = "ChatTTS weights: about 1.1 GB, licence CC BY-NC 4.0 (attribution, no commercial use)"
"""To be shown before a download begins."""

CONNECT_TIMEOUT = 5.0
READ_TIMEOUT = 30.0
CHUNK = 1 << 16
"""Bytes written at a time; as much may be lost when a connection breaks."""
ATTEMPTS = 5
"""Tries in a row that bring nothing new before a file is given up. The first one must connect."""


def fetch(
    folder: Path,
    endpoint: str | None = None,
    progress: Progress | None = None,
    environ: Mapping[str, str] = os.environ,
) -> ModelInfo:
    """Download the published model into `folder` and verify it.

    `endpoint` is the hub or a mirror (`https://host`), default `HF_ENDPOINT`, then the hub itself. What is there and
    right is kept; a file in transit is `*.part` and goes on where it stopped, in this call or a later one.
    Raises EngineUnavailable: no connection, no such file, wrong content; UsageError for an endpoint that is no address
    and for a folder with a random checkpoint.
    """
    import requests

    base = endpoint or environ.get("HF_ENDPOINT") or _default_endpoint()
    if not base.startswith(("http://", "https://")):
        raise UsageError(f"{base!r} is not the address of a hub or mirror; it begins with https://")
    if (folder / checkpoint.MANIFEST).exists():
        raise UsageError(f"{folder} holds a random checkpoint; name another folder for the published model")
    wanted = checkpoint.published_sums()
    with requests.Session() as session:
        session.headers["Accept-Encoding"] = "identity"  # a compressed body could not be resumed by byte position
        for name in FILES:
            url = f"{base.rstrip('/')}/{REPOSITORY}/resolve/main/{name}"
            _fetch_file(session, url, folder / name, name, wanted[name], progress)
    return checkpoint.verify(folder, progress)


def _default_endpoint() -> str:
    from huggingface_hub import constants

    return str(constants.ENDPOINT)


def _fetch_file(
    session: requests.Session, url: str, path: Path, name: str, wanted: str, progress: Progress | None
) -> None:
    if path.is_file() and checkpoint.file_sum(path) == wanted:
        return
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(2 if part.exists() else 1):  # an old part may be wrong: then once more from the start
            _download(session, url, part, name, progress)
            if checkpoint.file_sum(part) == wanted:
                part.replace(path)
                return
            part.unlink()
    except OSError as error:
        raise _explained(error, url, path) from error
    raise EngineUnavailable(f"{url} is not the published file (its SHA-256 differs); try another --endpoint")


def _download(session: requests.Session, url: str, part: Path, name: str, progress: Progress | None) -> None:
    """Bring `part` to its full length, over as many connections as it takes while each brings something."""
    import requests

    idle = 0
    while True:
        before = part.stat().st_size if part.exists() else 0
        try:
            _transfer(session, url, part, name, progress)
            return
        except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError):
            after = part.stat().st_size if part.exists() else 0
            idle = 0 if after > before else idle + 1
            if after == 0 or idle >= ATTEMPTS:
                raise
            time.sleep(min(idle, 3))


def _transfer(session: requests.Session, url: str, part: Path, name: str, progress: Progress | None) -> None:
    """One request; appends to `part` what the server sends from there on. Raises requests' errors."""
    import requests

    have = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with session.get(url, headers=headers, stream=True, timeout=(CONNECT_TIMEOUT, READ_TIMEOUT)) as answer:
        if answer.status_code == requests.codes.requested_range_not_satisfiable:
            return  # nothing follows what is there: its sum will tell whether it is the file
        answer.raise_for_status()
        if answer.status_code != requests.codes.partial_content:
            have = 0  # the server sends the whole file
        total = have + int(answer.headers.get("Content-Length") or 0)
        with part.open("ab" if have else "wb") as file:
            for chunk in answer.iter_content(CHUNK):
                file.write(chunk)
                have += len(chunk)
                if progress:
                    progress(name, have, total)
    if have < total:
        raise requests.ConnectionError(f"{url} ended after {have} of {total} bytes")


def _explained(error: OSError, url: str, path: Path) -> EngineUnavailable:
    """requests' errors are OSErrors too: tell the net from the disk."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return EngineUnavailable(f"{url}: the server answered {error.response.status_code}; try another --endpoint")
    if isinstance(error, requests.RequestException):
        return EngineUnavailable(
            f"cannot reach {url}: no connection, or it broke off; run the same command again to go on, "
            "or name a mirror with --endpoint or HF_ENDPOINT"
        )
    return EngineUnavailable(f"cannot write {path}: {error.strerror or error}")
