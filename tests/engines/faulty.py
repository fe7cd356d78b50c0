"""Engines that are faulty on purpose, made of the silent one; `--engine engines.faulty:slow` reaches them too."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from batchtts.engines.base import Queue
from batchtts.engines.silent import SilentSpec, tone
from batchtts.errors import OutOfMemory
from batchtts.model import Batch, Cause, Clip, Failure, Utterance
from batchtts.settings import EngineSettings


class Faulty:
    """Static batches; `before` may raise before a batch is decoded, `speak` answers for one row."""

    rate = 24000

    def __init__(
        self,
        before: Callable[[int, Batch], None] = lambda *_: None,
        speak: Callable[[Utterance], Clip | Failure] = tone,
        order: int = 1,
    ) -> None:
        self.before, self.speak, self.order = before, speak, order
        self.batches = 0

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        while (batch := queue.draw_batch()) is not None:
            self.batches += 1
            self.before(self.batches, batch)
            for utterance in batch.utterances[:: self.order]:
                yield self.speak(utterance)

    def close(self) -> None:
        pass


class Slots:
    """A slot engine: rows of different lengths end at different steps, and each is refilled in that step."""

    rate = 24000

    def render(self, queue: Queue) -> Iterator[Clip | Failure]:
        rows: list[tuple[Utterance, int]] = []
        while not queue.closed:
            while (drawn := queue.draw(queue.budget - sum(u.tokens for u, _ in rows))) is not None:
                rows.append((drawn, drawn.tokens))
            if not rows:
                return
            rows = [(utterance, left - 1) for utterance, left in rows]
            ended = [utterance for utterance, left in rows if left == 0]
            rows = [row for row in rows if row[1]]
            yield from map(tone, ended)

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class FaultySpec(SilentSpec):
    """The silent engine's spec with another engine behind it."""

    make: Callable[[], Faulty | Slots] = Faulty

    def load(self) -> Faulty | Slots:  # type: ignore[override] # the contract asks for any Engine
        return self.make()


# ------------------------------------------------ what goes wrong


def _memory_at(number: int, count: int, _: Batch) -> None:
    if count == number:
        raise OutOfMemory("injected")


def _memory_above(rows: int, _: int, batch: Batch) -> None:
    if len(batch.utterances) > rows:
        raise OutOfMemory("injected")


def _poison(word: str, error: Exception, _: int, batch: Batch) -> None:
    if any(word in utterance.text for utterance in batch.utterances):
        raise error


def _failing(word: str, cause: Cause, utterance: Utterance) -> Clip | Failure:
    if word in utterance.text:
        return Failure(utterance.key, utterance.take, cause, "injected")
    return tone(utterance)


def _at_first(word: str, utterance: Utterance) -> Clip | Failure:
    return _failing(word, Cause.CAP, utterance) if utterance.take == 1 else tone(utterance)


def _slow(utterance: Utterance) -> Clip:
    time.sleep(0.05)
    return tone(utterance)


def _mute(utterance: Utterance) -> Clip:
    """Digital silence: the checks must not let it pass."""
    clip = tone(utterance)
    return replace(clip, samples=clip.samples * 0)


class _Dying:
    def __init__(self, clips: int) -> None:
        self.left = clips

    def __call__(self, utterance: Utterance) -> Clip:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1
        return tone(utterance)


# ------------------------------------------------ specs, as `--engine` finds them


def memory_at(number: int) -> FaultySpec:
    """Out of memory at the number-th batch."""
    return FaultySpec(make=lambda: Faulty(partial(_memory_at, number)))


def memory_above(rows: int) -> FaultySpec:
    """Out of memory whenever a batch has more rows."""
    return FaultySpec(make=lambda: Faulty(partial(_memory_above, rows)))


def poison(word: str, error: Exception) -> FaultySpec:
    """The error whenever a batch holds an utterance with the word."""
    return FaultySpec(make=lambda: Faulty(partial(_poison, word, error)))


def failing(word: str, cause: Cause) -> FaultySpec:
    """A failure for each utterance with the word, every time."""
    return FaultySpec(make=lambda: Faulty(speak=partial(_failing, word, cause)))


def backwards(_: EngineSettings) -> FaultySpec:
    """Clips of a batch come in reverse."""
    return FaultySpec(make=lambda: Faulty(order=-1))


def slots(_: EngineSettings) -> FaultySpec:
    return FaultySpec(make=Slots)


def slow(_: EngineSettings) -> FaultySpec:
    """A twentieth of a second a sentence."""
    return FaultySpec(make=lambda: Faulty(speak=_slow))


def dying(_: EngineSettings) -> FaultySpec:
    """The process is killed in the middle of its work."""
    return FaultySpec(make=lambda: Faulty(speak=_Dying(5)))


def mute(_: EngineSettings) -> FaultySpec:
    return FaultySpec(make=lambda: Faulty(speak=_mute))


def poisoned(_: EngineSettings) -> FaultySpec:
    """Out of memory for sentences that hold the word `poison`."""
    return poison("poison", OutOfMemory("injected"))


def capped(_: EngineSettings) -> FaultySpec:
    """Sentences with the word `endless` never end."""
    return failing("endless", Cause.CAP)


def unlucky(_: EngineSettings) -> FaultySpec:
    """Sentences with the word `unlucky` fail at their first take only."""
    return FaultySpec(make=lambda: Faulty(speak=partial(_at_first, "unlucky")))


def short_of_memory(_: EngineSettings) -> FaultySpec:
    """Out of memory at every other batch."""
    return FaultySpec(make=lambda: Faulty(_memory_at_odd))


def _memory_at_odd(count: int, _: Batch) -> None:
    if count % 2:
        raise OutOfMemory("injected")
