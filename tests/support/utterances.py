"""Small makers of nouns."""

from __future__ import annotations

from batchtts.model import Utterance


def utterance(number: int, tokens: int = 10, take: int = 1) -> Utterance:
    return Utterance(f"{number:032x}", f"text {number}", "voice", tokens, take)
