"""The queue that a running engine draws from, and the batches that `plan` shows.

Utterances of similar token length share a bucket, so a batch carries little padding. Buckets are served longest first:
memory trouble shows in the first minutes rather than at dawn, and slots drain evenly at the end. An engine of one row
gains nothing from that, so it is served in the order of the book and chapters finish one after another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from batchtts.model import Batch, Utterance

BUCKET_WIDTH = 8
"""Tokens. Narrow enough to keep padding under a few per cent, wide enough that a chapter fills batches."""


@dataclass(slots=True)
class _InFlight:
    utterance: Utterance
    cost: int


def prompt_tokens(utterance: Utterance) -> int:
    return utterance.tokens


class WorkQueue:
    """Implements `engines.base.Queue`, and the side of it that `render.loop` works: settle, give back, re-budget.

    Invariant: every utterance handed in is waiting, in flight or settled, and in exactly one of these.
    """

    def __init__(
        self, utterances: Iterable[Utterance], budget: int, rows: int, stop: Callable[[], bool] = lambda: False
    ) -> None:
        """`stop` is asked at each step of the engine; once it says True the queue is closed."""
        if budget < 1 or rows < 1:
            raise ValueError("budget and rows must be at least 1")
        self.budget = budget
        self.rows = rows
        self._closed = False
        self._stop = stop
        self._in_flight: dict[str, _InFlight] = {}
        self._order: dict[str, int] = {}
        self._buckets: dict[int, deque[Utterance]] = {}
        self._fill(utterances)

    def _fill(self, utterances: Iterable[Utterance]) -> None:
        members: dict[int, list[Utterance]] = {}
        for position, utterance in enumerate(utterances):
            if utterance.key in self._order:
                raise ValueError(f"utterance {utterance.key} is queued twice")
            self._order[utterance.key] = position
            members.setdefault(self._bucket(utterance), []).append(utterance)
        for bucket in sorted(members, reverse=True):
            if self.rows > 1:
                members[bucket].sort(key=lambda utterance: -utterance.tokens)  # stable: equal lengths keep book order
            self._buckets[bucket] = deque(members[bucket])

    def _bucket(self, utterance: Utterance) -> int:
        return utterance.tokens // BUCKET_WIDTH if self.rows > 1 else 0

    # ------------------------------------------------ the engine's side

    @property
    def closed(self) -> bool:
        return self._closed or self._stop()

    def draw(self, room: int, cost: Callable[[Utterance], int] | None = None) -> Utterance | None:
        """See `engines.base.Queue.draw`."""
        if self.closed or len(self._in_flight) >= self.rows:
            return None
        price = cost or prompt_tokens
        for waiting in self._buckets.values():
            if not waiting:
                continue
            amount = price(waiting[0])
            if amount <= min(room, self.budget) or not self._in_flight:
                return self._take(waiting, amount)
        return None

    def draw_batch(self) -> Batch | None:
        """See `engines.base.Queue.draw_batch`."""
        if self.closed:
            return None
        for bucket, waiting in self._buckets.items():
            if not waiting:
                continue
            longest = waiting[0].tokens  # a bucket is kept longest first
            rows = max(1, min(self.rows, self.budget // longest, len(waiting)))
            return Batch(bucket, tuple(self._take(waiting, longest) for _ in range(rows)))
        return None

    def _take(self, waiting: deque[Utterance], cost: int) -> Utterance:
        utterance = waiting.popleft()
        self._in_flight[utterance.key] = _InFlight(utterance, cost)
        return utterance

    # ------------------------------------------------ the loop's side

    @property
    def waiting(self) -> int:
        return sum(len(waiting) for waiting in self._buckets.values())

    @property
    def in_flight(self) -> tuple[Utterance, ...]:
        return tuple(entry.utterance for entry in self._in_flight.values())

    @property
    def in_flight_cost(self) -> int:
        """Tokens that the rows in flight were drawn for."""
        return sum(entry.cost for entry in self._in_flight.values())

    def settle(self, key: str) -> Utterance:
        """What became of a drawn utterance is known. Raises KeyError for one that is not in flight."""
        return self._in_flight.pop(key).utterance

    def give_back(self) -> None:
        """Everything in flight waits again, in its old place at the head of its bucket."""
        back = sorted(self.in_flight, key=lambda utterance: self._order[utterance.key], reverse=True)
        if self.rows > 1:
            back.sort(key=lambda utterance: utterance.tokens)
        for utterance in back:
            self._buckets[self._bucket(utterance)].appendleft(utterance)
        self._in_flight.clear()

    def close(self) -> None:
        """Hand out nothing more."""
        self._closed = True


def batches(utterances: Iterable[Utterance], budget: int, rows: int) -> list[Batch]:
    """The static batches that an engine would draw, for `plan`.

    Every utterance is in exactly one batch; a batch of more than one row keeps rows x longest within the budget.
    """
    queue = WorkQueue(utterances, budget, rows)
    drawn: list[Batch] = []
    while (batch := queue.draw_batch()) is not None:
        drawn.append(batch)
        for utterance in batch.utterances:
            queue.settle(utterance.key)
    return drawn


def padding_share(drawn: Iterable[Batch]) -> float:
    """The share of padded tokens that carry no text, 0 to 1."""
    padded = used = 0
    for batch in drawn:
        padded += batch.tokens
        used += sum(utterance.tokens for utterance in batch.utterances)
    return 1 - used / padded if padded else 0.0
