"""The loaded ChatTTS engine: decoder and vocoder behind the engine contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

from batchtts.engines.chattts.body import Body
from batchtts.engines.chattts.decode import Decoder
from batchtts.engines.chattts.lengths import RATE
from batchtts.engines.chattts.vocode import Vocoder
from batchtts.errors import OutOfMemory
from batchtts.model import Clip, Failure

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
        with _memory():
            for row in self.decoder.run(queue):
                if isinstance(row, Failure):
                    yield row
                    continue
                samples = self.vocoder(row.hidden)
                yield Clip(row.utterance.key, row.utterance.take, samples, RATE, frames=len(row.codes))

    def close(self) -> None:
        """Let go of the weights."""
        del self.decoder, self.vocoder
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


@contextmanager
def _memory() -> Iterator[None]:
    """Say it in the project's own words when memory runs out."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise OutOfMemory("the GPU is out of memory") from error
    except RuntimeError as error:
        # the processor's allocator has no exception of its own
        if "not enough memory" in str(error) or "can't allocate memory" in str(error):
            raise OutOfMemory("the machine is out of memory") from error
        raise
