"""Continuous batching: rows retire in the step in which they end, and their slots are filled from the queue at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F  # noqa: N812 (its name in every torch program)

from batchtts.engines.chattts.body import Body, Linear
from batchtts.engines.chattts.lengths import Bounds, bounds
from batchtts.engines.chattts.prompt import FRAMING, Prompter
from batchtts.engines.chattts.sampling import WINDOW, draw, probabilities
from batchtts.engines.chattts.slots import Row, Slots
from batchtts.model import Cause, Failure, Utterance
from batchtts.settings import Sampling

if TYPE_CHECKING:
    from batchtts.engines.base import Queue

ATTEMPTS = 3
"""Tries of a row that ends as soon as it is let; each has its own random numbers."""

_ENDED, _BROKEN = 1, 2


@dataclass(frozen=True, slots=True)
class Decoded:
    """A row that ended by itself: codes (T, books) int64, and the hidden states (T, hidden) they were drawn from."""

    utterance: Utterance
    codes: torch.Tensor
    hidden: torch.Tensor


class Decoder:
    """Decodes utterances with the weights of a loaded `GPT` and `Embed`."""

    def __init__(self, body: Body, embed: Any, prompter: Prompter, voice: torch.Tensor, sampling: Sampling) -> None:
        """`voice` (hidden,) is the speaker's vector."""
        self.body = body
        self.prompter = prompter
        self.sampling = sampling
        self.limit: Callable[[int], Bounds] = bounds
        """Bounds of a row's frames by its prompt tokens; a benchmark sets others."""
        self._voice = F.normalize(voice, dim=0)
        self._text = embed.emb_text.weight.detach()
        self.books = int(embed.num_vq)
        self.code_count = int(embed.num_audio_tokens)
        # one table and one product for all codebooks
        self._codes = torch.cat([table.weight.detach() for table in embed.emb_code])
        self.device = self._codes.device
        self._offsets = torch.arange(self.books, device=self.device) * self.code_count
        self._heads = Linear(torch.cat([head.weight.detach() for head in embed.head_code]))

    def run(self, queue: Queue) -> Iterator[Decoded | Failure]:
        """Decode what the queue hands out until it gives nothing more, or is closed; rows come as they end."""
        run = _Run(self, queue)
        while not queue.closed:
            yield from run.advance()
            if run.idle:
                return

    def most_length(self, utterance: Utterance) -> int:
        """KV tokens that an utterance may come to need: its prompt and the most frames."""
        return utterance.tokens + self.limit(utterance.tokens).most

    def row(self, utterance: Utterance) -> Row | Failure:
        """Read an utterance's text, or say why it cannot be decoded."""
        prompt = self.prompter.tokens(utterance.text)
        limit = self.limit(len(prompt))
        if len(prompt) <= FRAMING:
            return Failure(utterance.key, utterance.take, Cause.EMPTY, "the text has no tokens")
        if len(prompt) + limit.most > self.body.positions:
            detail = f"{len(prompt)} prompt tokens are more than the model's positions hold"
            return Failure(utterance.key, utterance.take, Cause.ERROR, detail)
        return Row(utterance, prompt, limit)

    def embed_prompt(self, prompt: list[int]) -> torch.Tensor:
        """Embeddings of a prompt, (tokens, hidden), with the voice in its place."""
        tokens = torch.tensor(prompt, device=self._text.device)
        embedded: torch.Tensor = self._text[tokens]
        embedded[tokens == self.prompter.speaker_token] = self._voice
        return embedded

    def embed_codes(self, codes: torch.Tensor) -> torch.Tensor:
        """(n, books) int64 to (n, hidden)."""
        embedded: torch.Tensor = self._codes[codes + self._offsets].sum(1)
        return embedded

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """(n, hidden) to (n, books, codes)."""
        return self._heads(hidden).view(len(hidden), self.books, self.code_count)


class _Run:
    """One pass over a queue."""

    def __init__(self, decoder: Decoder, queue: Queue) -> None:
        self._decoder = decoder
        self._queue = queue
        self._slots = Slots(decoder.body, queue.rows, decoder.books, decoder.code_count, decoder.device)
        self._again: list[int] = []
        """Slots whose rows begin anew."""
        self.idle = False
        """Nothing was in flight and the queue gave nothing."""

    @torch.inference_mode()
    def advance(self) -> list[Decoded | Failure]:
        """Fill free slots, then let every row draw one frame; what became of the rows that are done."""
        again, self._again = self._again, []
        done, fresh = self._admit()
        done += self._draw(again + fresh)
        self._slots.compact()
        if rows := len(self._slots.rows):
            self._step(rows)
            done += self._draw(list(range(rows)))
        return done

    def _admit(self) -> tuple[list[Decoded | Failure], list[int]]:
        """Fill free slots from the queue; failures at the door, and the slots that were filled."""
        failures: list[Decoded | Failure] = []
        fresh: list[int] = []
        while (slot := self._slots.free()) is not None:
            utterance = self._queue.draw(self._queue.budget - self._slots.charged, self._cost)
            if utterance is None:
                break
            row = self._decoder.row(utterance)
            if isinstance(row, Failure):
                failures.append(row)
                continue
            self._slots.put(slot, row)
            fresh.append(slot)
        self.idle = not failures and not any(self._slots.rows)
        if fresh:
            # only now, when all that will be decoded together is in flight: if memory runs out, that is what to halve
            self._slots.reserve()
            for slot in fresh:
                self._slots.restart(slot)
            self._prefill(fresh)
        return failures, fresh

    def _cost(self, utterance: Utterance) -> int:
        return self._slots.cost(self._decoder.most_length(utterance))

    def _prefill(self, fresh: list[int]) -> None:
        prompts = [self._slots.row(slot).prompt for slot in fresh]
        embedded = torch.cat([self._decoder.embed_prompt(prompt) for prompt in prompts])
        sizes = [len(prompt) for prompt in prompts]
        self._slots.hidden[fresh, 0] = self._decoder.body.prefill(embedded, sizes, fresh, self._slots.kv)

    def _step(self, rows: int) -> None:
        """Feed every row its last codes; its next hidden state is where `_draw` looks for it."""
        slots = self._slots
        frame, place = slots.frame[:rows], slots.place[:rows]
        every = torch.arange(rows, device=frame.device)
        embedded = self._decoder.embed_codes(slots.codes[every, WINDOW + frame - 1])
        longest = max(slots.row(slot).length for slot in range(rows))
        slots.hidden[every, frame] = self._decoder.body.step(embedded, place, longest, slots.kv)
        place += 1

    def _draw(self, at: list[int]) -> list[Decoded | Failure]:
        """Draw one frame for each of these slots; what became of the rows that are done."""
        if not at:
            return []
        slots, decoder = self._slots, self._decoder
        index = torch.tensor(at, device=slots.frame.device)
        frame = slots.frame[index]
        hidden = slots.hidden[index, frame]
        back = torch.arange(WINDOW, device=frame.device)
        window = slots.codes[index[:, None], frame[:, None] + back]
        forbidden = frame < slots.least[index]
        share, ids = probabilities(decoder.logits(hidden), window, forbidden, decoder.sampling)
        codes = draw(share, ids, slots.uniforms[index, frame])
        slots.codes[index, WINDOW + frame] = codes
        fate = (codes == decoder.code_count - 1).any(-1).long() * _ENDED
        fate[~hidden.isfinite().all(-1)] = _BROKEN
        slots.frame[index] = frame + (fate == 0)
        outcomes = (self._settle(slot, told) for slot, told in zip(at, fate.tolist(), strict=True))
        return [outcome for outcome in outcomes if outcome is not None]

    def _settle(self, slot: int, fate: int) -> Decoded | Failure | None:
        """What became of a row after its draw; None while it goes on."""
        row = self._slots.row(slot)
        if fate == _BROKEN:
            self._slots.drop(slot, wipe=True)
            return _failure(row, Cause.NAN, f"the model's numbers broke down at frame {row.frames}")
        if fate == _ENDED:
            return self._ended(slot, row)
        row.frames += 1
        if row.frames < row.bounds.most:
            return None
        if row.bounds.least == row.bounds.most:
            return self._finished(slot, row)
        self._slots.drop(slot)
        return _failure(row, Cause.CAP, f"no end within {row.frames} frames")

    def _ended(self, slot: int, row: Row) -> Decoded | Failure | None:
        """A row that ends as soon as it is let would have ended before: it begins anew, a few times."""
        if row.frames > row.bounds.least:
            return self._finished(slot, row)
        row.attempt += 1
        if row.attempt < ATTEMPTS:
            self._slots.restart(slot)
            self._again.append(slot)
            return None
        self._slots.drop(slot)
        return _failure(row, Cause.EMPTY, f"ended at once in {ATTEMPTS} attempts")

    def _finished(self, slot: int, row: Row) -> Decoded:
        frames = slice(0, row.frames)
        codes = self._slots.codes[slot, WINDOW:][frames].clone()
        hidden = self._slots.hidden[slot, frames].clone()
        self._slots.drop(slot)
        return Decoded(row.utterance, codes, hidden)


def _failure(row: Row, cause: Cause, detail: str) -> Failure:
    return Failure(row.utterance.key, row.utterance.take, cause, detail)
