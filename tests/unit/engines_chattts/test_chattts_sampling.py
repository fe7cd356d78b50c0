"""Codes are drawn from upstream's distributions, each utterance from its own random stream."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from support.upstream import quiet

from batchtts.engines.chattts.sampling import WINDOW, draw, probabilities, uniforms
from batchtts.settings import Sampling

BOOKS, CODES = 4, 626
END = CODES - 1


def upstream(logits: torch.Tensor, past: torch.Tensor, forbidden: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """Probabilities (n, books, codes) as `GPT.generate` makes them, one row at a time.

    logits (n, books, codes); past (n, frames, books).
    """
    with quiet():
        from ChatTTS.model import gen_logits

    warpers, processors = gen_logits(END, sampling.top_p, sampling.top_k, sampling.repetition)
    rows = []
    for row in range(len(logits)):
        scores = logits[row] / torch.full((BOOKS, 1), sampling.temperature)
        for change in (*processors, *warpers):
            scores = change(past[row].T, scores)
        if forbidden[row]:
            scores[:, END] = -torch.inf
        rows.append(torch.softmax(scores, dim=-1))
    return torch.stack(rows)


def dense(share: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return torch.zeros(*ids.shape[:2], CODES).scatter_(2, ids, share)


def window(past: torch.Tensor) -> torch.Tensor:
    """The last frames, with `CODES` where there is none yet."""
    none = torch.full((len(past), WINDOW, BOOKS), CODES)
    return torch.cat((none, past), 1)[:, -WINDOW:]


def case(seed: int, frames: int, rows: int = 6, spread: float = 0.7) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, BOOKS, CODES, generator=random) * spread
    logits[: rows // 2, :, END] += 3.0  # the end is likely in half of the rows, and forbidden in every other one
    # few different codes, so that some repeat within the window, the likely ones among them
    past = torch.randint(0, 12, (rows, frames, BOOKS), generator=random)
    past = torch.where(past < 4, logits.argmax(-1)[:, None], past)
    return logits, past, torch.arange(rows) % 2 == 0


SETTINGS = [
    Sampling(),
    Sampling(temperature=1.0, top_p=0.95),
    Sampling(temperature=0.7, top_p=0.2, top_k=50),
    Sampling(temperature=0.1, top_k=1),
    Sampling(temperature=1.0, top_p=1.0, top_k=5, repetition=1.0),
    Sampling(temperature=0.5, repetition=1.5),
    Sampling(temperature=0.5, repetition=0.8),
]


@pytest.mark.parametrize("sampling", SETTINGS, ids=range(len(SETTINGS)))
@pytest.mark.parametrize("frames", [0, 5, 16, 40])
def test_probabilities_equal_upstream_s(sampling: Sampling, frames: int) -> None:
    """The same codes survive, with the same probabilities: temperature, penalty, top-P, top-K, end rule."""
    for seed in range(5):
        logits, past, forbidden = case(seed, frames)
        share, ids = probabilities(logits, window(past), forbidden, sampling)
        expected = upstream(logits, past, forbidden, sampling)
        mine = dense(share, ids)
        assert torch.equal(mine > 0, expected > 0)
        torch.testing.assert_close(mine, expected, atol=1e-6, rtol=1e-5)
        assert (ids.diff(dim=-1) > 0).all(), "codes ascend"


def test_what_the_comparison_above_covers() -> None:
    """The cases are such that each rule changes something."""
    logits, past, forbidden = case(0, 40)
    usual = upstream(logits, past, forbidden, Sampling())
    for other in (Sampling(repetition=1.0), Sampling(top_p=1.0), Sampling(top_k=5), Sampling(temperature=0.4)):
        assert not torch.allclose(usual, upstream(logits, past, forbidden, other), atol=1e-3)
    assert not torch.allclose(usual, upstream(logits, past, ~forbidden, Sampling()), atol=1e-3)
    assert not torch.allclose(usual, upstream(logits, past[:, -15:], forbidden, Sampling()), atol=1e-5)


def test_a_row_that_must_not_end_never_does() -> None:
    """However likely the end is."""
    logits, past, _ = case(1, 3)
    logits[..., END] = 50.0
    share, ids = probabilities(logits, window(past), torch.ones(len(logits), dtype=torch.bool), Sampling())
    assert dense(share, ids)[..., END].abs().max() == 0
    torch.testing.assert_close(share.sum(-1), torch.ones(len(logits), BOOKS))


def test_rows_from_157_on_are_penalised_too() -> None:
    """Upstream cuts the penalty off by row; here every row is as if it were alone."""
    logits, past, forbidden = case(2, 20, rows=200)
    share, ids = probabilities(logits, window(past), forbidden, Sampling())
    torch.testing.assert_close(dense(share, ids), upstream(logits, past, forbidden, Sampling()), atol=1e-6, rtol=1e-5)


# ------------------------------------------------ random streams


@given(st.integers(0, 2**63 - 1), st.integers(0, 5), st.integers(1, 40), st.integers(1, 40))
def test_a_stream_does_not_depend_on_how_much_of_it_is_asked_for(
    seed: int, attempt: int, frames: int, more: int
) -> None:
    """The numbers of a frame are the same whatever the row's cap is."""
    short, long = uniforms(seed, attempt, frames, BOOKS), uniforms(seed, attempt, frames + more, BOOKS)
    assert np.array_equal(short, long[:frames])
    assert ((long >= 0) & (long < 1)).all()


def test_streams_are_the_same_on_every_machine() -> None:
    """Counter-based integers, no library's generator: these values may never change without a new engine version."""
    first = uniforms(seed=1, attempt=0, frames=2, books=2)
    assert first.tolist() == [[0.7497482413580301, 0.37239342287916577], [0.4382839062845528, 0.9541167159066205]]
    largest = uniforms(seed=2**63 - 1, attempt=2, frames=1, books=1)
    assert largest.tolist() == [[0.5359712602760057]]


def test_seeds_and_attempts_have_streams_of_their_own() -> None:
    """Neighbouring seeds and attempts share no number."""
    streams = [uniforms(seed, attempt, 64, BOOKS) for seed in range(20) for attempt in range(3)]
    flat = np.concatenate([stream.ravel() for stream in streams])
    assert len(np.unique(flat)) == len(flat)
    for one, other in pairwise(streams):
        assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.25


def test_the_numbers_of_a_stream_are_even() -> None:
    """Every twentieth of [0, 1) gets its share, and neighbours are not alike."""
    drawn = uniforms(5, 0, 5000, BOOKS).ravel()
    counts = np.histogram(drawn, bins=20, range=(0, 1))[0]
    assert abs(counts - len(drawn) / 20).max() < 5 * (len(drawn) / 20) ** 0.5
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.03


# ------------------------------------------------ the draw


def test_codes_are_drawn_as_often_as_their_probability_says() -> None:
    """Over 20,000 draws, within one per cent."""
    share = torch.tensor([0.5, 0.0, 0.3, 0.2]).expand(5000, BOOKS, 4)
    ids = torch.tensor([3, 7, 20, 625]).expand(5000, BOOKS, 4)
    codes = draw(share, ids, torch.from_numpy(uniforms(1, 0, 5000, BOOKS)))
    often = torch.bincount(codes.ravel(), minlength=CODES) / codes.numel()
    torch.testing.assert_close(often[[3, 7, 20, 625]], share[0, 0], atol=0.01, rtol=0)
    assert often[7] == 0


@given(
    st.lists(st.sampled_from([0.0, 1e-7, 0.1, 0.5, 1.0]), min_size=1, max_size=20).filter(any),
    st.one_of(st.just(0.0), st.just(1 - 2.0**-53), st.floats(0, 1, exclude_max=True)),
)
def test_a_code_without_probability_is_never_drawn(weights: list[float], at: float) -> None:
    """Not at the edges of [0, 1) either."""
    share = torch.tensor(weights)[None, None]
    code = draw(share / share.sum(), torch.arange(len(weights))[None, None], torch.tensor([[at]], dtype=torch.float64))
    assert weights[int(code)] > 0
