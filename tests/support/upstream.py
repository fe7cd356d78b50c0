"""The ChatTTS package itself, over a random checkpoint: what this project's engine is compared with.

Also used by `benchmarks/decode.py`.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from batchtts.engines.chattts.random_model import Shape


@contextmanager
def quiet() -> Iterator[None]:
    """ChatTTS 0.2.5 calls transformers in ways that it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def configuration(shape: Shape) -> Any:
    """ChatTTS's own `Config` with the sizes of a random checkpoint."""
    with quiet():
        from ChatTTS.config import config as own

    half = shape.hidden // 2
    coder = {"hidden": shape.dvae_hidden, "n_layer": shape.decoder_layers, "bn_dim": shape.bottleneck}
    config = own.Config()
    config.decoder = own.Decoder(half, half, shape.decoder, shape.decoder_layers, shape.bottleneck)
    config.dvae = own.DVAE(
        encoder=own.Decoder(idim=shape.dvae, odim=1024, **coder),
        decoder=own.Decoder(idim=shape.dvae, odim=shape.dvae, **coder),
    )
    config.gpt = own.GPT(shape.hidden, shape.inner, shape.heads, shape.layers)
    config.embed = own.Embed(shape.hidden)
    backbone = own.BackboneInitArgs(dim=shape.vocos, intermediate_dim=shape.vocos_inner, num_layers=shape.vocos_layers)
    config.vocos = own.Vocos(
        backbone=own.Backbone(init_args=backbone), head=own.FourierHead(init_args=own.FourierHeadInitArgs(shape.vocos))
    )
    return config


def load_chat(folder: Path, shape: Shape, device: str = "cpu") -> Any:
    """A `ChatTTS.Chat` that has loaded every file of a model folder, with ChatTTS's own loader."""
    with quiet():
        import ChatTTS

        logging.getLogger("transformers").setLevel(logging.ERROR)  # it says once more what `quiet` keeps back
        logger = logging.getLogger("upstream")
        logger.setLevel(logging.ERROR)
        chat = ChatTTS.Chat(logger)
        chat.config = configuration(shape)
        paths = {name: str(folder / path) for name, path in asdict(chat.config.path).items()}
        assert chat._load(device=torch.device(device), **paths)
    return chat


def states(chat: Any, embedded: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Hidden states of the LlamaModel, as upstream calls it on left-padded rows: (rows, length, hidden).

    embedded (rows, length, hidden); mask (rows, length) bool, True where a row has an embedding.
    """
    places = (mask.long().cumsum(-1) - 1).masked_fill(~mask, 1)
    with quiet(), torch.no_grad():
        states: torch.Tensor = chat.gpt.gpt(
            inputs_embeds=embedded, attention_mask=mask.to(embedded.dtype), position_ids=places.to(embedded.dtype)
        ).last_hidden_state
    return states


def generate(
    chat: Any,
    texts: list[str],
    voice: torch.Tensor,
    choose: Callable[[torch.Tensor], torch.Tensor],
    **params: Any,
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Codes and hidden states of each row, by upstream's own generation loop.

    `choose` stands in for the multinomial draw: probabilities (rows x books, codes) to codes (rows x books, 1).
    """
    drawn = chat.InferCodeParams(spk_emb=voice, show_tqdm=False, **params)
    multinomial = torch.multinomial
    torch.multinomial = lambda scores, **_: choose(scores)
    try:
        with quiet():
            outputs = next(chat._infer_code(list(texts), False, chat.device, True, drawn))
    finally:
        torch.multinomial = multinomial
    return outputs.ids, outputs.hiddens
