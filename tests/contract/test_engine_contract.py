"""What every engine promises (`batchtts/engines/base.py`), over all engines, the faulty ones included."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from engines import faulty
from support.cli import environment

from batchtts.engines import find
from batchtts.engines.base import Engine, EngineSpec
from batchtts.errors import OutOfMemory
from batchtts.model import Cause, Clip, Failure, Utterance, utterance_key
from batchtts.render.loop import Backoff, run
from batchtts.schedule.queue import WorkQueue
from batchtts.settings import EngineSettings

TEXTS = (
    "今天天气很好。",
    "It is a fine day.",
    "他写了一个 Python 程序。",
    "We will meet again tomorrow morning.",
    "好。",
    "明天见。",
)


def tiny_chattts(folder: Path) -> EngineSpec:
    from support.chattts import make_tiny, tiny_spec

    return tiny_spec(make_tiny(folder / "tiny"))


ENGINES: dict[str, Callable[[Path], EngineSpec]] = {
    "silent": lambda _: find(EngineSettings(engine="silent"))[0],
    "kokoro": lambda _: find(EngineSettings(engine="kokoro"))[0],
    "chattts": tiny_chattts,
    "memory_at": lambda _: faulty.memory_at(1),
    "memory_above": lambda _: faulty.memory_above(2),
    "poison": lambda _: faulty.poison("fine", OutOfMemory("injected")),
    "raises": lambda _: faulty.poison("fine", RuntimeError("injected")),
    "failing": lambda _: faulty.failing("fine", Cause.NAN),
    "backwards": lambda _: faulty.backwards(EngineSettings()),
    "slots": lambda _: faulty.slots(EngineSettings()),
}


@pytest.fixture(scope="module", params=ENGINES)
def spec(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> EngineSpec:
    return ENGINES[request.param](tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def engine(spec: EngineSpec) -> Iterator[Engine]:
    loaded = spec.load()
    yield loaded
    loaded.close()


def utterances(spec: EngineSpec, texts: tuple[str, ...] = TEXTS) -> list[Utterance]:
    return [
        Utterance(utterance_key(spec.fingerprint, spec.voice, text), text, spec.voice, spec.count(text))
        for text in texts
    ]


def render(
    spec: EngineSpec, engine: Engine, items: list[Utterance], rows: int | None = None
) -> dict[str, Clip | Failure]:
    """Every outcome, by key; through the loop, as a run would have it."""
    queue = WorkQueue(items, spec.limits.budget, min(rows or spec.limits.rows, spec.limits.rows))
    outcomes: dict[str, Clip | Failure] = {}
    for outcome in run(engine, queue):
        if not isinstance(outcome, Backoff):
            assert outcome.key not in outcomes, "two outcomes for one utterance"
            outcomes[outcome.key] = outcome
    return outcomes


@pytest.fixture(scope="module")
def outcomes(spec: EngineSpec, engine: Engine) -> dict[str, Clip | Failure]:
    return render(spec, engine, utterances(spec))


def test_the_spec_says_what_can_be_known_without_loading(spec: EngineSpec) -> None:
    """Limits that make sense, and a voice that is among the voices."""
    limits = spec.limits
    assert 0 < limits.goal <= limits.longest <= limits.budget
    assert limits.rows >= 1
    assert spec.voice in {voice.name for voice in spec.voices()}
    assert spec.audio_per_token > 0
    assert spec.edge_silence >= 0
    assert spec.speed > 0
    assert spec.fingerprint.startswith(spec.name)


def test_tokens_are_counted_the_same_each_time_and_grow_with_the_text(spec: EngineSpec) -> None:
    """The plan rests on it."""
    for text in TEXTS:
        assert spec.count(text) == spec.count(text) > 0
        assert spec.count(text * 3) > spec.count(text)


def test_each_utterance_has_exactly_one_outcome(spec: EngineSpec, outcomes: dict[str, Clip | Failure]) -> None:
    """None is missing, none is invented, and each says which take it is."""
    items = {item.key: item for item in utterances(spec)}
    assert outcomes.keys() == items.keys()
    assert all(outcome.take == items[key].take for key, outcome in outcomes.items())


def test_clips_are_mono_float32_of_the_engine_s_rate(engine: Engine, outcomes: dict[str, Clip | Failure]) -> None:
    """Finite, in range, and something is to be heard."""
    clips = [outcome for outcome in outcomes.values() if isinstance(outcome, Clip)]
    assert len(clips) >= len(TEXTS) - 1
    for clip in clips:
        assert clip.rate == engine.rate == 24000
        assert clip.samples.dtype == np.float32
        assert clip.samples.ndim == 1
        assert np.isfinite(clip.samples).all()
        assert 0.01 < np.abs(clip.samples).max() <= 1.5


def test_a_clip_depends_neither_on_batch_nor_order_nor_earlier_calls(
    spec: EngineSpec, engine: Engine, outcomes: dict[str, Clip | Failure]
) -> None:
    """Alone, in reverse order and in another batch: the same samples."""
    backwards = render(spec, engine, utterances(spec)[::-1], rows=3)
    alone = render(spec, engine, utterances(spec)[:1])
    for other in (backwards, alone):
        for key, outcome in other.items():
            before = outcomes[key]
            assert type(before) is type(outcome)
            if isinstance(outcome, Clip) and isinstance(before, Clip):
                assert outcome.samples.shape == before.samples.shape
                assert np.abs(outcome.samples - before.samples).max() < 1e-4


def test_another_take_is_another_sound(spec: EngineSpec, engine: Engine, outcomes: dict[str, Clip | Failure]) -> None:
    """Or a retry would only repeat the fault."""
    item = utterances(spec)[3]
    again = render(spec, engine, [Utterance(item.key, item.text, item.voice, item.tokens, take=2)])[item.key]
    before = outcomes[item.key]
    assert isinstance(again, Clip)
    assert isinstance(before, Clip)
    assert again.take == 2
    assert again.samples.shape != before.samples.shape or not np.array_equal(again.samples, before.samples)


def test_a_closed_queue_ends_the_call(spec: EngineSpec, engine: Engine) -> None:
    """A stop is honoured within a step; what was not finished is not answered for."""
    seen = 0
    queue = WorkQueue(utterances(spec, TEXTS[3:]), spec.limits.budget, spec.limits.rows, stop=lambda: seen > 0)
    for outcome in run(engine, queue):
        seen += not isinstance(outcome, Backoff)
    assert 1 <= seen <= 3
    closed = WorkQueue(utterances(spec), spec.limits.budget, spec.limits.rows, stop=lambda: True)
    assert list(engine.render(closed)) == []


@pytest.mark.parametrize("name", ["silent", "kokoro"])
def test_a_spec_is_cheap(name: str) -> None:
    """Making one and counting imports neither torch nor onnxruntime nor numpy."""
    program = (
        "import sys; from batchtts.engines import find; from batchtts.settings import EngineSettings\n"
        f"find(EngineSettings(engine={name!r}))[0].count('text 文字')\n"
        "print(*{'torch', 'onnxruntime', 'numpy', 'transformers'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment()
    )
    assert done.stdout.split() == []
