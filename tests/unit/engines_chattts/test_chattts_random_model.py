"""A random checkpoint looks like the published one and behaves like speech."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from support.chattts import TEXTS, decode, render, utterances
from support.upstream import configuration, quiet

from batchtts.engines.chattts import random_model
from batchtts.engines.chattts.checkpoint import FILES, MANIFEST, verify
from batchtts.engines.chattts.random_model import SHAPES, Noise, make_random, network
from batchtts.engines.chattts.random_tokenizer import CONTROL_TOKENS, WORDS, vocabulary
from batchtts.engines.chattts.spec import ChatTTSSpec
from batchtts.errors import UsageError
from batchtts.model import Clip, Failure

if TYPE_CHECKING:
    from batchtts.engines.chattts.engine import ChatTTSEngine


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in (*FILES, MANIFEST)}


def test_the_same_seed_makes_the_same_files(tiny: Path, tmp_path: Path) -> None:
    """Byte for byte; another seed makes other weights and the same tokenizer."""
    again = make_random(tmp_path / "again", "tiny", seed=0)
    assert contents(tmp_path / "again") == contents(tiny)
    other = make_random(tmp_path / "other", "tiny", seed=1)
    assert other.hash != again.hash == verify(tiny).hash
    same = [name for name in FILES if (tmp_path / "other" / name).read_bytes() == (tiny / name).read_bytes()]
    assert same == [name for name in FILES if name.endswith(".json")]


def test_the_folder_holds_the_layout_and_nothing_else(tiny: Path) -> None:
    """The published files and the manifest."""
    assert {str(path.relative_to(tiny)) for path in tiny.rglob("*") if path.is_file()} == {*FILES, MANIFEST}
    assert json.loads((tiny / MANIFEST).read_text())["seed"] == 0


def test_upstream_s_own_loader_takes_every_file(chat: Any) -> None:
    """`Chat._load` with ChatTTS's classes, strictly; the codec that rendering does without included."""
    assert chat.has_loaded(use_decoder=True)
    assert chat.has_loaded(use_decoder=False)
    assert chat.tokenizer.len == WORDS + len(CONTROL_TOKENS) == 21178


def test_the_published_shape_is_upstream_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name and shape of every tensor."""
    monkeypatch.setattr(Noise, "normal", lambda _, __, shape, ___: np.zeros(shape, np.float32))  # costs next to nothing
    made: dict[str, dict[str, tuple[int, ...]]] = {}
    for name, tensors in network(SHAPES["published"], Noise(0)):
        made[Path(name).stem] = {key: tuple(value.shape) for key, value in tensors.items()}
    assert made == published_shapes()


def published_shapes() -> dict[str, dict[str, tuple[int, ...]]]:
    """What ChatTTS's classes hold under its own default configuration."""
    with quiet():
        from ChatTTS.model import DVAE, Embed
        from transformers import LlamaConfig, LlamaModel
        from vocos import Vocos
        from vocos.pretrained import instantiate_class

    config = default_configuration()
    embed, dvae, vocos = config.embed, config.dvae, config.vocos
    parts = ("feature_extractor", "backbone", "head")
    with quiet():
        modules = {
            "Decoder": DVAE(asdict(config.decoder), dim=config.decoder.idim),
            "DVAE": DVAE(asdict(dvae.decoder), asdict(dvae.encoder), asdict(dvae.vq), dim=dvae.decoder.idim),
            "Vocos": Vocos(**{part: instantiate_class((), asdict(getattr(vocos, part))) for part in parts}),
        }
        with torch.device("meta"):  # no memory for the large ones
            modules["model"] = LlamaModel(LlamaConfig(**asdict(config.gpt), vocab_size=2))
            modules["Embed"] = Embed(embed.hidden_size, embed.num_audio_tokens, embed.num_text_tokens, embed.num_vq)
    return {
        name: {key: tuple(value.shape) for key, value in module.state_dict().items()}
        for name, module in modules.items()
    }


def test_the_tiny_configuration_differs_from_the_published_one_in_sizes_only() -> None:
    """The comparison with upstream rests on it."""
    assert asdict(configuration(SHAPES["published"])) == asdict(default_configuration())


def default_configuration() -> Any:
    with quiet():
        from ChatTTS.config import Config
    return Config()


def test_the_tokenizer_holds_every_piece_once() -> None:
    """Ids without a gap, and a place for every common character."""
    pieces = vocabulary()
    assert sorted(pieces.values()) == list(range(WORDS))
    assert {*"的一是了我不人在他有，。！？abc019", "##a"} <= pieces.keys()
    assert len(set(CONTROL_TOKENS)) == len(CONTROL_TOKENS)


# ------------------------------------------------ how it behaves


def test_rows_end_by_themselves_after_a_plausible_time(engine: ChatTTSEngine, spec: ChatTTSSpec) -> None:
    """Longer texts take longer, at about ten frames a token, and none hits its cap."""
    texts = ["好" * length + mark for length in (2, 8, 20, 40) for mark in "。！？"]
    rows = decode(engine.decoder, utterances(spec, texts))
    frames: dict[int, list[int]] = {}
    for text, row in rows.items():
        assert not isinstance(row, Failure), row
        frames.setdefault(spec.count(text), []).append(len(row.codes))
    means = [statistics.mean(frames[tokens]) for tokens in sorted(frames)]
    assert means == sorted(means)
    assert all(6 * tokens < mean < 16 * tokens for tokens, mean in zip(sorted(frames), means, strict=True))


def test_codes_vary_as_in_the_real_model(engine: ChatTTSEngine, spec: ChatTTSSpec) -> None:
    """No codebook is stuck on a few codes, or on the end."""
    (row,) = decode(engine.decoder, utterances(spec, ["好" * 20])).values()
    assert not isinstance(row, Failure)
    for book in row.codes.T:
        assert len(book.unique()) > 40
        assert book.max() < 625


def test_the_sound_is_neither_silent_nor_clipped(engine: ChatTTSEngine, spec: ChatTTSSpec) -> None:
    """So that the checks on clips let it pass."""
    outcomes, _ = render(engine, utterances(spec, TEXTS[:4]))
    for clip in outcomes.values():
        assert isinstance(clip, Clip)
        assert 0.02 < float(np.sqrt((clip.samples**2).mean())) < 0.5
        assert (np.abs(clip.samples) >= 1).mean() < 0.001


# ------------------------------------------------ where it is written


def test_an_unknown_size_is_told(tmp_path: Path) -> None:
    """With the known ones."""
    with pytest.raises(UsageError, match="published, tiny"):
        make_random(tmp_path / "model", "huge")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder with anything in it, or a file, is left alone; an empty folder will do."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("precious")
    (tmp_path / "file").write_text("precious")
    for name in ("full", "file"):
        with pytest.raises(UsageError, match=rf"{name} exists"):
            make_random(tmp_path / name, "tiny")
    assert (tmp_path / "full" / "mine").read_text() == "precious"
    (tmp_path / "empty").mkdir()
    make_random(tmp_path / "empty", "tiny")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """And nothing half-made stays behind."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        make_random(tmp_path / "file" / "model", "tiny")


def test_a_making_that_dies_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder appears only when it is whole."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(random_model, "write_manifest", full)
    with pytest.raises(UsageError, match="No space left"):
        make_random(tmp_path / "model", "tiny")
    assert list(tmp_path.iterdir()) == []
