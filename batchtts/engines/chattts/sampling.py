"""Drawing codes, for all rows at once, each from its own random stream.

Upstream's order (`ChatTTS.model.processors.gen_logits`): temperature, repetition penalty, top-P, top-K, softmax. The
draw is an inverse distribution function, in float64 over codes in the order of their numbers, at a uniform number that
depends on the utterance's seed, the frame and the codebook alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from batchtts.settings import Sampling

if TYPE_CHECKING:
    import numpy.typing as npt

WINDOW = 16
"""Frames that the repetition penalty looks back on."""
KEPT = 3
"""Codes that top-P and top-K keep at least."""


def uniforms(seed: int, attempt: int, frames: int, books: int) -> npt.NDArray[np.float64]:
    """Numbers in [0, 1), shape (frames, books), from a counter: the same on every machine, for any frames asked.

    SplitMix64 (Steele, Lea, Flood 2014) of seed, attempt and position.
    """
    counter = np.arange(1, frames * books + 1, dtype=np.uint64)
    start = _mixed(np.array([seed & (2**64 - 1)], dtype=np.uint64) ^ _mixed(np.array([attempt], dtype=np.uint64)))
    drawn = _mixed(start + counter * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(11)
    return drawn.astype(np.float64).reshape(frames, books) * 2.0**-53


def _mixed(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def probabilities(
    logits: torch.Tensor, window: torch.Tensor, forbidden: torch.Tensor, sampling: Sampling
) -> tuple[torch.Tensor, torch.Tensor]:
    """Distributions over the codes that survive.

    logits (n, books, codes) fp32; window (n, WINDOW, books) int64: the last codes, `codes` where there is none yet;
    forbidden (n,) bool: rows that must not end (the last code). Returns probabilities and codes, each (n, books, k),
    codes ascending.
    """
    logits = _penalised(logits / sampling.temperature, window, sampling.repetition)
    codes = logits.shape[-1]
    keep = codes if sampling.top_k <= 0 else min(max(sampling.top_k, KEPT), codes)
    best, ids = logits.topk(keep, dim=-1)
    share = torch.exp(best - torch.logsumexp(logits, dim=-1, keepdim=True))
    # a code stays while those ranked before it hold less than top_p together
    outside = share.cumsum(-1) - share >= sampling.top_p
    outside[..., :KEPT] = False
    outside |= (ids == codes - 1) & forbidden[:, None, None]
    ids, order = ids.sort(dim=-1)
    kept = best.masked_fill(outside, float("-inf")).gather(-1, order)
    return torch.softmax(kept, dim=-1), ids


def _penalised(logits: torch.Tensor, window: torch.Tensor, penalty: float) -> torch.Tensor:
    """Push down each code by `penalty` to the power of its count in the window."""
    if penalty == 1.0:
        return logits
    rows, books, codes = logits.shape
    counts = torch.zeros(rows, books, codes + 1, device=logits.device)
    counts.scatter_add_(2, window.transpose(1, 2), torch.ones_like(window, dtype=torch.float32).transpose(1, 2))
    alpha = torch.pow(penalty, counts[..., :codes])
    return torch.where(logits < 0, logits * alpha, logits / alpha)


def draw(share: torch.Tensor, ids: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    """The codes at `at` (n, books) float64 in [0, 1) of distributions (n, books, k); returns (n, books) int64."""
    rising = share.double().cumsum(-1)
    point = at * rising[..., -1]
    index = (rising <= point[..., None]).sum(-1, keepdim=True).clamp_(max=ids.shape[-1] - 1)
    return ids.gather(-1, index)[..., 0]
