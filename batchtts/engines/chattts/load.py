"""Loading a model folder with ChatTTS's own classes. The sizes of the network are read off the tensors, not assumed."""

from __future__ import annotations

import json
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchtts.errors import EngineUnavailable

if TYPE_CHECKING:
    import torch

    from batchtts.engines.chattts.engine import ChatTTSEngine
    from batchtts.engines.chattts.spec import ChatTTSSpec


@dataclass(frozen=True, slots=True)
class Network:
    """The loaded modules: `Embed`, `GPT`, the `DVAE` that serves as decoder, and `Vocos`."""

    embed: Any
    gpt: Any
    decoder: Any
    vocos: Any
    device: torch.device


def load_engine(spec: ChatTTSSpec) -> ChatTTSEngine:
    """Raises EngineUnavailable when a device is not there or the folder does not load."""
    import torch

    from batchtts.engines.chattts.engine import ChatTTSEngine

    torch.set_num_threads(spec.settings.threads or default_threads())
    device = pick_device(spec.settings.device)
    return ChatTTSEngine(spec, load_network(spec.folder, device))


def default_threads() -> int:
    """One thread for each processor that this process may use: with two, 1.5 times as fast as one."""
    return len(os.sched_getaffinity(0))


def pick_device(name: str) -> torch.device:
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise EngineUnavailable("no CUDA device is available; use --device cpu or auto")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def load_network(folder: Path, device: torch.device) -> Network:
    """Load the modules of a model folder, in fp32, for inference.

    Raises EngineUnavailable when a file does not hold what it should, or the memory does not hold the model.
    """
    import torch
    from safetensors import SafetensorError

    asset = folder / "asset"
    try:
        with _quiet():
            embed = _embed(asset / "Embed.safetensors", device)
            return Network(
                embed=embed,
                gpt=_gpt(asset / "gpt", asset / "Embed.safetensors", embed, device),
                decoder=_decoder(asset / "Decoder.safetensors", device),
                vocos=_vocos(asset / "Vocos.safetensors", device),
                device=device,
            )
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise EngineUnavailable(
            f"the memory of {device} does not hold the model; close what else uses it, or use --device cpu"
        ) from error
    except (KeyError, ValueError, OSError, TypeError, RuntimeError, SafetensorError) as error:
        raise EngineUnavailable(
            f"model folder {folder} does not load ({type(error).__name__}: {str(error).splitlines()[0][:120]}); "
            f"run `batchtts model verify {folder}`"
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """ChatTTS and transformers report deprecations and missing embeddings that no user can act on."""
    from transformers.utils import logging as transformers_logging

    before = transformers_logging.get_verbosity()
    transformers_logging.set_verbosity(logging.CRITICAL)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call] # the library has no annotation here
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers_logging.set_verbosity(before)


def _shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Name to shape of each tensor of a file; reads its header only."""
    from safetensors import safe_open

    with safe_open(str(path), framework="pt") as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118 (no mapping)


def _layers(shapes: dict[str, tuple[int, ...]], prefix: str) -> int:
    """How many numbered modules stand under `prefix`."""
    return len({name[len(prefix) :].split(".")[0] for name in shapes if name.startswith(prefix)})


def _embed(path: Path, device: torch.device) -> Any:
    from ChatTTS.model import Embed

    shapes = _shapes(path)
    texts, hidden = shapes["emb_text.weight"]
    codes, _ = shapes["emb_code.0.weight"]
    embed = Embed(hidden, codes, texts, _layers(shapes, "emb_code."))
    embed.load_pretrained(str(path), device=device)
    return embed.eval()


def _gpt(folder: Path, embed_path: Path, embed: Any, device: torch.device) -> Any:
    from ChatTTS.model import GPT

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config |= {
        "num_vq": embed.num_vq,
        "num_audio_tokens": embed.num_audio_tokens,
        "num_text_tokens": embed.emb_text.num_embeddings,
    }
    gpt = GPT(config, embed, device=device, device_gpt=device)
    gpt.load_pretrained(str(folder), str(embed_path))
    return gpt.eval()


def _decoder(path: Path, device: torch.device) -> Any:
    from ChatTTS.model import DVAE

    shapes = _shapes(path)
    bottleneck, inputs, _ = shapes["decoder.conv_in.0.weight"]
    outputs, hidden, _ = shapes["decoder.conv_out.weight"]
    config = {
        "idim": inputs,
        "odim": outputs,
        "hidden": hidden,
        "n_layer": _layers(shapes, "decoder.decoder_block."),
        "bn_dim": bottleneck,
    }
    decoder = DVAE(decoder_config=config, dim=shapes["out_conv.weight"][1], device=device)
    decoder.load_pretrained(str(path), device)
    return decoder.eval()


def _vocos(path: Path, device: torch.device) -> Any:
    from ChatTTS.utils import load_safetensors
    from vocos import Vocos
    from vocos.feature_extractors import MelSpectrogramFeatures
    from vocos.heads import ISTFTHead
    from vocos.models import VocosBackbone

    shapes = _shapes(path)
    dim, mels, _ = shapes["backbone.embed.weight"]
    layers = _layers(shapes, "backbone.convnext.")
    inner, _ = shapes["backbone.convnext.0.pwconv1.weight"]
    vocos = Vocos(
        feature_extractor=MelSpectrogramFeatures(24000, 1024, 256, mels, "center"),
        backbone=VocosBackbone(mels, dim, inner, layers),
        head=ISTFTHead(dim, 1024, 256, "center"),
    )
    vocos.load_state_dict(load_safetensors(str(path)))
    return vocos.to(device).eval()
