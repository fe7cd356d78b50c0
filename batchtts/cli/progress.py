"""Shows a run on stderr: a tqdm bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from batchtts.app.events import BackedOff, Began, ChapterDone, Event, Notice, TakeDone, TakeFailed
from batchtts.ledger.rows import Status

if TYPE_CHECKING:
    from tqdm import tqdm

QUIET_SECONDS = 60.0
"""Without a terminal, a line of progress at most this often."""


def clock(seconds: float) -> str:
    """`1:02:03`, or `2:03` under an hour.

    >>> clock(3723), clock(123)
    ('1:02:03', '2:03')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def shortened(text: str, most: int = 60) -> str:
    """A title or sentence as it may be shown on a terminal: one line, nothing that steers it.

    >>> shortened("a\\x1b[31m\\nb"), shortened("x" * 99, 4)
    ('a [31m b', 'xxx…')
    """
    plain = "".join(char if char.isprintable() else " " for char in text[: most + 1])
    return plain if len(plain) <= most else plain[: most - 1] + "…"


class Progress:
    """An `app.events.Observer`."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.bar: tqdm[Any] | None = None
        self.audio = 0.0
        """Seconds of audio finished by this run."""
        self.before = 0.0
        self.sentences = 0
        self.finished = 0
        self.started = time.monotonic()
        self.last_line = self.started

    def __call__(self, event: Event) -> None:
        match event:
            case Began():
                self._begin(event)
            case TakeDone():
                if event.status is not Status.PENDING:
                    self.audio += event.audio_s
                self._advance(event.sentences)
                if event.status is Status.FLAGGED:
                    self._say(f"flagged ({', '.join(event.flags)}): {shortened(event.text)}")
            case TakeFailed():
                self._advance(event.sentences)
                if event.status is not Status.PENDING:
                    self._say(f"{event.status} ({event.cause}): {shortened(event.text)}")
            case BackedOff():
                why = "out of memory" if event.memory else event.detail
                self._say(f"{why}: {event.rows} sentences go again, budget now {event.budget} tokens")
            case ChapterDone():
                self._say(f"chapter {event.index}: {event.file} ({clock(event.seconds)})")
            case Notice():
                self._say(event.text)

    def _begin(self, event: Began) -> None:
        self.before = event.audio_s
        self.sentences, self.finished = event.sentences, event.finished
        self.started = self.last_line = time.monotonic()
        self._say(
            f"{event.folder}: {event.engine}, voice {event.voice}; {event.sentences} sentences, {event.finished} done"
        )
        if sys.stderr.isatty() and not self.quiet and event.finished < event.sentences:
            from tqdm import tqdm

            self.bar = tqdm(
                total=event.sentences,
                initial=event.finished,
                unit="sentence",
                dynamic_ncols=True,
                bar_format="{percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} sentences{postfix}",
            )

    def _advance(self, sentences: int) -> None:
        self.finished += sentences
        if self.bar is not None:
            self.bar.set_postfix_str(self._figures(), refresh=False)
            self.bar.update(sentences)
        elif time.monotonic() - self.last_line >= QUIET_SECONDS:
            self.last_line = time.monotonic()
            self._say(f"{self.finished}/{self.sentences} sentences{', ' + self._figures()}")

    def _figures(self) -> str:
        """Audio so far, speed of this run, and what is left at that speed."""
        elapsed = time.monotonic() - self.started
        minutes = f"{(self.before + self.audio) / 60:.1f} min audio"
        if not self.audio or elapsed <= 0 or not self.finished:
            return minutes
        speed = self.audio / elapsed
        mean = (self.before + self.audio) / self.finished
        left = (self.sentences - self.finished) * mean / speed
        return f"{minutes}, {speed:.2f}x real time, ETA {clock(left)}"

    def _say(self, line: str) -> None:
        if self.quiet:
            return
        if self.bar is not None:
            self.bar.write(line, file=sys.stderr)
        else:
            click.echo(line, err=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
