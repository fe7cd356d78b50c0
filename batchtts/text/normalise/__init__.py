"""How a text is spoken: numbers, dates, money, units, signs, addresses, by the language of the words around them.

The rules are tables (`zh.RULES`, `en.RULES`), tried in order of certainty on folded text; what one has read, no later
one sees. The result is a list of edits against the source text, so every change can be shown and undone.
"""

from __future__ import annotations

import re

from batchtts.model import Spoken, replay
from batchtts.text.normalise import en, zh
from batchtts.text.normalise.rules import FRACTION_SIGNS, SUPERSCRIPTS, Claims
from batchtts.text.normalise.symbols import ADDRESSES, finish, fold, without_addresses
from batchtts.text.runs import Language, languages

_AS_IT_STANDS = re.compile(r"[\u3400-\u9fff，。、；：？！…—“”‘’「」『』《》（）\s]*")
"""Chinese prose without anything to rewrite: most sentences of most books."""

_NUMERIC = re.compile(f"[0-9{FRACTION_SIGNS}{SUPERSCRIPTS}]")


def speak(text: str, default: Language = Language.EN) -> Spoken:
    """What is said for a text, and the edits that lead there: `replay(text, edits)` is what is said.

    `default` is the language of a text without words (`3.5%`): that of the document. The spoken text holds no ASCII
    digit and no bracket that an engine could take for a control tag.

    >>> speak("2024年3月5日涨了3.5%").text
    '二零二四年三月五日涨了百分之三点五'
    >>> speak("It cost $12.50 in the 1990s.").text
    'It cost twelve dollars and fifty cents in the nineteen nineties.'
    """
    if _AS_IT_STANDS.fullmatch(text):
        return Spoken(text)
    folded = fold(text)
    claims = Claims(folded, languages(without_addresses(folded), default))
    claims.apply(ADDRESSES)
    for rules in (en.HEADINGS, zh.RULES, en.RULES) if _NUMERIC.search(folded) else ():
        claims.apply(rules)
    for rules in (en.TITLES, zh.WORDS, en.WORDS):
        claims.apply(rules)
    edits = tuple(finish(claims, text))
    return Spoken(replay(text, edits), edits)
