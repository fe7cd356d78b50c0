"""The rewritten Llama body computes what the original computes, and each row by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from support.upstream import states

from batchtts.engines.chattts.body import BLOCK, Body
from batchtts.engines.chattts.load import load_network
from batchtts.engines.chattts.slots import KeyValues

SIZES = [5, 1, 33, 64, 40, 2]
"""Prompt lengths: around a block's border, and far apart."""
STEPS = 100


@pytest.fixture(scope="module")
def body(tiny: Path) -> Body:
    return Body(load_network(tiny, torch.device("cpu")).gpt.gpt)


def store(body: Body, rows: int, places: int, fill: float = 0.0) -> KeyValues:
    shape = (rows, body.heads, -(-places // BLOCK) * BLOCK, body.head_dim)
    return KeyValues(*([torch.full(shape, fill) for _ in range(body.layers)] for _ in range(2)))


def noise(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


@torch.inference_mode()
def run(body: Body, prompts: list[torch.Tensor], fed: torch.Tensor, fill: float = 0.0) -> torch.Tensor:
    """Read prompts (size, hidden) and step through fed (rows, steps, hidden): states (rows, steps + 1, hidden)."""
    sizes = [len(prompt) for prompt in prompts]
    steps = fed.shape[1]
    kv = store(body, len(prompts), max(sizes) + steps, fill)
    seen = [body.prefill(torch.cat(prompts), sizes, list(range(len(prompts))), kv)]
    place = torch.tensor(sizes)
    for step in range(steps):
        seen.append(body.step(fed[:, step], place, max(sizes) + step + 1, kv))
        place = place + 1
    return torch.stack(seen, 1)


def rows_of(body: Body, sizes: list[int], steps: int = STEPS) -> tuple[list[torch.Tensor], torch.Tensor]:
    prompts = [noise(size, body.hidden, seed=number) for number, size in enumerate(sizes)]
    return prompts, noise(len(sizes), steps, body.hidden, seed=99)


def test_states_equal_upstream_s_over_a_hundred_steps(body: Body, chat: Any) -> None:
    """Teacher-forced, mixed prompt lengths, against the LlamaModel on left-padded rows: within 1e-4."""
    prompts, fed = rows_of(body, SIZES)
    longest = max(SIZES) + STEPS
    embedded = torch.zeros(len(SIZES), longest, body.hidden)
    mask = torch.zeros(len(SIZES), longest, dtype=torch.bool)
    for row, prompt in enumerate(prompts):
        start = longest - STEPS - len(prompt)
        embedded[row, start:] = torch.cat((prompt, fed[row]))
        mask[row, start:] = True
    expected = states(chat, embedded, mask)[:, -STEPS - 1 :]
    assert expected.abs().max() > 1
    torch.testing.assert_close(run(body, prompts, fed), expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("others", [1, 6, 15, 31])
def test_a_row_is_the_same_among_any_number_of_others(body: Body, others: int) -> None:
    """Bit for bit on the processors that this was measured on (AVX2), within rounding elsewhere."""
    prompts, fed = rows_of(body, [7, *range(1, others + 1)], steps=40)
    alone = run(body, prompts[:1], fed[:1])[0]
    among = run(body, prompts, fed)[0]
    if torch.backends.cpu.get_cpu_capability() == "AVX2":
        assert torch.equal(alone, among)
    torch.testing.assert_close(alone, among, atol=1e-5, rtol=0)


def test_what_a_slot_held_before_does_not_matter(body: Body) -> None:
    """Old keys and values behind the mask leave no trace."""
    prompts, fed = rows_of(body, [3, 20], steps=40)
    assert torch.equal(run(body, prompts, fed), run(body, prompts, fed, fill=1e4))


def test_prompts_may_be_read_into_any_slots(body: Body) -> None:
    """In one call or one at a time, in any order."""
    prompts, _ = rows_of(body, [4, 9, 2])
    together = body.prefill(torch.cat(prompts), [4, 9, 2], [2, 0, 1], first := store(body, 3, BLOCK))
    second = store(body, 3, BLOCK)
    single = [
        body.prefill(prompt, [len(prompt)], [slot], second) for prompt, slot in zip(prompts, (2, 0, 1), strict=True)
    ]
    torch.testing.assert_close(together, torch.cat(single), atol=1e-6, rtol=0)
    for one, other in zip(first.keys + first.values, second.keys + second.values, strict=True):
        torch.testing.assert_close(one, other, atol=1e-6, rtol=0)


def test_the_positions_are_the_model_s(body: Body) -> None:
    """What the configuration says; the decoder refuses longer rows."""
    assert body.positions == 4096
