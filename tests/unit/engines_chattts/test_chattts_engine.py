"""The engine in the loop: whole clips, whatever happens to the memory, and no memory of earlier calls."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from support.chattts import TEXTS, render, tiny_spec, utterances
from support.cli import environment
from support.upstream import quiet

from batchtts.engines.chattts.spec import ChatTTSSpec
from batchtts.errors import EngineUnavailable, OutOfMemory
from batchtts.model import Cause, Clip, Failure
from batchtts.schedule.queue import WorkQueue
from batchtts.settings import Sampling

if TYPE_CHECKING:
    from batchtts.engines.chattts.engine import ChatTTSEngine

BATCH = TEXTS[:7]


def clips(outcomes: dict[str, Clip | Failure]) -> dict[str, Clip]:
    assert all(isinstance(outcome, Clip) for outcome in outcomes.values())
    return {text: outcome for text, outcome in outcomes.items() if isinstance(outcome, Clip)}


@pytest.fixture(scope="module")
def sound(engine: ChatTTSEngine, spec: ChatTTSSpec) -> dict[str, Clip]:
    return clips(render(engine, utterances(spec, BATCH))[0])


def assert_same(outcomes: dict[str, Clip | Failure], expected: dict[str, Clip]) -> None:
    assert outcomes.keys() <= expected.keys()
    for text, clip in clips(outcomes).items():
        assert clip.frames == expected[text].frames
        np.testing.assert_allclose(clip.samples, expected[text].samples, atol=1e-4)


def test_every_clip_is_cropped_to_its_own_length(sound: dict[str, Clip]) -> None:
    """(2T - 1) x 256 samples, and as loud at its end as before: no padding, no silence."""
    assert len({clip.frames for clip in sound.values()}) > 3
    for clip in sound.values():
        assert len(clip.samples) == (2 * clip.frames - 1) * 256
        assert np.abs(clip.samples[-2048:]).max() > 0.2 * np.abs(clip.samples).max()


def test_a_clip_is_the_same_by_itself(engine: ChatTTSEngine, spec: ChatTTSSpec, sound: dict[str, Clip]) -> None:
    """To 1e-4, up to its last sample."""
    for text in BATCH[:3]:
        assert_same(render(engine, utterances(spec, [text]))[0], sound)


# ------------------------------------------------ memory


def no_gpu_memory() -> None:
    raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


def no_cpu_memory() -> None:
    torch.empty(1 << 55)  # the processor's allocator says itself that it cannot


def no_python_memory() -> None:
    np.empty(1 << 55)


MEMORY = [no_gpu_memory, no_cpu_memory, no_python_memory]


class FailingSteps:
    """The body's `step`, which calls `fault` at the steps named, counted over all calls."""

    def __init__(self, step: Callable[..., torch.Tensor], fault: Callable[[], None], at: set[int]) -> None:
        self.step, self.fault, self.at = step, fault, at
        self.count = 0

    def __call__(self, *arguments: Any) -> torch.Tensor:
        self.count += 1
        if self.count in self.at:
            self.fault()
        return self.step(*arguments)


@pytest.mark.parametrize("fault", MEMORY)
def test_running_out_of_memory_has_one_name(
    fault: Callable[[], None], engine: ChatTTSEngine, spec: ChatTTSSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The framework's several exceptions become errors.OutOfMemory, in one line."""
    monkeypatch.setattr(engine.decoder.body, "step", FailingSteps(engine.decoder.body.step, fault, {5}))
    with pytest.raises(OutOfMemory, match=r"^the (GPU|machine) is out of memory$"):
        list(engine.render(WorkQueue(utterances(spec, BATCH), 32768, 16)))


def test_other_errors_keep_their_name(
    engine: ChatTTSEngine, spec: ChatTTSSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug must not look like a lack of memory."""

    def bug() -> None:
        torch.zeros(2) @ torch.zeros(3)

    monkeypatch.setattr(engine.decoder.body, "step", FailingSteps(engine.decoder.body.step, bug, {5}))
    with pytest.raises(RuntimeError, match="size"):
        list(engine.render(WorkQueue(utterances(spec, BATCH), 32768, 16)))


@pytest.mark.parametrize(("fault", "at"), [(no_gpu_memory, {1}), (no_cpu_memory, {60}), (no_gpu_memory, {30, 31, 80})])
def test_clips_do_not_depend_on_memory_running_out(
    fault: Callable[[], None],
    at: set[int],
    engine: ChatTTSEngine,
    spec: ChatTTSSpec,
    sound: dict[str, Clip],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Finished ones stay, the rest is made again under a smaller budget, and all are as ever."""
    monkeypatch.setattr(engine.decoder.body, "step", FailingSteps(engine.decoder.body.step, fault, at))
    outcomes, backoffs = render(engine, utterances(spec, BATCH))
    assert [backoff.memory for backoff in backoffs] == [True] * len(at)
    assert outcomes.keys() == sound.keys()
    assert_same(outcomes, sound)


def test_a_budget_beyond_the_memory_is_lowered_to_what_fits(
    engine: ChatTTSEngine, spec: ChatTTSSpec, sound: dict[str, Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store of keys and values is what does not fit, and no utterance is blamed for it."""
    from batchtts.engines.chattts import slots

    real = slots._resized
    one = max(-(-(item.tokens + engine.decoder.limit(item.tokens).most) // 32) * 32 for item in utterances(spec, BATCH))

    def resized(tensor: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
        if len(shape) == 4 and shape[0] * shape[2] > 3 * one:
            no_gpu_memory()
        return real(tensor, shape)

    monkeypatch.setattr(slots, "_resized", resized)
    outcomes, backoffs = render(engine, utterances(spec, BATCH), rows=64, budget=1 << 30)
    assert outcomes.keys() == sound.keys()
    assert_same(outcomes, sound)
    assert len(backoffs) == 1
    assert one <= backoffs[0].budget < 4 * one


def test_one_utterance_that_never_fits_is_flagged(
    engine: ChatTTSEngine, spec: ChatTTSSpec, sound: dict[str, Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are as ever, and the budget recovers."""
    victim = BATCH[3]
    real, prompt = engine.decoder.embed_prompt, spec.prompter.tokens(victim)

    def embed(tokens: list[int]) -> torch.Tensor:
        if tokens == prompt:
            no_gpu_memory()
        return real(tokens)

    monkeypatch.setattr(engine.decoder, "embed_prompt", embed)
    outcomes, _ = render(engine, utterances(spec, BATCH))
    failure = outcomes.pop(victim)
    assert isinstance(failure, Failure)
    assert failure.cause is Cause.MEMORY
    assert len(outcomes) == len(BATCH) - 1
    assert_same(outcomes, sound)


def test_a_waveform_that_breaks_down_is_a_failure(
    engine: ChatTTSEngine, spec: ChatTTSSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NaN never reaches a file."""
    monkeypatch.setattr(engine, "vocoder", lambda hidden: np.full(len(hidden), np.nan, np.float32))
    (failure,) = engine.render(WorkQueue(utterances(spec, BATCH[:1]), 32768, 1))
    assert isinstance(failure, Failure)
    assert failure.cause is Cause.NAN


# ------------------------------------------------ calls share nothing


def test_settings_are_not_shared_between_engines(
    tiny: Path, engine: ChatTTSEngine, spec: ChatTTSSpec, sound: dict[str, Clip]
) -> None:
    """One engine's voice and temperature leave the other's sound alone, in whatever order they are called."""
    hot = tiny_spec(tiny, Sampling(temperature=0.9, speed=1))
    other = hot.load()
    first = clips(render(other, utterances(hot, BATCH[:2]))[0])
    assert_same(render(engine, utterances(spec, BATCH[:2]))[0], sound)
    assert_same(render(other, utterances(hot, BATCH[:2]))[0], first)
    assert all(clip.frames != sound[text].frames for text, clip in first.items())
    assert hot.fingerprint != spec.fingerprint


def test_upstream_s_infer_has_no_part_in_it(
    engine: ChatTTSEngine, spec: ChatTTSSpec, sound: dict[str, Clip], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither `Chat` nor the generation loop of `GPT` is called."""
    with quiet():
        import ChatTTS
        from ChatTTS.model import GPT

    def forbidden(*_: Any, **__: Any) -> None:
        raise AssertionError("upstream was called")

    for owner, name in ((ChatTTS.Chat, "infer"), (ChatTTS.Chat, "_infer"), (GPT, "generate"), (GPT, "__call__")):
        monkeypatch.setattr(owner, name, forbidden)
    assert_same(render(engine, utterances(spec, BATCH[:2]))[0], sound)


def test_the_global_random_state_is_neither_read_nor_changed(
    engine: ChatTTSEngine, spec: ChatTTSSpec, sound: dict[str, Clip]
) -> None:
    """A seed set by someone else means nothing here."""
    torch.manual_seed(7)
    before = torch.get_rng_state()
    assert_same(render(engine, utterances(spec, BATCH[:1]))[0], sound)
    assert torch.equal(before, torch.get_rng_state())


# ------------------------------------------------ loading


def test_a_tiny_sentence_takes_less_than_a_second(engine: ChatTTSEngine, spec: ChatTTSSpec) -> None:
    """Once the model is loaded, on one processor."""
    began = time.process_time()  # other programs do not count
    render(engine, utterances(spec, ["今天天气很好，我们去公园散步。"]))
    assert time.process_time() - began < 1


def test_a_device_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way out."""
    from batchtts.engines.chattts.load import pick_device

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(EngineUnavailable, match="--device cpu"):
        pick_device("cuda")
    assert pick_device("auto") == torch.device("cpu")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def forget(path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    tensors = load_file(path)
    del tensors[sorted(tensors)[0]]
    save_file(tensors, path)


@pytest.mark.parametrize("damage", [cut, forget, Path.unlink])
@pytest.mark.parametrize("name", ["Embed", "Decoder", "Vocos"])
def test_files_that_do_not_load_are_one_clear_line(
    name: str, damage: Callable[[Path], None], tiny: Path, tmp_path: Path
) -> None:
    """Damaged behind the check's back, say."""
    from batchtts.engines.chattts.load import load_network

    shutil.copytree(tiny, tmp_path / "model")
    damage(tmp_path / "model" / "asset" / f"{name}.safetensors")
    with pytest.raises(EngineUnavailable, match=r"does not load.*model verify") as told:
        load_network(tmp_path / "model", torch.device("cpu"))
    assert "\n" not in str(told.value)


def test_a_model_that_does_not_fit_is_told(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As such, and not as damage."""
    from batchtts.engines.chattts import load

    monkeypatch.setattr(load, "_gpt", lambda *_: no_gpu_memory())
    with pytest.raises(EngineUnavailable, match=r"memory.*--device cpu"):
        load.load_network(tiny, torch.device("cpu"))


def test_the_spec_counts_without_torch(tiny: Path) -> None:
    """Planning a book with a ChatTTS model loads neither torch nor ChatTTS nor transformers."""
    program = (
        "import sys; from pathlib import Path; from batchtts.engines import find\n"
        "from batchtts.settings import EngineSettings\n"
        f"spec = find(EngineSettings(engine='chattts', model_dir=Path({str(tiny)!r})))[0]\n"
        "assert spec.count('text 文字') > 4 and spec.fingerprint and spec.voices()\n"
        "print(*{'torch', 'numpy', 'transformers', 'ChatTTS', 'huggingface_hub'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment()
    )
    assert done.stdout.split() == []
