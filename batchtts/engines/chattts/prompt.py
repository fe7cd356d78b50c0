"""The prompt around a text, and its tokens, counted without torch.

`[Stts][spk_emb][speed_N]text[Ptts]` is upstream's framing (`ChatTTS.model.speaker.decorate_code_prompts`); the
embedding of `[spk_emb]` is replaced by the voice.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from batchtts.engines.chattts.charset import known
from batchtts.engines.chattts.checkpoint import TOKENIZER
from batchtts.errors import EngineUnavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FRAMING = 4
"""Tokens of a prompt that are not text."""

_STRUCTURE = re.compile(r"\[(?:[SPE](?:tts|asr|break)|spk_emb|empty_spk|PAD|UNK|CLS|SEP|MASK)\]")
"""Control tokens that frame prompts. In a text they would break the framing, so they are taken out, as upstream does
with some of them; tokens for prosody (`[uv_break]`, `[laugh]`) stay."""


class Prompter:
    """Turns texts into prompt tokens with the tokenizer of a model folder."""

    def __init__(self, folder: Path, speed: int = 5) -> None:
        self._folder = folder
        self._speed = speed

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        path = self._folder / TOKENIZER
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception:  # the library raises bare Exception
            raise EngineUnavailable(f"{path} cannot be read as a tokenizer; run `batchtts model verify`") from None
        # the published file cuts and pads at 256 tokens
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def speaker_token(self) -> int:
        """The token whose embedding the voice replaces."""
        token = self._tokenizer.token_to_id("[spk_emb]")
        if token is None:
            raise EngineUnavailable(f"{self._folder / TOKENIZER} has no [spk_emb]: this is no ChatTTS tokenizer")
        return token

    def frame(self, text: str) -> str:
        """The text within its framing."""
        return f"[Stts][spk_emb][speed_{self._speed}]{_cleared(text).strip()}[Ptts]"

    def tokens(self, text: str) -> list[int]:
        """Prompt tokens of a text, in the characters that the model knows, framing included."""
        ids: list[int] = self._tokenizer.encode(self.frame(known(_cleared(text))), add_special_tokens=False).ids
        return ids

    def count(self, text: str) -> int:
        return len(self.tokens(text))


def _cleared(text: str) -> str:
    """The text without tokens of structure."""
    while (cleared := _STRUCTURE.sub("", text)) != text:
        text = cleared  # what is left around a token may form another one
    return text
