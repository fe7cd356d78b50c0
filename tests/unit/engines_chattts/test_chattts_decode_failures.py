"""A row that goes wrong is a failure with its cause; its neighbours and its successors notice nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import torch
from support.chattts import TEXTS, decode, utterances

from batchtts.engines.chattts.decode import ATTEMPTS
from batchtts.engines.chattts.lengths import Bounds
from batchtts.engines.chattts.spec import ChatTTSSpec
from batchtts.model import Cause, Failure

if TYPE_CHECKING:
    from batchtts.engines.chattts.decode import Decoded, Decoder
    from batchtts.engines.chattts.engine import ChatTTSEngine

    Outcomes = dict[str, Decoded | Failure]

END = 625
BATCH = TEXTS[2:8]
VICTIM = TEXTS[4]
"""The only one of the batch with so many tokens."""
OTHERS = [text for text in BATCH if text != VICTIM]


@pytest.fixture
def decoder(engine: ChatTTSEngine) -> Iterator[Decoder]:
    limit = engine.decoder.limit
    yield engine.decoder
    engine.decoder.limit = limit


@pytest.fixture(scope="module")
def sound(engine: ChatTTSEngine, spec: ChatTTSSpec) -> Outcomes:
    """What the texts are when nothing goes wrong."""
    outcomes = decode(engine.decoder, utterances(spec, BATCH))
    assert not [outcome for outcome in outcomes.values() if isinstance(outcome, Failure)]
    return outcomes


def codes(outcome: Decoded | Failure) -> torch.Tensor:
    assert not isinstance(outcome, Failure), outcome
    return outcome.codes


def failed(outcomes: Outcomes, sound: Outcomes, text: str, cause: Cause) -> str:
    """Only this text failed, and so; the others have the codes that they always have. Returns the detail."""
    for other in outcomes.keys() - {text}:
        assert torch.equal(codes(outcomes[other]), codes(sound[other])), other
    failure = outcomes[text]
    assert isinstance(failure, Failure)
    assert failure.cause is cause
    return failure.detail


def bound_victim(decoder: Decoder, spec: ChatTTSSpec, least: int, most: int) -> None:
    """Give the victim bounds of its own."""
    usual, tokens = decoder.limit, spec.count(VICTIM)
    assert tokens not in [spec.count(other) for other in OTHERS]
    decoder.limit = lambda count: Bounds(least, most) if count == tokens else usual(count)


# ------------------------------------------------ early ends


class EarlyEnds:
    """Logits under which rows that may end do, in the first `draws` draws: all, or the one in `slot` only."""

    def __init__(self, decoder: Decoder, draws: int, slot: int | None = None) -> None:
        self.logits, self.left, self.slot = decoder.logits, draws, slot

    def __call__(self, hidden: torch.Tensor) -> torch.Tensor:
        scores = self.logits(hidden)
        if self.left > 0:
            ending = slice(None) if self.slot is None or len(hidden) == 1 else self.slot
            scores[ending, :, END] = 1e4
        self.left -= 1
        return scores


def test_a_row_that_always_ends_at_once_is_empty_after_a_few_attempts(
    decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not tried for ever, not recursively, and the batch goes on meanwhile."""
    bound_victim(decoder, spec, 4, 400)
    items = sorted(utterances(spec, BATCH), key=lambda item: -item.tokens)  # as they will stand in the slots
    slot = [item.text for item in items].index(VICTIM)
    # a row is drawn alone at the beginning of each attempt but the first
    monkeypatch.setattr(decoder, "logits", EarlyEnds(decoder, ATTEMPTS * 5, slot))
    outcomes = decode(decoder, items)
    assert str(ATTEMPTS) in failed(outcomes, sound, VICTIM, Cause.EMPTY)


@pytest.mark.parametrize("times", range(ATTEMPTS))
def test_a_row_that_ends_at_once_is_tried_again_with_other_numbers(
    times: int, decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its codes are those of the later attempt, whether it is alone or in a batch."""
    decoder.limit = lambda _: Bounds(8, 400)
    logits = decoder.logits

    def after_early_ends(texts: tuple[str, ...]) -> Outcomes:
        monkeypatch.setattr(decoder, "logits", EarlyEnds(decoder, times * 9))  # frames 0 to 8 of each attempt
        outcomes = decode(decoder, utterances(spec, texts))
        monkeypatch.setattr(decoder, "logits", logits)
        return outcomes

    together = after_early_ends(BATCH)
    again = codes(together[VICTIM])
    assert torch.equal(again[:8], codes(sound[VICTIM])[:8]) == (times == 0)
    assert torch.equal(codes(after_early_ends((VICTIM,))[VICTIM]), again)


# ------------------------------------------------ the cap


def test_a_row_that_does_not_end_has_hit_its_cap(decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes) -> None:
    """A failure, not a clip cut off in the middle of a word. The cap is the first length that fails."""
    frames = len(codes(sound[VICTIM]))
    least = decoder.limit(spec.count(VICTIM)).least
    bound_victim(decoder, spec, least, frames)
    outcomes = decode(decoder, utterances(spec, BATCH))
    assert str(frames) in failed(outcomes, sound, VICTIM, Cause.CAP)
    decoder.limit = lambda _: Bounds(least, frames + 1)
    assert len(codes(decode(decoder, utterances(spec, [VICTIM]))[VICTIM])) == frames


# ------------------------------------------------ broken numbers


@pytest.mark.parametrize("rows", [2, 16])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_break_down_fail_one_row(
    rows: int, value: float, decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its keys and values are NaN through and through; the row that gets its slot next is unharmed."""
    real = decoder.embed_prompt
    poisoned = spec.prompter.tokens(VICTIM)

    def embed(prompt: list[int]) -> torch.Tensor:
        return real(prompt) * (value if prompt == poisoned else 1.0)

    monkeypatch.setattr(decoder, "embed_prompt", embed)
    failed(decode(decoder, utterances(spec, BATCH), rows), sound, VICTIM, Cause.NAN)


def test_numbers_that_break_down_in_the_middle_fail_one_row(
    decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a batch of two whose slots are refilled."""
    real, steps = decoder.body.step, 0

    def step(x: torch.Tensor, *rest: Any) -> torch.Tensor:
        nonlocal steps
        steps += 1
        if steps == 20:
            x[0] = float("nan")
        return real(x, *rest)

    monkeypatch.setattr(decoder.body, "step", step)
    outcomes = decode(decoder, utterances(spec, BATCH), rows=2)
    (victim,) = [text for text, outcome in outcomes.items() if isinstance(outcome, Failure)]
    assert "frame 20" in failed(outcomes, sound, victim, Cause.NAN)


# ------------------------------------------------ at the door


@pytest.mark.parametrize("text", ["", "   ", "[Stts][Ptts]", "\u200b"])
def test_a_text_without_tokens_is_empty(text: str, decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes) -> None:
    """It is told before anything is decoded; the rest is decoded."""
    outcomes = decode(decoder, utterances(spec, [text, *OTHERS[:2]]), rows=2)
    failed(outcomes, sound, text, Cause.EMPTY)


def test_a_prompt_longer_than_the_model_s_positions_is_an_error(
    decoder: Decoder, spec: ChatTTSSpec, sound: Outcomes
) -> None:
    """4096 positions hold the prompt and the most frames."""
    endless = "好" * 2100
    outcomes = decode(decoder, utterances(spec, [endless, *OTHERS[:2]]))
    assert "2104 prompt tokens" in failed(outcomes, sound, endless, Cause.ERROR)


def test_the_longest_prompt_that_fits_is_decoded(decoder: Decoder, spec: ChatTTSSpec) -> None:
    """Up to the last position."""
    decoder.limit = lambda _: Bounds(1, 4)
    text = "好" * (4096 - 4 - 4)
    outcome = decode(decoder, utterances(spec, [text]))[text]
    assert not isinstance(outcome, Failure) or outcome.cause is Cause.CAP


def test_nothing_but_failures_ends_the_run(decoder: Decoder, spec: ChatTTSSpec) -> None:
    """A queue of empty texts is answered for and left."""
    assert len(decode(decoder, utterances(spec, ["", " ", "  "]), rows=2, budget=50)) == 3
