"""The queue hands out every utterance exactly once, under the budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.utterances import utterance

from batchtts.schedule.queue import BUCKET_WIDTH, WorkQueue, batches, padding_share

lengths = st.lists(st.integers(1, 120), max_size=80)
budgets = st.integers(1, 2000)
rows = st.integers(1, 32)


@given(lengths, budgets, rows)
def test_each_utterance_is_in_exactly_one_batch(tokens: list[int], budget: int, most: int) -> None:
    """Nothing is lost and nothing is decoded twice."""
    queued = [utterance(number, length) for number, length in enumerate(tokens)]
    drawn = [u for batch in batches(queued, budget, most) for u in batch.utterances]
    assert sorted(u.key for u in drawn) == sorted(u.key for u in queued)


@given(lengths, budgets, rows)
def test_a_batch_keeps_rows_times_longest_within_the_budget(tokens: list[int], budget: int, most: int) -> None:
    """Only a single utterance that is dearer than the whole budget may pass it, alone."""
    for batch in batches([utterance(n, length) for n, length in enumerate(tokens)], budget, most):
        assert len(batch.utterances) <= most
        assert len(batch.utterances) == 1 or len(batch.utterances) * batch.longest <= budget


@given(lengths, budgets, st.integers(2, 32))
def test_a_batch_holds_lengths_of_one_bucket(tokens: list[int], budget: int, most: int) -> None:
    """Rows of a batch differ by less than a bucket's width."""
    for batch in batches([utterance(n, length) for n, length in enumerate(tokens)], budget, most):
        sizes = [u.tokens for u in batch.utterances]
        assert max(sizes) - min(sizes) < BUCKET_WIDTH


def test_one_row_engines_read_in_the_order_of_the_book() -> None:
    """With nothing to batch, chapters finish one after another."""
    queue = WorkQueue([utterance(0, 5), utterance(1, 50), utterance(2, 20)], budget=100, rows=1)
    order = []
    while (drawn := queue.draw(queue.budget)) is not None:
        order.append(int(drawn.key, 16))
        queue.settle(drawn.key)
    assert order == [0, 1, 2]


def test_long_utterances_come_first_when_rows_share_a_batch() -> None:
    """Memory trouble shows at once, and slots drain evenly."""
    drawn = batches([utterance(0, 5), utterance(1, 50), utterance(2, 20)], budget=100, rows=4)
    assert [batch.longest for batch in drawn] == [50, 20, 5]


def test_draw_respects_room_and_rows() -> None:
    """A slot engine gets what fits into the room that it has left, across bucket borders."""
    queue = WorkQueue([utterance(0, 60), utterance(1, 30), utterance(2, 8)], budget=100, rows=2)
    first = queue.draw(100)
    assert first is not None
    assert first.tokens == 60
    second = queue.draw(10)
    assert second is not None
    assert second.tokens == 8
    assert queue.draw(100) is None, "two rows are in flight"
    queue.settle(first.key)
    third = queue.draw(92)
    assert third is not None
    assert third.tokens == 30


def test_an_utterance_dearer_than_the_budget_is_drawn_alone() -> None:
    """It may be hopeless, but it is tried, and nothing beside it suffers."""
    queue = WorkQueue([utterance(0, 500), utterance(1, 5)], budget=100, rows=4)
    short = queue.draw(100, cost=lambda u: 1000 if u.tokens == 500 else u.tokens)
    assert short is not None
    assert short.tokens == 500
    assert queue.draw(0) is None


def test_giving_back_restores_the_order() -> None:
    """After a fault the same utterances are drawn again in the same order."""
    items = [utterance(n, 10 + n % 3) for n in range(9)]
    queue = WorkQueue(items, budget=1000, rows=4)
    before = queue.draw_batch()
    queue.give_back()
    assert queue.draw_batch() == before


def test_a_closed_queue_gives_nothing() -> None:
    """A stop is seen by the engine at its next draw."""
    stopped = False
    queue = WorkQueue([utterance(0)], budget=10, rows=1, stop=lambda: stopped)
    stopped = True
    assert queue.closed
    assert queue.draw(10) is None
    assert queue.draw_batch() is None


def test_the_same_utterance_cannot_be_queued_twice() -> None:
    """Two rows with one key could not be told apart."""
    with pytest.raises(ValueError, match="queued twice"):
        WorkQueue([utterance(0), utterance(0)], budget=10, rows=1)


def test_padding_share_counts_what_carries_no_text() -> None:
    """Rows of 8 and 10 tokens are padded to 20, of which 2 are empty."""
    assert padding_share(batches([utterance(0, 8), utterance(1, 10)], budget=20, rows=2)) == pytest.approx(0.1)
    assert padding_share([]) == 0.0
