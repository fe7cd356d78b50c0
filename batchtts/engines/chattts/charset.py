"""A spoken text in the characters that ChatTTS was trained on; any other is `[UNK]` to it, and comes out as noise.

Upstream's normaliser (`ChatTTS.norm.Normalizer`) lets Han characters, Latin letters and `，。、,. ` pass, writes some
marks as others and deletes the rest, the letter of a word with an accent included. Here every mark becomes the nearest
one that is known, and letters of other scripts are transliterated, so no word is lost. Characters that the model
misreads are then replaced by upstream's own list of homophones, as `Chat.infer` does by default.
"""

from __future__ import annotations

import importlib.util
import json
import re
from functools import cache, lru_cache
from pathlib import Path

from batchtts.errors import EngineUnavailable

HAN = "\u4e00-\u9fff"
"""The block that upstream lets pass; rarer characters are transliterated."""

_TAG = re.compile(r"(\[[a-z]+(?:_[a-z]+)?(?:_\d)?\])")
"""A token for prosody, such as `[uv_break]`, `[laugh]` or `[oral_2]`: it passes as it stands."""
_STRANGE = re.compile(rf"[^{HAN}A-Za-z，。、,. ]")
_CLUSTER = re.compile(r"[，。、,.](?:\s*[，。、,.])+")
_MARKS = str.maketrans(
    {
        **dict.fromkeys("：；（）《》〈〉—–…～", "，"),
        **dict.fromkeys("！？", "。"),
        **dict.fromkeys("!?", "."),
        **dict.fromkeys(":;()", ","),
        **dict.fromkeys("“”‘’\"'「」『』`´", ""),
        **dict.fromkeys("-‐‑/·・\t\n\r\u3000\xa0", " "),
        "〇": "零",
    }
)


def known(text: str) -> str:
    """The text in known characters; empty when nothing in it can be spoken.

    >>> known("“café”——他说：好！[laugh]It's 5-year-old…")
    'cafe，他说，好。[laugh]Its year old，'
    """
    parts = _TAG.split(text)
    return "".join(part if number % 2 else _plain(part) for number, part in enumerate(parts)).strip()


def _plain(text: str) -> str:
    text = _STRANGE.sub(_transliterated, text.translate(_MARKS))
    return _CLUSTER.sub(_strongest, re.sub(r"\s+", " ", text)).translate(_homophones())


def _transliterated(match: re.Match[str]) -> str:
    return _latin(match[0])


@lru_cache(maxsize=8192)
def _latin(char: str) -> str:
    from anyascii import anyascii

    return re.sub(r"[^A-Za-z ]", "", anyascii(char)) if char.isalpha() else " "


def _strongest(match: re.Match[str]) -> str:
    """Of several marks in a row, one that ends a sentence, else the first."""
    marks = re.sub(r"\s", "", match[0])
    return next((mark for mark in marks if mark in "。."), marks[0])


@cache
def _homophones() -> dict[int, str]:
    """Upstream's table, read without importing the package, which would load torch."""
    package = importlib.util.find_spec("ChatTTS")
    if package is None or package.origin is None:
        raise EngineUnavailable("the ChatTTS package is not installed; run `pip install chattts==0.2.5`")
    path = Path(package.origin).parent / "res" / "homophones_map.json"
    return str.maketrans(json.loads(path.read_text(encoding="utf-8")))
