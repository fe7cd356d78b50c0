"""The loaded ChatTTS engine: decoder and vocoder behind the engine contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch

from batchtts.engines.chattts.body import Body
from batchtts.engines.chattts.decode import Decoded, Decoder
from batchtts.engines.chattts.lengths import RATE
from batchtts.engines.chattts.vocode import Vocoder
from batchtts.errors import OutOfMemory
from batchtts.model import Cause, Clip, Failure

if TYPE_CHECKING:
    from batchtts.engines.base import Queue
    from batchtts.engines.chattts.load import Network
    from batchtts.engines.chattts.spec import ChatTTSSpec


class ChatTTSEngine:
    """Implements `engines.base.Engine`. `Chat.infer` has no part in it; its state is fixed once it is loaded."""

    rate = RATE

    def __init__(self, spec: ChatTTSSpec, network: Network) -> None:
        body = Body(network.gpt.gpt)
        voice = torch.from_numpy(spec.speaker.vector(body.hidden)).to(network.device)
        self.decoder = Decoder(body, network.embed, spec.prompter, voice, spec.settings.sampling)
        self.vocoder = Vocoder(network.decoder, network.vocos)

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        """See `engines.base.Engine.render`."""
        _tidy()  # the call before may have run out of memory
        with _memory():
            for row in self.decoder.run(queue):
                yield row if isinstance(row, Failure) else self._clip(row)

    def _clip(self, row: Decoded) -> Clip | Failure:
        key, take = row.utterance.key, row.utterance.take
        samples = self.vocoder(row.hidden)
        if not np.isfinite(samples).all():
            return Failure(key, take, Cause.NAN, "the waveform's numbers broke down")
        return Clip(key, take, samples, RATE, frames=len(row.codes))

    def close(self) -> None:
        """Let go of the weights."""
        del self.decoder, self.vocoder
        _tidy()


def _tidy() -> None:
    """Give back what the GPU's allocator keeps for later: later, other sizes will be asked for."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


_NO_MEMORY = (
    *("can't allocate memory", "not enough memory", "bad_alloc"),
    *("could not create a primitive", "could not create a memory"),
    *("CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED"),
)
"""What RuntimeErrors say that mean it: the processor's allocator, oneDNN (`benchmarks/parity.py` provokes it) and
CUDA's libraries have no exception of their own."""


@contextmanager
def _memory() -> Iterator[None]:
    """Say it in the project's own words when memory runs out."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise OutOfMemory("the GPU is out of memory") from error
    except MemoryError as error:
        raise OutOfMemory("the machine is out of memory") from error
    except RuntimeError as error:
        if any(words in str(error) for words in _NO_MEMORY):
            raise OutOfMemory("the machine is out of memory") from error
        raise
