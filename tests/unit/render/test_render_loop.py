"""The loop loses nothing, whatever the engine does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.utterances import utterance

from batchtts.engines.base import Queue
from batchtts.errors import BatchttsError, OutOfMemory
from batchtts.model import Batch, Cause, Clip, Failure, Utterance
from batchtts.render.loop import LONE_ERRORS, Backoff, run
from batchtts.schedule.queue import WorkQueue


class Scripted:
    """A static engine that asks `fault` before each batch; counts the rows that it decodes."""

    rate = 24000

    def __init__(self, fault: Callable[[int, Batch], Exception | None]) -> None:
        self.fault = fault
        self.batches = 0
        self.decoded: list[str] = []

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        while (batch := queue.draw_batch()) is not None:
            self.batches += 1
            if error := self.fault(self.batches, batch):
                raise error
            for row in batch.utterances:
                self.decoded.append(row.key)
                yield Clip(row.key, row.take, np.full(8, row.tokens, np.float32), self.rate)

    def close(self) -> None:
        pass


def outcomes(engine: Scripted, items: list[Utterance], budget: int = 160, rows: int = 16) -> list[Clip | Failure]:
    queue = WorkQueue(items, budget, rows)
    return [result for result in run(engine, queue) if not isinstance(result, Backoff)]


ITEMS = [utterance(number, 10) for number in range(50)]
KEYS = sorted(item.key for item in ITEMS)


def test_running_out_of_memory_once_alone_is_forgiven() -> None:
    """Another program may have been the cause; the same take is made, so the book sounds the same."""
    engine = Scripted(lambda number, _: OutOfMemory("full") if number == 3 else None)
    results = outcomes(engine, ITEMS, rows=1)
    assert sorted(result.key for result in results if isinstance(result, Clip)) == KEYS
    assert engine.decoded == [item.key for item in ITEMS]


@given(st.integers(1, 6))
def test_running_out_of_memory_at_any_batch_changes_no_result(failing: int) -> None:
    """Finished clips are kept, the rest is queued again, and each utterance is still decoded exactly once."""
    engine = Scripted(lambda number, _: OutOfMemory("full") if number == failing else None)
    assert sorted(result.key for result in outcomes(engine, ITEMS)) == KEYS
    assert sorted(engine.decoded) == KEYS


def test_the_budget_is_halved_until_the_batch_fits() -> None:
    """A machine that holds four rows ends with batches of four or fewer, and keeps them."""
    engine = Scripted(lambda _, batch: OutOfMemory("full") if len(batch.utterances) > 4 else None)
    queue = WorkQueue(ITEMS, 160, 16)
    results = list(run(engine, queue))
    assert [event.budget for event in results if isinstance(event, Backoff)] == [80, 40]
    assert queue.budget == 40
    assert sorted(r.key for r in results if isinstance(r, Clip)) == KEYS


def test_a_budget_far_above_the_batch_is_cut_to_the_batch_first() -> None:
    """Halving a number that does not bind would only repeat the same failing batch."""
    engine = Scripted(lambda _, batch: OutOfMemory("full") if len(batch.utterances) > 4 else None)
    results = list(run(engine, WorkQueue(ITEMS, 1_000_000, 16)))
    assert [event.budget for event in results if isinstance(event, Backoff)] == [80, 40]


@pytest.mark.parametrize("error", [OutOfMemory("full"), RuntimeError("bad row")])
@pytest.mark.parametrize("poisonous", [0, 7, 15, 49])
def test_one_poisonous_utterance_is_flagged_and_lowers_nothing(error: Exception, poisonous: int) -> None:
    """It is found by halving, fails alone, and the budget goes back to what it was."""
    poison = ITEMS[poisonous].key
    engine = Scripted(lambda _, batch: error if poison in {u.key for u in batch.utterances} else None)
    queue = WorkQueue(ITEMS, 160, 16)
    results = [result for result in run(engine, queue) if not isinstance(result, Backoff)]
    failures = [result for result in results if isinstance(result, Failure)]
    assert [failure.key for failure in failures] == [poison]
    assert failures[0].cause is (Cause.MEMORY if isinstance(error, OutOfMemory) else Cause.ERROR)
    assert sorted(result.key for result in results) == KEYS
    assert queue.budget == 160


def test_many_poisonous_utterances_are_each_flagged() -> None:
    """The job goes on past any number of them."""
    poison = {item.key for item in ITEMS[::5]}
    engine = Scripted(lambda _, batch: OutOfMemory("x") if poison & {u.key for u in batch.utterances} else None)
    results = outcomes(engine, ITEMS)
    assert {r.key for r in results if isinstance(r, Failure)} == poison
    assert sorted(r.key for r in results) == KEYS


def test_an_engine_that_fails_on_everything_ends_the_run() -> None:
    """A broken engine does not burn through the whole book."""
    engine = Scripted(lambda *_: RuntimeError("no such kernel"))
    with pytest.raises(BatchttsError, match=r"fails on every sentence.*no such kernel"):
        outcomes(engine, ITEMS, rows=1)
    assert engine.batches == LONE_ERRORS + 1


def test_an_engine_error_with_an_exit_code_passes_through() -> None:
    """Only running out of memory and surprises are handled here."""
    with pytest.raises(BatchttsError, match="device is gone"):
        outcomes(Scripted(lambda *_: BatchttsError("device is gone")), ITEMS)


def test_an_engine_that_returns_early_is_found_out() -> None:
    """What it drew and never answered for is not silently missing."""

    class Forgetful(Scripted):
        def render(self, queue: Queue) -> Iterator[Clip | Failure]:
            for result in super().render(queue):
                if isinstance(result, Clip) and result.key != ITEMS[3].key:
                    yield result

    results = outcomes(Forgetful(lambda *_: None), ITEMS)
    assert [r.key for r in results if isinstance(r, Failure)] == [ITEMS[3].key]
    assert sorted(r.key for r in results) == KEYS


def test_a_stop_ends_the_run_between_outcomes() -> None:
    """What was not reached stays queued; nothing is invented for it."""
    stopped = False
    queue = WorkQueue(ITEMS, 160, 16, stop=lambda: stopped)
    seen = 0
    for _ in run(Scripted(lambda *_: None), queue):
        seen += 1
        stopped = seen >= 5
    assert 5 <= seen <= 16
