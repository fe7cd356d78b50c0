"""A mirror of the hub on this machine, with faults on demand."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PREFIX = "/2Noise/ChatTTS/resolve/main/"


@dataclass
class Mirror:
    """Serves `folder` under the hub's paths; the other fields make it faulty."""

    folder: Path
    url: str = ""
    ranges: bool = True
    """Whether it honours `Range`; if not it sends the whole file, as some mirrors do."""
    breaks: dict[str, list[int]] = field(default_factory=dict)
    """File -> after how many bytes each next answer breaks off."""
    status: int = 200
    """Anything else is all that it answers."""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    """(file, Range) of each request."""
    sent: int = 0
    """Bytes of files."""


@contextmanager
def mirror(folder: Path) -> Iterator[Mirror]:
    state = Mirror(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(state: Mirror) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.removeprefix(PREFIX)
            asked = self.headers.get("Range")
            state.asked.append((name, asked))
            path = state.folder / name
            if state.status != 200 or not path.is_file():
                self.send_error(state.status if state.status != 200 else 404)
                return
            content = path.read_bytes()
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and state.ranges else 0
            if start >= len(content) > 0:
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            body = content[start:]
            if state.breaks.get(name):
                body = body[: state.breaks[name].pop(0)]
                self.close_connection = True
            self.wfile.write(body)
            state.sent += len(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
