"""Drives an engine over a queue, and is the only place that catches OutOfMemory.

The budget is one number. When memory runs out, the clips that were already yielded stay, what was in flight waits
again, and the budget is halved. When an utterance runs out of memory all alone, twice, it is the culprit: it is
flagged, and the budget goes back to what it was before the trouble began, so one poisonous sentence does not slow the
rest of the night. (Once may have been the fault of another program; a new take would be another sound.) An unexpected
exception is isolated in the same way, at the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from batchtts.engines.base import Engine
from batchtts.errors import BatchttsError, OutOfMemory
from batchtts.model import Cause, Clip, Failure
from batchtts.schedule.queue import WorkQueue

LONE_ERRORS = 10
"""Utterances that may raise alone, one after another with no clip between, before the engine itself is held broken."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """A batch could not be decoded: `rows` utterances wait again and the budget is now `budget` tokens."""

    rows: int
    budget: int
    memory: bool
    detail: str


@dataclass(slots=True)
class _Descent:
    """The search for what went wrong: the budget before it began, and the rows in flight at the last fault."""

    budget: int | None = None
    suspects: set[str] = field(default_factory=set)
    lone_errors: int = 0
    once_alone: set[str] = field(default_factory=set)
    """Utterances that have run out of memory alone once."""

    def settled(self, key: str) -> None:
        """A suspect finished. Once all have, the smaller budget was the cure and stays."""
        self.suspects.discard(key)
        if not self.suspects:
            self.budget = None


def run(engine: Engine, queue: WorkQueue) -> Iterator[Clip | Failure | Backoff]:
    """Yield every outcome of the queue's utterances as it is known, and each backoff.

    Ends when the queue is empty or closed. Raises BatchttsError when the engine fails on everything alone.
    """
    descent = _Descent()
    while not queue.closed and (queue.waiting or queue.in_flight):
        try:
            for result in engine.render(queue):
                queue.settle(result.key)
                descent.settled(result.key)
                descent.lone_errors = 0
                yield result
            if queue.closed:
                return
            if queue.in_flight or queue.waiting:
                raise RuntimeError("the engine returned before it had finished what it drew")
        except BatchttsError as error:
            if not isinstance(error, OutOfMemory):
                raise
            yield _isolate(queue, descent, error)
        except Exception as error:
            yield _isolate(queue, descent, error)


def _isolate(queue: WorkQueue, descent: _Descent, error: Exception) -> Failure | Backoff:
    memory = isinstance(error, OutOfMemory)
    detail = str(error) if memory else f"{type(error).__name__}: {error}"
    rows = queue.in_flight
    if not rows:
        raise BatchttsError(f"the engine failed before it drew anything: {detail}") from error
    if len(rows) == 1:
        if memory and rows[0].key not in descent.once_alone:
            descent.once_alone.add(rows[0].key)
            queue.give_back()
            return Backoff(1, queue.budget, memory, detail)
        return _flag(queue, descent, memory, detail, error)
    if descent.budget is None:
        descent.budget = queue.budget
    descent.suspects = {utterance.key for utterance in rows}
    queue.budget = max(1, min(queue.budget, queue.in_flight_cost) // 2)
    queue.give_back()
    return Backoff(len(rows), queue.budget, memory, detail)


def _flag(queue: WorkQueue, descent: _Descent, memory: bool, detail: str, error: Exception) -> Failure:
    if not memory:
        descent.lone_errors += 1
        if descent.lone_errors > LONE_ERRORS:
            raise BatchttsError(
                f"the engine fails on every sentence, so the run stops here; the last one said: {detail}"
            ) from error
    culprit = queue.settle(queue.in_flight[0].key)
    if descent.budget is not None:
        queue.budget = descent.budget
    descent.budget = None
    descent.suspects.clear()
    return Failure(culprit.key, culprit.take, Cause.MEMORY if memory else Cause.ERROR, detail)
