"""Language runs: which language a number or a sign is read in, by the words around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

FEWEST_WORDS = 3
"""A Latin run of fewer words, or of names alone, does not make a Chinese text English: numbers are read in Chinese."""
HAN_A_WORD = {"zh": 0.5, "en": 1.5}
"""With so many Han characters for each Latin word a text is Chinese, by the language of its document."""

_HAN = r"\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAN_CHARACTER = re.compile(f"[{_HAN}]")
_RUN = re.compile(rf"(?P<zh>[{_HAN}]+)|(?P<en>[A-Za-z\u00c0-\u024f][^{_HAN}。！？；，、：]*)")
_CHINESE_MARK = re.compile("[，。！？；：、￥¥]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_LONG_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")
_PROSE = re.compile(r"(?<!\S)[a-z]{2,}(?![A-Za-z])")
_TOKEN = re.compile(r"[A-Za-z\u00c0-\u024f]\S*")


class Language(StrEnum):
    ZH = "zh"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Languages:
    """The language of each place of a text: that of the nearest words."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    kinds: tuple[Language, ...]
    main: Language

    def at(self, start: int, end: int) -> Language:
        """The language in which the stretch `start <= i < end` is read."""
        after = bisect_right(self.starts, start)
        before = after - 1
        if before >= 0 and start < self.ends[before]:
            return self.kinds[before]
        left = start - self.ends[before] if before >= 0 else None
        right = self.starts[after] - end if after < len(self.starts) else None
        if left is None or right is None:
            return self.main if left is right else self.kinds[before if right is None else after]
        if left == right:
            return self.main
        return self.kinds[before if left < right else after]


def main_language(texts: Iterable[str]) -> Language:
    """The language of a document: Chinese if it has more Han characters than Latin words."""
    balance = sum(len(_HAN_CHARACTER.findall(text)) - len(_WORD.findall(text)) for text in texts)
    return Language.ZH if balance > 0 else Language.EN


def languages(text: str, default: Language = Language.EN) -> Languages:
    """Find the language runs of a text; `default` is the language of the document.

    A text without words, or with a few Latin ones only (`5 km`), is in that; one with Chinese marks is Chinese.

    >>> found = languages("他有3个 apple")
    >>> found.at(2, 3)
    <Language.ZH: 'zh'>
    """
    chinese = _chinese(text, default)
    runs = [
        (run.start(), run.end(), Language.ZH if run["zh"] or (chinese and _few(run[0])) else Language.EN)
        for run in _RUN.finditer(text)
    ]
    starts, ends, kinds = zip(*runs, strict=True) if runs else ((), (), ())
    main = Language.ZH if chinese and (Language.ZH in kinds or not kinds) else Language.EN
    return Languages(starts, ends, kinds, main)


def _chinese(text: str, default: Language) -> bool:
    if _CHINESE_MARK.search(text):
        return True
    han = len(_HAN_CHARACTER.findall(text))
    if not han:
        return default is Language.ZH
    return han >= HAN_A_WORD[default] * len(_LONG_WORD.findall(text))


def _few(run: str) -> bool:
    return len(_TOKEN.findall(run)) < FEWEST_WORDS or not _PROSE.search(run)
