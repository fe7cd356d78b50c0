"""A rule finds stretches of a text and says how they are spoken; rules that stand first win."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from batchtts.model import Edit, Span
from batchtts.text.runs import Language, Languages

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
NO_DIGIT_BEFORE = r"(?<![\d.])(?<!\d,)"
MINUS = r"(?P<sign>(?<![A-Za-z\d)])[-−])?"
FRACTION_SIGNS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
MINUS_BETWEEN = (
    r"(?<=[\dA-Za-z)²³])\s?[-−]\s?"
    r"(?=[\dA-Za-z(][\dA-Za-z.²³]{0,12}\)?(?:\s?[-−+×÷*/=]\s?[\dA-Za-z(][\dA-Za-z.²³)]{0,12}){0,5}\s?=)"
)
"""A hyphen within a formula, which goes on to an equals sign."""
COMPARISON = r"(?<=[\dA-Za-zα-ω)])\s?(?P<sign>[<>]=?)\s?(?=-?\d)"
GREEK = r"(?<![\u0370-\u03ff\u1f00-\u1fff])[α-ωΓΔΘΛΞΠΣΦΨΩ](?![\u0370-\u03ff\u1f00-\u1fff])"
"""A lone Greek letter, which is a sign; several are a Greek word."""

Say = Callable[[re.Match[str]], str | None]
"""What a match is spoken as; None when it is not what it looked like."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`language` is the one that the text around must be in; None: any.

    A pattern with a group `said` replaces only that; the rest of the match is what it must stand by.
    """

    name: str
    language: Language | None
    pattern: re.Pattern[str]
    say: Say


class Claims:
    """The edits made so far; a place is edited once."""

    def __init__(self, text: str, found: Languages) -> None:
        self.text = text
        self.languages = found
        self.edits: list[Edit] = []
        self._taken = bytearray(len(text))

    def apply(self, rules: Iterable[Rule]) -> None:
        present = {None, self.languages.main, *self.languages.kinds}
        for rule in rules:
            if rule.language in present:
                group = "said" if "said" in rule.pattern.groupindex else 0
                for match in rule.pattern.finditer(self.text):
                    self._claim(rule, match, *match.span(group))

    def _claim(self, rule: Rule, match: re.Match[str], start: int, end: int) -> None:
        if start == end or self._taken.find(1, start, end) >= 0:
            return
        if rule.language is not None and self.languages.at(start, end) is not rule.language:
            return
        spoken = rule.say(match)
        if spoken is None:
            return
        self._taken[start:end] = b"\x01" * (end - start)
        if spoken != self.text[start:end]:
            self.edits.append(Edit(Span(start, end), spoken, rule.name))

    def free(self, place: int) -> bool:
        return not self._taken[place]
