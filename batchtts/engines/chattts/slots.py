"""The rows in flight: their keys and values, codes, hidden states and random numbers, slot by slot."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from batchtts.engines.chattts.body import BLOCK, Body
from batchtts.engines.chattts.lengths import Bounds
from batchtts.engines.chattts.sampling import WINDOW, uniforms
from batchtts.model import Utterance


@dataclass(slots=True)
class Row:
    """An utterance in a slot."""

    utterance: Utterance
    prompt: list[int]
    bounds: Bounds
    frames: int = 0
    """Codes drawn so far."""
    attempt: int = 0

    @property
    def length(self) -> int:
        """Places of its slot that are taken, or will be by the next step."""
        return len(self.prompt) + self.frames

    @property
    def most_length(self) -> int:
        return len(self.prompt) + self.bounds.most


@dataclass(frozen=True, slots=True)
class KeyValues:
    """A tensor a layer, each (slots, heads, capacity, head_dim). Unwritten places hold zeros or old rows."""

    keys: list[torch.Tensor]
    values: list[torch.Tensor]

    @property
    def capacity(self) -> int:
        return self.keys[0].shape[2]


class Slots:
    """State of the rows, slot by slot. Rows that are stepped together stand in slots 0 to n-1.

    The store is laid out anew when there are more rows than slots, or a row needs more places than a slot has.
    """

    def __init__(self, body: Body, most_rows: int, books: int, codes: int, device: torch.device) -> None:
        self.rows: list[Row | None] = []
        self._most_rows = most_rows
        self._books = books
        self._device = device
        empty = torch.zeros(0, body.heads, 0, body.head_dim, device=device)
        self.kv = KeyValues([empty] * body.layers, [empty] * body.layers)
        self.frame = torch.zeros(0, dtype=torch.int64, device=device)
        """Which frame each row draws next."""
        self.place = torch.zeros(0, dtype=torch.int64, device=device)
        """Where in the slot the row's next embedding goes."""
        self.least = torch.zeros(0, dtype=torch.int64, device=device)
        self.hidden = torch.zeros(0, 0, body.hidden, device=device)
        self._no_code = codes
        self.codes = torch.zeros(0, 0, books, dtype=torch.int64, device=device)
        """Frame f stands at WINDOW + f; what stands before frame 0 is no code."""
        self.uniforms = torch.zeros(0, 0, books, dtype=torch.float64, device=device)

    @property
    def charged(self) -> int:
        """KV tokens of the rows in flight. Slots are alike, so each counts as the one that may become longest."""
        lengths = [row.most_length for row in self.rows if row is not None]
        return len(lengths) * _places(max(lengths, default=0))

    def cost(self, most_length: int) -> int:
        """KV tokens that one more row adds, which may take `most_length` places."""
        lengths = [row.most_length for row in self.rows if row is not None]
        return (len(lengths) + 1) * _places(max([*lengths, most_length])) - self.charged

    def free(self) -> int | None:
        """The lowest slot without a row; None if there are `most_rows` rows."""
        slot = self.rows.index(None) if None in self.rows else len(self.rows)
        return slot if slot < self._most_rows else None

    def put(self, slot: int, row: Row) -> None:
        """Give an empty slot to a row. Before it is used: `reserve`, `restart`, and read its prompt."""
        if slot == len(self.rows):
            self.rows.append(None)
        self.rows[slot] = row

    def reserve(self) -> None:
        """Make room for the rows at hand."""
        rows = [row for row in self.rows if row is not None]
        places = _places(max(row.most_length for row in rows))
        frames = max(row.bounds.most for row in rows)
        if len(self.rows) > len(self.frame) or places > self.kv.capacity or frames > self.uniforms.shape[1]:
            self._lay_out(len(self.rows), places, frames)

    def restart(self, slot: int) -> None:
        """Set a row back to its first frame, with the random numbers of its attempt. Its prompt stays read."""
        row = self.row(slot)
        row.frames = 0
        self.frame[slot] = 0
        self.place[slot] = len(row.prompt)
        self.least[slot] = row.bounds.least
        numbers = uniforms(row.utterance.seed, row.attempt, row.bounds.most, self._books)
        self.uniforms[slot, : row.bounds.most] = torch.from_numpy(numbers).to(self._device)

    def row(self, slot: int) -> Row:
        row = self.rows[slot]
        assert row is not None, f"slot {slot} is empty"
        return row

    def drop(self, slot: int, wipe: bool = False) -> None:
        """Empty a slot. `wipe` zeroes it: a NaN left behind would pass through the mask of the next row."""
        self.rows[slot] = None
        if wipe:
            for store in (*self.kv.keys, *self.kv.values):
                store[slot] = 0.0

    def compact(self) -> None:
        """Move rows from the end into empty slots, until rows stand in 0 to n-1."""
        while self.rows and None in self.rows:
            last = self.rows.pop()
            if last is None:
                continue
            hole = self.rows.index(None)
            self._move(len(self.rows), hole, last)

    def _move(self, source: int, target: int, row: Row) -> None:
        self.rows[target] = row
        for store in (*self.kv.keys, *self.kv.values):
            store[target, :, : row.length] = store[source, :, : row.length]
        for state in (self.frame, self.place, self.least, self.hidden, self.codes, self.uniforms):
            state[target] = state[source]

    def _lay_out(self, count: int, places: int, frames: int) -> None:
        """Resize the store; what the rows at hand have in it stays."""
        for stores in (self.kv.keys, self.kv.values):
            for layer, store in enumerate(stores):  # layer by layer: only one is held twice at a time
                stores[layer] = _resized(store, (count, store.shape[1], places, store.shape[3]))
        self.frame, self.place, self.least = (_resized(s, (count,)) for s in (self.frame, self.place, self.least))
        self.hidden = _resized(self.hidden, (count, frames + 1, self.hidden.shape[2]))
        self.codes = _resized(self.codes, (count, WINDOW + frames, self._books))
        self.codes[:, :WINDOW] = self._no_code
        self.uniforms = _resized(self.uniforms, (count, frames, self._books))


def _places(length: int) -> int:
    """Places of a slot for a row of this length: a multiple of `BLOCK`."""
    return -(-length // BLOCK) * BLOCK


def _resized(tensor: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """A tensor of another shape with the old content where both have a place, zeros elsewhere."""
    fresh = tensor.new_zeros(shape)
    common = tuple(slice(0, min(old, new)) for old, new in zip(tensor.shape, shape, strict=True))
    fresh[common] = tensor[common]
    return fresh
