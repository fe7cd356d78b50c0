"""A tiny random ChatTTS model and what runs over it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchtts.engines.chattts.random_model import make_random
from batchtts.engines.chattts.spec import ChatTTSSpec, spec
from batchtts.model import Clip, Failure, Utterance, utterance_key
from batchtts.render.loop import Backoff, run
from batchtts.schedule.queue import WorkQueue
from batchtts.settings import EngineSettings, Sampling

if TYPE_CHECKING:
    from batchtts.engines.chattts.decode import Decoded, Decoder
    from batchtts.engines.chattts.engine import ChatTTSEngine

TEXTS = tuple(
    f"{text}{mark}"
    for mark in "。！？"
    for text in (
        "今天天气很好",
        "他写了一个 Python 程序",
        "好",
        "We will meet again",
        "明天见",
        "春天的花园里有一只猫",
        "a cup of tea",
        "山高水长",
        "我们去公园散步吧",
        "雨",
        "the end",
    )
)
"""33 of 6 to 25 tokens."""


def make_tiny(folder: Path) -> Path:
    """Make the model, and keep the memory of its check out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache"))
        make_random(folder, "tiny")
    return folder


def tiny_spec(folder: Path, sampling: Sampling | None = None) -> ChatTTSSpec:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache"))
        return spec(EngineSettings(engine="chattts", model_dir=folder, threads=1, sampling=sampling or Sampling()))


def utterances(spec: ChatTTSSpec, texts: Iterable[str] = TEXTS) -> list[Utterance]:
    # the key leaves the model's hash out: another random model must not mean other random numbers
    return [Utterance(utterance_key("test", spec.voice, text), text, spec.voice, spec.count(text)) for text in texts]


def decode(
    decoder: Decoder, items: Iterable[Utterance], rows: int = 16, budget: int = 32768
) -> dict[str, Decoded | Failure]:
    """What became of each utterance, by its text."""
    items = list(items)
    texts = {item.key: item.text for item in items}
    queue = WorkQueue(items, budget, rows)
    outcomes: dict[str, Decoded | Failure] = {}
    for row in decoder.run(queue):
        key = row.key if isinstance(row, Failure) else row.utterance.key
        queue.settle(key)
        assert texts[key] not in outcomes
        outcomes[texts[key]] = row
    assert not queue.waiting
    assert not queue.in_flight
    return outcomes


def render(
    engine: ChatTTSEngine, items: Iterable[Utterance], rows: int = 16, budget: int = 32768
) -> tuple[dict[str, Clip | Failure], list[Backoff]]:
    """Outcomes by text, and the backoffs; through the loop, as in a run."""
    items = list(items)
    texts = {item.key: item.text for item in items}
    outcomes: dict[str, Clip | Failure] = {}
    backoffs: list[Backoff] = []
    for result in run(engine, WorkQueue(items, budget, rows)):
        if isinstance(result, Backoff):
            backoffs.append(result)
        else:
            assert texts[result.key] not in outcomes
            outcomes[texts[result.key]] = result
    return outcomes, backoffs
