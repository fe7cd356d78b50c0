"""What is no number in either language: addresses, signs, brackets, emoji, full-width forms."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache, partial

from batchtts.model import Edit, Span
from batchtts.text.normalise.en_words import SIGNS as EN_SIGNS
from batchtts.text.normalise.numerals import en_digits, en_words, zh_cardinal, zh_digits
from batchtts.text.normalise.rules import Claims, Rule
from batchtts.text.normalise.zh_words import SIGNS as ZH_SIGNS
from batchtts.text.runs import Language

_KEPT_WIDE = "，。！？：；（）～"
"""Full-width marks that stay: they are how Chinese is punctuated."""
_FOLDED = {"￥": "¥", "−": "-", "﹣": "-", "∶": ":", "﹪": "%", "＇": "'", "＂": '"', "µ": "μ", "Ω": "Ω"}
_BRACKETS = frozenset("[]{}<>【】〔〕〖〗〈〉⟨⟩")
_BLANKS = frozenset("*_|^~`\\/・●■◆▲▼★☆※◇○□△▽♪♂♀•‣◦")
"""Marks of layout, which part words and are not read."""

_URL = re.compile(
    r"(?:https?://|www\.)[A-Za-z0-9][A-Za-z0-9._~:/?#@!$&'*+=%-]{2,300}(?<![.,!?:'])|"
    r"(?<![A-Za-z0-9.@-])[A-Za-z0-9][A-Za-z0-9-]{0,60}(?:\.[A-Za-z0-9-]{1,60}){0,5}\.(?:com|org|net|edu|gov|io|cn|uk|de|html?)\b"
    r"(?:/[A-Za-z0-9._~/?#=%&-]{0,200}(?<![.,!?]))?"
)
_EMAIL = re.compile(
    r"(?<![A-Za-z0-9.+-])[A-Za-z0-9][A-Za-z0-9._+-]{0,60}@[A-Za-z0-9-]{1,60}(?:\.[A-Za-z0-9-]{1,60}){1,5}(?<!\.)"
)
_URL_WORDS = {
    ".": ("点", "dot"), "/": ("斜杠", "slash"), "@": ("艾特", "at"), "-": ("杠", "dash"),
    "_": ("下划线", "underscore"), ":": ("冒号", "colon"), "?": ("问号", "question mark"),
    "=": ("等于", "equals"), "&": ("和", "and"), "#": ("井号", "hash"), "%": ("百分号", "percent"),
    "+": ("加", "plus"), "~": ("波浪号", "tilde"), "!": ("叹号", "bang"), "*": ("星号", "star"),
    "$": ("美元", "dollar"), "'": ("", ""),
}  # fmt: skip


@lru_cache(maxsize=8192)
def _folded(char: str) -> str:
    if char in _FOLDED:
        return _FOLDED[char]
    if "！" <= char <= "～" and char not in _KEPT_WIDE:
        return chr(ord(char) - 0xFEE0)
    if not char.isascii() and unicodedata.category(char) == "Nd":
        return str(unicodedata.decimal(char))
    return char


def without_addresses(text: str) -> str:
    """The text with addresses blanked out, so that their letters do not count as English words."""
    if "." not in text:
        return text
    for pattern in (_EMAIL, _URL):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def fold(text: str) -> str:
    """Full-width letters, digits and signs as ASCII, other scripts' digits too; one character for one.

    >>> fold("ＡＢ１２％，￥")
    'AB12%，¥'
    """
    return text if text.isascii() else "".join(map(_folded, text))


def _address(language: Language, match: re.Match[str]) -> str:
    """Letters as they stand, everything else by name; the scheme is not read."""
    chinese = language is Language.ZH
    said: list[str] = []
    for part in re.findall(r"[A-Za-z]+|\d+|.", re.sub(r"^https?://|/$", "", match[0])):
        if part.isdecimal():
            said.append(zh_digits(part) if chinese else en_digits(part))
        elif part.isalpha():
            said.append(part)
        else:
            said.append(_URL_WORDS.get(part, ("", ""))[0 if chinese else 1])
    return ("" if chinese else " ").join(word for word in said if word)


ADDRESSES = tuple(
    Rule(name, language, pattern, partial(_address, language))
    for name, pattern in (("email", _EMAIL), ("url", _URL))
    for language in Language
)


def finish(claims: Claims, original: str) -> list[Edit]:
    """The claims' edits, and one for every other character that is not spoken as it stands; in order."""
    edits = list(claims.edits)
    for place, char in enumerate(claims.text):
        if not claims.free(place):
            continue
        spoken, rule = _one(claims, place, char)
        if spoken != original[place]:
            edits.append(Edit(Span(place, place + 1), spoken, rule if spoken != char else "width"))
    return sorted(edits, key=lambda edit: edit.span.start)


def _one(claims: Claims, place: int, char: str) -> tuple[str, str]:
    """How a character that no rule took is spoken, and by which rule."""
    if char.isalpha() and char.isascii():
        return char, ""
    kind = _kind(char)
    if kind == "plain":
        return char, ""
    if kind == "letters":
        return unicodedata.normalize("NFKC", char), kind
    if kind in ("emoji", "invisible", "bracket"):
        return "", kind
    if kind == "blank":
        return " ", "mark"
    language = claims.languages.at(place, place + 1)
    if kind == "numeral":
        number = int(unicodedata.numeric(char))
        return (
            (zh_cardinal(str(number)), kind)
            if language is Language.ZH
            else (_apart(en_words(number), claims.text, place), kind)
        )
    signs = ZH_SIGNS if language is Language.ZH else EN_SIGNS
    word = signs.get(char)
    if word is None:
        return " ", "mark"
    return (word, "sign") if language is Language.ZH else (_apart(word, claims.text, place), "sign")


def _apart(word: str, text: str, place: int) -> str:
    """A word parted from what stands beside it."""
    before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
    return (" " if before.strip() else "") + word + (" " if after.isalnum() else "")


@lru_cache(maxsize=8192)
def _kind(char: str) -> str:
    """plain, sign, numeral, letters (of a square or a circle), blank, bracket, emoji or invisible."""
    if char in _BRACKETS:
        return "bracket"
    if char in ZH_SIGNS or char in EN_SIGNS:
        return "sign"
    if char in _BLANKS:
        return "blank"
    category = unicodedata.category(char)
    if category in ("Nl", "No") and char != "〇":
        return "numeral" if unicodedata.numeric(char) == int(unicodedata.numeric(char)) else "blank"
    if category in ("Cf", "Co", "Cn", "Cs") or 0xFE00 <= ord(char) <= 0xFE0F:
        return "invisible"
    if category == "So" and char not in "™℠" and unicodedata.normalize("NFKC", char).isalpha():
        return "letters"
    if category in ("So", "Sk", "Me"):
        return "emoji"
    if category == "Cc":
        return "plain" if char.isspace() else "invisible"
    return "blank" if category in ("Sm", "Sc") else "plain"
