"""What the decoder says is what upstream would say, and does not depend on how it was batched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import torch
from support.chattts import TEXTS, decode, utterances
from support.upstream import generate

from batchtts.engines.chattts.lengths import Bounds
from batchtts.engines.chattts.sampling import draw, uniforms
from batchtts.engines.chattts.spec import ChatTTSSpec
from batchtts.model import Failure, Utterance
from batchtts.schedule.queue import WorkQueue
from batchtts.settings import Sampling

if TYPE_CHECKING:
    from batchtts.engines.chattts.decode import Decoded, Decoder
    from batchtts.engines.chattts.engine import ChatTTSEngine


@pytest.fixture
def decoder(engine: ChatTTSEngine) -> Iterator[Decoder]:
    """The shared engine's decoder, with settings that a test may change."""
    limit, sampling = engine.decoder.limit, engine.decoder.sampling
    yield engine.decoder
    engine.decoder.limit, engine.decoder.sampling = limit, sampling


@pytest.fixture(scope="module")
def alone(engine: ChatTTSEngine, spec: ChatTTSSpec) -> dict[str, Decoded]:
    """Nine texts, each decoded by itself."""
    return whole(decode(engine.decoder, utterances(spec, TEXTS[:9]), rows=1))


def whole(outcomes: dict[str, Decoded | Failure]) -> dict[str, Decoded]:
    failures = [outcome for outcome in outcomes.values() if isinstance(outcome, Failure)]
    assert not failures
    return {text: outcome for text, outcome in outcomes.items() if not isinstance(outcome, Failure)}


def assert_equal(outcomes: dict[str, Decoded | Failure], expected: dict[str, Decoded]) -> None:
    """The same codes, and hidden states within rounding, for the texts that both have."""
    rows = whole(outcomes)
    shared = rows.keys() & expected.keys()
    assert len(shared) >= 5
    for text in shared:
        assert torch.equal(rows[text].codes, expected[text].codes), text
        torch.testing.assert_close(rows[text].hidden, expected[text].hidden, atol=1e-4, rtol=0)


# ------------------------------------------------ as upstream

BOUNDS = Bounds(least=30, most=200)


def greedy(scores: torch.Tensor) -> torch.Tensor:
    return scores.argmax(-1, keepdim=True)


class OurNumbers:
    """Draws for upstream with the random streams of utterances, frame by frame."""

    def __init__(self, items: list[Utterance], books: int) -> None:
        self.streams = torch.stack(
            [torch.from_numpy(uniforms(item.seed, 0, BOUNDS.most, books)) for item in items], dim=1
        )
        self.frame = 0

    def __call__(self, scores: torch.Tensor) -> torch.Tensor:
        at = self.streams[self.frame].reshape(-1, 1)
        self.frame += 1
        ids = torch.arange(scores.shape[-1]).expand(len(scores), 1, -1)
        return draw(scores[:, None], ids, at)


def assert_upstream_s(chat: Any, decoder: Decoder, items: list[Utterance], choose: Callable[..., Any]) -> None:
    texts = [f"{item.text}" for item in items]
    ids, hiddens = generate(
        chat,
        texts,
        decoder._voice,
        choose,
        min_new_token=BOUNDS.least,
        max_new_token=BOUNDS.most,
        temperature=decoder.sampling.temperature,
    )
    rows = whole(decode(decoder, items))
    for text, codes, hidden in zip(texts, ids, hiddens, strict=True):
        assert len(codes) > BOUNDS.least
        assert torch.equal(rows[text].codes, codes), text
        torch.testing.assert_close(rows[text].hidden, hidden, atol=1e-4, rtol=0)


def test_codes_equal_upstream_s_when_it_is_handed_our_random_numbers(
    chat: Any, decoder: Decoder, spec: ChatTTSSpec
) -> None:
    """The whole chain, over rows of different lengths: prompt, voice, body, heads, sampling, ends."""
    items = utterances(spec, TEXTS[:8])
    decoder.limit = lambda _: BOUNDS
    assert_upstream_s(chat, decoder, items, OurNumbers(items, decoder.books))


def test_codes_equal_upstream_s_without_any_noise(chat: Any, decoder: Decoder, spec: ChatTTSSpec) -> None:
    """At a temperature of almost nothing the likeliest code is drawn."""
    decoder.limit = lambda _: BOUNDS
    decoder.sampling = Sampling(temperature=1e-6)
    assert_upstream_s(chat, decoder, utterances(spec, TEXTS[:8]), greedy)


# ------------------------------------------------ however batched


@pytest.mark.parametrize("rows", [7, 16, 32])
def test_codes_do_not_depend_on_the_number_of_rows(
    rows: int, decoder: Decoder, spec: ChatTTSSpec, alone: dict[str, Decoded]
) -> None:
    """33 utterances: slots are refilled as rows end."""
    assert_equal(decode(decoder, utterances(spec), rows), alone)


def test_codes_do_not_depend_on_the_order(decoder: Decoder, spec: ChatTTSSpec, alone: dict[str, Decoded]) -> None:
    """Backwards, and with other neighbours."""
    assert_equal(decode(decoder, utterances(spec, TEXTS[10::-1]), rows=5), alone)
    assert_equal(decode(decoder, utterances(spec, [*TEXTS[28:], *TEXTS[:9:2]]), rows=9), alone)


@pytest.mark.parametrize("budget", [1, 1000])
def test_codes_do_not_depend_on_the_budget(
    budget: int, decoder: Decoder, spec: ChatTTSSpec, alone: dict[str, Decoded]
) -> None:
    """A small one makes room for fewer rows; one that no utterance fits lets one through at a time."""
    assert_equal(decode(decoder, utterances(spec, TEXTS[2:7]), rows=16, budget=budget), alone)


def test_the_budget_holds(decoder: Decoder, spec: ChatTTSSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store of keys and values is never larger, though rows of all lengths share it."""
    budget, most = 1500, 0
    step = decoder.body.step

    def watched(x: torch.Tensor, place: torch.Tensor, longest: int, kv: Any) -> torch.Tensor:
        nonlocal most
        most = max(most, kv.keys[0].shape[0] * kv.capacity)
        assert len(x) * kv.capacity <= budget
        return step(x, place, longest, kv)

    monkeypatch.setattr(decoder.body, "step", watched)
    queue = WorkQueue(utterances(spec, TEXTS[:12]), budget, 16)
    for row in decoder.run(queue):
        queue.settle(row.key if isinstance(row, Failure) else row.utterance.key)
    assert 0.5 * budget < most <= budget
    assert queue.in_flight_cost == 0


def test_rows_end_in_the_step_in_which_they_end(
    decoder: Decoder, spec: ChatTTSSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row is decoded past its end: the rows of all steps together are the frames of all rows."""
    stepped = 0
    step = decoder.body.step

    def counted(x: torch.Tensor, *rest: Any) -> torch.Tensor:
        nonlocal stepped
        stepped += len(x)
        return step(x, *rest)

    monkeypatch.setattr(decoder.body, "step", counted)
    rows = whole(decode(decoder, utterances(spec, TEXTS[:11]), rows=4))
    assert stepped == sum(len(row.codes) for row in rows.values())


def test_rows_may_be_given_their_lengths(decoder: Decoder, spec: ChatTTSSpec) -> None:
    """Exactly so many frames, without an end: what benchmarks need."""
    decoder.limit = lambda tokens: Bounds(3 * tokens, 3 * tokens)
    for text, row in whole(decode(decoder, utterances(spec, TEXTS[:6]), rows=4)).items():
        assert len(row.codes) == len(row.hidden) == 3 * spec.count(text)
        assert row.codes.max() < 625


def test_another_take_has_other_codes(decoder: Decoder, spec: ChatTTSSpec, alone: dict[str, Decoded]) -> None:
    """From the first frames on."""
    items = [replace(item, take=2) for item in utterances(spec, TEXTS[:5])]
    for text, row in whole(decode(decoder, items)).items():
        assert not torch.equal(row.codes[:20], alone[text].codes[:20])


def test_a_closed_queue_stops_the_rows_within_a_step(decoder: Decoder, spec: ChatTTSSpec) -> None:
    """What is in flight is left unfinished, not answered for."""
    steps = 0

    def stop() -> bool:
        nonlocal steps
        steps += 1
        return steps > 40  # asked at each step, and before each draw

    queue = WorkQueue(utterances(spec, TEXTS[:3]), 32768, 16, stop)
    assert list(decoder.run(queue)) == []
    assert len(queue.in_flight) == 3
