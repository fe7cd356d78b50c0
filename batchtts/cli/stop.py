"""SIGINT, SIGTERM and SIGHUP ask for a clean stop; a second one stops at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import click

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def stop_on_signals() -> Iterator[Callable[[], bool]]:
    """While this runs, signals set a flag that the yielded function reads.

    Nothing is lost either way: a second signal raises KeyboardInterrupt, and every finished sentence is in the ledger.
    """
    asked = False

    def handle(number: int, _: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        name = signal.Signals(number).name
        click.echo(f"\nbatchtts: {name}: stopping after the sentence in work; once more stops at once", err=True)

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
