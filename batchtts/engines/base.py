"""What an engine must be. Every engine, the faulty ones of the tests included, passes `tests/contract`.

A spec is cheap: it is made for `plan` and `status`, imports neither torch nor onnxruntime, and counts prompt tokens. A
loaded engine draws utterances from a queue and yields what became of each, as it becomes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from batchtts.model import Batch, Clip, Failure, Limits, Utterance, Voice


class Queue(Protocol):
    """Where a running engine draws from (`schedule.queue` makes it; utterances come ordered by bucket).

    What has been drawn is in flight until the engine yields a Clip or Failure with its key and take.
    """

    @property
    def budget(self) -> int:
        """Tokens that may be in flight together: padded tokens of a batch, or KV tokens in slots. May fall."""

    @property
    def rows(self) -> int:
        """Most utterances that may be in flight together."""

    @property
    def closed(self) -> bool:
        """True once the run must stop: the engine returns within a step or so, leaving what is in flight unfinished."""

    def draw(self, room: int, cost: Callable[[Utterance], int] | None = None) -> Utterance | None:
        """Draw one utterance whose cost (default: its prompt tokens) is at most `room`; None if there is none now.

        An utterance dearer than the whole budget is handed out only when nothing is in flight. None also when `rows`
        are in flight, or the queue is closed or empty.
        """

    def draw_batch(self) -> Batch | None:
        """Draw a static batch: rows x longest within the budget, at least one row; None if there is nothing to draw."""


class Engine(Protocol):
    """A loaded engine."""

    @property
    def rate(self) -> int:
        """Samples per second of its clips."""

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        """Draw until the queue gives nothing more; yield each clip or failure once, as it is finished, in any order.

        A row that fails (early end, length cap, NaN, an exception of its own) is a Failure and harms no other. Clips
        hold exactly their own samples, float32, unpadded. The codes of an utterance depend on its key and take alone.
        Raises errors.OutOfMemory when the framework does: what was yielded stays; what was drawn and not yielded is
        drawn again later, by a new call.
        """

    def close(self) -> None:
        """Free memory and threads. Called once."""


@runtime_checkable
class EngineSpec(Protocol):
    """Everything about an engine that can be known without loading it."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """Changes when the same text and voice may sound different: engine, model hash, sampling, code version."""

    @property
    def limits(self) -> Limits: ...

    @property
    def voice(self) -> str:
        """The name of the voice asked for, or of the default one."""

    @property
    def audio_per_token(self) -> float:
        """Expected seconds of speech per prompt token, for estimates and for the checks."""

    @property
    def edge_silence(self) -> float:
        """Expected seconds of near-silence at the edges of a clip, which stitching trims; for estimates."""

    @property
    def speed(self) -> float:
        """Expected seconds of rendering per second of audio on this machine, for estimates."""

    def count(self, text: str) -> int:
        """Prompt tokens of a spoken text, framing tokens included."""

    def voices(self) -> tuple[Voice, ...]: ...

    def load(self) -> Engine:
        """Raises errors.EngineUnavailable with one clear line."""
