"""Hidden states become sound row by row, and the sound is handed on untouched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from support.upstream import quiet

from batchtts.engines.chattts.lengths import sample_count
from batchtts.engines.chattts.load import load_network
from batchtts.engines.chattts.vocode import Vocoder

if TYPE_CHECKING:
    from batchtts.engines.chattts.engine import ChatTTSEngine

WIDTH = 64


@pytest.fixture(scope="module")
def vocoder(tiny: Path) -> Vocoder:
    network = load_network(tiny, torch.device("cpu"))
    return Vocoder(network.decoder, network.vocos)


def hidden(frames: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(frames, WIDTH, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("frames", [2, 3, 5, 64, 301])
def test_a_clip_has_the_samples_of_its_frames(frames: int, vocoder: Vocoder) -> None:
    """(2T - 1) x 256, float32, between -1 and 1."""
    samples = vocoder(hidden(frames))
    assert samples.shape == ((2 * frames - 1) * 256,) == (sample_count(frames),)
    assert samples.dtype == np.float32
    assert 0.01 < np.abs(samples).max() <= 1


@pytest.mark.parametrize("frames", [5, 64])
def test_the_sound_equals_upstream_s_for_a_row_by_itself(frames: int, vocoder: Vocoder, chat: Any) -> None:
    """Before upstream deletes the quiet samples, and where it has no longer row to pad to."""
    with quiet():
        expected = chat._decode_to_wavs([hidden(frames)], True)[0]
    np.testing.assert_allclose(vocoder(hidden(frames)), expected, atol=1e-5)


def test_a_row_is_not_changed_by_being_decoded(vocoder: Vocoder) -> None:
    """Upstream's modules work in place here and there."""
    row = hidden(20)
    first = vocoder(row)
    assert torch.equal(row, hidden(20))
    np.testing.assert_array_equal(vocoder(row), first)


class Pausing:
    """A vocoder network whose sound stops in the middle, and is loud before."""

    def decode(self, mels: torch.Tensor) -> torch.Tensor:
        sound = torch.full((len(mels), (mels.shape[-1] - 1) * 256), 2.5)
        sound[:, 1000:3000] = 0.0
        sound[:, 3000:4000] = -1e-6
        return sound


def test_silence_within_a_clip_is_kept() -> None:
    """Upstream deletes every sample below 1e-5; a pause keeps its length here. Too loud is held at 1."""
    samples = Vocoder(lambda row: torch.zeros(1, 100, 2 * row.shape[-1]), Pausing())(hidden(20))
    assert len(samples) == sample_count(20)
    assert np.flatnonzero(samples == 0).tolist() == list(range(1000, 3000))
    assert (samples[3000:4000] == np.float32(-1e-6)).all()
    assert samples.max() == 1


def test_the_engine_hands_on_what_the_vocoder_made(engine: ChatTTSEngine, vocoder: Vocoder) -> None:
    """Same network, same sound."""
    np.testing.assert_array_equal(engine.vocoder(hidden(12)), vocoder(hidden(12)))
