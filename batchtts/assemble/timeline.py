"""Where each sentence is heard in its chapter: pure arithmetic, exact to the sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from batchtts.model import Cue, Placement


@dataclass(frozen=True, slots=True)
class Extent:
    """How long a trimmed clip is, in samples, and how much near-silence is still part of it at either end."""

    length: int
    head: int = 0
    tail: int = 0


NOTHING = Extent(0)


def timeline(cues: Sequence[Cue], extents: Mapping[str, Extent], rate: int) -> list[Placement]:
    """Lay one chapter's cues end to end; `extents` is by utterance key, `rate` in samples per second.

    A cue whose key has no extent (its sentence failed) has length 0 and only its pause.
    """
    return list(place(((cue, extents.get(cue.key, NOTHING)) for cue in cues), rate))


def place(sounds: Iterable[tuple[Cue, Extent]], rate: int) -> Iterator[Placement]:
    """Yield placements in order, each as soon as the sound after it is known.

    The near-silence around a join is part of the pause that a listener hears, so it counts towards the pause that was
    asked for: the silence added is shorter by as much, never below 0.
    """
    start = 0
    waiting: tuple[Cue, Extent] | None = None
    for following in sounds:
        if waiting is not None:
            placement = _placed(*waiting, start, following[1].head, rate)
            yield placement
            start += placement.length + placement.pause
        waiting = following
    if waiting is not None:
        yield _placed(*waiting, start, 0, rate)


def _placed(cue: Cue, extent: Extent, start: int, next_head: int, rate: int) -> Placement:
    pause = max(0, round(cue.pause * rate) - extent.tail - next_head)
    return Placement(cue, start, extent.length, pause)
