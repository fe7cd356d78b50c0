"""Checkpoints in the published file layout with random weights: for tests, benchmarks, a first look offline.

The weights say nothing, but they behave. A row ends by itself, after about `FRAMES_PER_TOKEN` frames for each prompt
token, as speech does: head 0 of the first layer attends evenly to all that came before, so it sees which share of it is
prompt, and the end code's logit rises as that share falls. The waveform is steady noise under a falling spectrum, far
from silence and from clipping.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.engines.chattts.checkpoint import ModelInfo, verify, write_manifest
from batchtts.engines.chattts.random_tokenizer import CONTROL_TOKENS, WORDS, write_tokenizer
from batchtts.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]
    Tensors = dict[str, Array]


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a network; the defaults are the published ones (`ChatTTS.config`)."""

    hidden: int = 768
    inner: int = 3072
    layers: int = 20
    heads: int = 12
    decoder: int = 512
    decoder_layers: int = 12
    bottleneck: int = 128
    dvae: int = 512
    dvae_hidden: int = 256
    vocos: int = 512
    vocos_inner: int = 1536
    vocos_layers: int = 8


SHAPES = {
    "published": Shape(),
    "tiny": Shape(
        hidden=64,
        inner=128,
        layers=2,
        heads=2,
        decoder=32,
        decoder_layers=2,
        bottleneck=16,
        dvae=32,
        dvae_hidden=16,
        vocos=32,
        vocos_inner=64,
        vocos_layers=2,
    ),
}

CODES = 626
END = 625
CODEBOOKS = 4
MELS = 100
BINS = 513
"""1024 / 2 + 1 bins of the Fourier transform."""

FRAMES_PER_TOKEN = 10.0
"""About the pace of Mandarin: 4.5 syllables a second at 46.875 frames a second."""
MARK, ONE, CLOCK = 0, 1, 2
"""Places of the residual stream that carry: this is prompt; a constant; the prompt's share so far."""
CODE_SPREAD = 0.45
"""Standard deviation of the codes' logits: at temperature 0.3 the draw is among some 20 codes, as in the real model."""
CLOCK_GAIN = 12.0
END_GAIN = 1.0


def make_random(folder: Path, size: str = "published", seed: int = 0) -> ModelInfo:
    """Write a random checkpoint; the same size and seed give the same files. The folder appears only when it is whole.

    Raises UsageError for an unknown size, or when `folder` exists and is not empty.
    """
    if size not in SHAPES:
        raise UsageError(f"no such size {size!r}; choose one of: {', '.join(SHAPES)}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not an empty folder; choose another place or remove it")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    try:
        _write(building, SHAPES[size], seed)
        write_manifest(building, size, seed)
        building.chmod(0o755)
        building.replace(folder)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return verify(folder)


def _write(folder: Path, shape: Shape, seed: int) -> None:
    from safetensors.numpy import save_file

    asset = folder / "asset"
    write_tokenizer(asset / "tokenizer")
    (asset / "gpt").mkdir()
    (asset / "gpt" / "config.json").write_text(json.dumps(_llama_config(shape), indent=1) + "\n", encoding="utf-8")
    for name, tensors in network(shape, Noise(seed)):
        save_file(tensors, folder / name, metadata={"format": "pt"})


def network(shape: Shape, noise: Noise) -> Iterator[tuple[str, Tensors]]:
    """The tensors of each file, one file after another: the published shape takes 1.1 GB."""
    yield "asset/gpt/model.safetensors", _llama(shape, noise)
    yield "asset/Embed.safetensors", _embed(shape, noise)
    yield "asset/Decoder.safetensors", _decoder(shape, noise)
    yield "asset/DVAE.safetensors", _dvae(shape, noise)
    yield "asset/Vocos.safetensors", _vocos(shape, noise)


class Noise:
    """Random tensors that depend on the seed and their own name alone, on every machine."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def normal(self, name: str, shape: tuple[int, ...], std: float) -> Array:
        import numpy as np

        digest = hashlib.sha256(f"{self._seed}:{name}".encode()).digest()
        generator = np.random.Generator(np.random.SFC64(int.from_bytes(digest[:16], "little")))
        values = generator.standard_normal(shape, dtype=np.float32)
        values *= np.float32(std)
        return values

    def matrix(self, name: str, rows: int, *columns: int, gain: float = 1.0) -> Array:
        """Keeps the size of what it multiplies, times `gain`."""
        fan_in = 1
        for column in columns:
            fan_in *= column
        return self.normal(name, (rows, *columns), gain * float(fan_in) ** -0.5)


def _ones(*shape: int) -> Array:
    import numpy as np

    return np.ones(shape, dtype=np.float32)


def _zeros(*shape: int) -> Array:
    import numpy as np

    return np.zeros(shape, dtype=np.float32)


# ---------------------------------------------------------------- the language model


def _llama_config(shape: Shape) -> dict[str, object]:
    return {
        "architectures": ["LlamaModel"],
        "model_type": "llama",
        "hidden_size": shape.hidden,
        "intermediate_size": shape.inner,
        "num_attention_heads": shape.heads,
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": shape.heads,
        "hidden_act": "silu",
        "max_position_embeddings": 4096,
        "rms_norm_eps": 1e-06,
        "rope_theta": 10000.0,
        "attention_bias": False,
        "vocab_size": 2,
        "torch_dtype": "float32",
    }


def _llama(shape: Shape, noise: Noise) -> Tensors:
    hidden, inner = shape.hidden, shape.inner
    tensors = {"embed_tokens.weight": _zeros(2, hidden), "norm.weight": _ones(hidden)}
    # residual branches are damped by depth, so that the stream keeps its size
    damp = 0.5 * (2 * shape.layers) ** -0.5
    for layer in range(shape.layers):
        base = f"layers.{layer}."
        for part in ("q", "k", "v"):
            name = f"{base}self_attn.{part}_proj.weight"
            tensors[name] = noise.matrix(name, hidden, hidden)
        for name, columns in ((f"{base}self_attn.o_proj.weight", hidden), (f"{base}mlp.down_proj.weight", inner)):
            tensors[name] = noise.matrix(name, hidden, columns, gain=damp)
            tensors[name][[MARK, ONE, CLOCK]] = 0.0
        for part in ("gate", "up"):
            name = f"{base}mlp.{part}_proj.weight"
            tensors[name] = noise.matrix(name, inner, hidden)
        for part in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{base}{part}.weight"] = _ones(hidden)
    _add_clock(tensors, shape)
    return tensors


def _add_clock(tensors: Tensors, shape: Shape) -> None:
    """Let head 0 of layer 0 write the prompt's share of all that came before into `CLOCK`."""
    base = "layers.0.self_attn."
    head = slice(0, shape.hidden // shape.heads)
    tensors[base + "q_proj.weight"][head] = 0.0  # every score is zero: attention is even
    tensors[base + "v_proj.weight"][head] = 0.0
    tensors[base + "v_proj.weight"][0, MARK] = 1.0
    tensors[base + "o_proj.weight"][:, head] = 0.0
    tensors[base + "o_proj.weight"][CLOCK, 0] = CLOCK_GAIN


def _embed(shape: Shape, noise: Noise) -> Tensors:
    hidden = shape.hidden
    texts = WORDS + len(CONTROL_TOKENS)
    text = noise.normal("emb_text", (texts, hidden), 1.0)
    text[:, MARK], text[:, ONE], text[:, CLOCK] = 1.0, 1.0, 0.0
    heads = noise.normal("head_text", (texts, hidden), 1.0)
    tensors = {
        "emb_text.weight": text,
        "head_text.parametrizations.weight.original0": _norms(heads),
        "head_text.parametrizations.weight.original1": heads,
    }
    for book in range(CODEBOOKS):
        codes = noise.normal(f"emb_code.{book}", (CODES, hidden), 0.5)
        codes[:, MARK], codes[:, ONE], codes[:, CLOCK] = 0.0, 1.0 / CODEBOOKS, 0.0
        head = noise.matrix(f"head_code.{book}", CODES, hidden, gain=CODE_SPREAD)
        head[:, [MARK, ONE, CLOCK]] = 0.0
        head[END] = 0.0
        # text tokens have a size of 1, so what the clock reads is CLOCK_GAIN x (prompt / all)
        head[END, ONE] = END_GAIN * CLOCK_GAIN / (1.0 + FRAMES_PER_TOKEN) * 2
        head[END, CLOCK] = -END_GAIN
        tensors[f"emb_code.{book}.weight"] = codes
        tensors[f"head_code.{book}.parametrizations.weight.original0"] = _norms(head)
        tensors[f"head_code.{book}.parametrizations.weight.original1"] = head
    return tensors


def _norms(rows: Array) -> Array:
    """The magnitudes of `torch.nn.utils.parametrizations.weight_norm`."""
    import numpy as np

    norms: Array = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return norms


# ---------------------------------------------------------------- the waveform


def _decoder(shape: Shape, noise: Noise) -> Tensors:
    half = shape.hidden // 2
    tensors = {"coef": _ones(1, MELS, 1)}
    tensors.update(
        _dvae_decoder(noise, "Decoder:", "decoder.", half, half, shape.decoder, shape.bottleneck, shape.decoder_layers)
    )
    tensors["out_conv.weight"] = noise.matrix("Decoder:out_conv", MELS, half, 3)
    return tensors


def _dvae(shape: Shape, noise: Noise) -> Tensors:
    """The codec that encodes voice samples: no part of rendering, but of the layout."""
    dim, hidden, layers = shape.dvae, shape.dvae_hidden, shape.decoder_layers
    tensors = {
        "coef": _ones(1, MELS, 1),
        "downsample_conv.0.weight": noise.matrix("DVAE:down0", dim, MELS, 3),
        "downsample_conv.0.bias": _zeros(dim),
        "downsample_conv.2.weight": noise.matrix("DVAE:down2", dim, dim, 4),
        "downsample_conv.2.bias": _zeros(dim),
        "out_conv.weight": noise.matrix("DVAE:out_conv", MELS, dim, 3),
        **_mel_filters("preprocessor_mel."),
    }
    tensors.update(_dvae_decoder(noise, "DVAE:", "encoder.", dim, 1024, hidden, shape.bottleneck, layers))
    tensors.update(_dvae_decoder(noise, "DVAE:", "decoder.", dim, dim, hidden, shape.bottleneck, layers))
    for group in range(2):
        base = f"vq_layer.quantizer.rvqs.{group}."
        tensors[base + "project_in.weight"] = noise.matrix(base + "in", 4, 512)
        tensors[base + "project_in.bias"] = _zeros(4)
        tensors[base + "project_out.weight"] = noise.matrix(base + "out", 512, 4)
        tensors[base + "project_out.bias"] = _zeros(512)
    return tensors


def _dvae_decoder(
    noise: Noise, seed: str, base: str, inputs: int, outputs: int, hidden: int, bottleneck: int, layers: int
) -> Iterator[tuple[str, Array]]:
    yield f"{base}conv_in.0.weight", noise.matrix(f"{seed}{base}in0", bottleneck, inputs, 3)
    yield f"{base}conv_in.0.bias", _zeros(bottleneck)
    yield f"{base}conv_in.2.weight", noise.matrix(f"{seed}{base}in2", hidden, bottleneck, 3)
    yield f"{base}conv_in.2.bias", _zeros(hidden)
    for layer in range(layers):
        yield from _convnext(noise, seed, f"{base}decoder_block.{layer}.", hidden, 4 * hidden, "weight")
    yield f"{base}conv_out.weight", noise.matrix(f"{seed}{base}out", outputs, hidden, 1)


def _convnext(noise: Noise, seed: str, base: str, dim: int, inner: int, scale: str) -> Iterator[tuple[str, Array]]:
    yield base + scale, 0.3 * _ones(dim)
    yield base + "dwconv.weight", noise.matrix(f"{seed}{base}dw", dim, 1, 7)
    yield base + "dwconv.bias", _zeros(dim)
    yield base + "norm.weight", _ones(dim)
    yield base + "norm.bias", _zeros(dim)
    yield base + "pwconv1.weight", noise.matrix(f"{seed}{base}pw1", inner, dim)
    yield base + "pwconv1.bias", _zeros(inner)
    yield base + "pwconv2.weight", noise.matrix(f"{seed}{base}pw2", dim, inner)
    yield base + "pwconv2.bias", _zeros(dim)


def _vocos(shape: Shape, noise: Noise) -> Tensors:
    dim = shape.vocos
    tensors = {
        **_mel_filters("feature_extractor."),
        "backbone.embed.weight": noise.matrix("Vocos:embed", dim, MELS, 7),
        "backbone.embed.bias": _zeros(dim),
        "backbone.norm.weight": _ones(dim),
        "backbone.norm.bias": _zeros(dim),
        "backbone.final_layer_norm.weight": _ones(dim),
        "backbone.final_layer_norm.bias": _zeros(dim),
        "head.istft.window": _hann(),
    }
    for layer in range(shape.vocos_layers):
        base = f"backbone.convnext.{layer}."
        tensors.update(_convnext(noise, "Vocos:", base, dim, shape.vocos_inner, "gamma"))
    tensors["head.out.weight"], tensors["head.out.bias"] = _spectrum(dim, noise)
    return tensors


def _spectrum(dim: int, noise: Noise) -> tuple[Array, Array]:
    """Head of the Fourier vocoder: log magnitudes that fall by 6 dB an octave above 200 Hz, and phases at random."""
    import numpy as np

    weight = noise.matrix("Vocos:head", 2 * BINS, dim)
    weight[:BINS] *= np.float32(0.3)
    weight[BINS:] *= np.float32(2.0)
    hertz = np.arange(BINS) * (24000 / 1024)
    bias = np.zeros(2 * BINS, dtype=np.float32)
    bias[:BINS] = np.log(16.0 / (1.0 + hertz / 200.0))
    return weight, bias


def _hann() -> Array:
    """The periodic window of `torch.hann_window(1024)`."""
    import numpy as np

    window: Array = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(1024) / 1024)).astype(np.float32)
    return window


def _mel_filters(base: str) -> Tensors:
    """Window and triangular filters (HTK scale, not normalised) of `torchaudio.transforms.MelSpectrogram`."""
    import numpy as np

    top = 2595.0 * np.log10(1.0 + 12000.0 / 700.0)
    corners = 700.0 * (10.0 ** (np.linspace(0.0, top, MELS + 2) / 2595.0) - 1.0)
    slopes = corners[None, :] - np.linspace(0.0, 12000.0, BINS)[:, None]
    widths = np.diff(corners)
    filters = np.maximum(0.0, np.minimum(-slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:]))
    return {
        base + "mel_spec.spectrogram.window": _hann(),
        base + "mel_spec.mel_scale.fb": filters.astype(np.float32),
    }
