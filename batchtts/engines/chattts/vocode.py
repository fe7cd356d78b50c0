"""From hidden states to sound: ChatTTS's decoder, then Vocos, one row at a time.

Rows are not padded to each other: both networks look ahead, so what follows a shorter row would bleed into its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from batchtts.engines.chattts.lengths import sample_count

if TYPE_CHECKING:
    from batchtts.model import Samples


class Vocoder:
    def __init__(self, decoder: Any, vocos: Any) -> None:
        self._decoder = decoder
        self._vocos = vocos

    @torch.inference_mode()
    def __call__(self, hidden: torch.Tensor) -> Samples:
        """hidden (T, width), T >= 2, to (2T-1)*256 samples at 24 kHz, silence inside kept."""
        mels = self._decoder(hidden.T[None].contiguous())
        sound = self._vocos.decode(mels)[0].clamp_(-1.0, 1.0)
        samples: Samples = sound.float().cpu().numpy()
        assert len(samples) == sample_count(len(hidden))
        return samples
