"""How numbers, dates, money, units and abbreviations are read in English. Patterns see folded text."""

from __future__ import annotations

import re

from batchtts.text.normalise import en_say as say
from batchtts.text.normalise.en_words import ABBREVIATIONS, BEFORE_A_NUMBER, GREEK_NAMES, PER, UNITS
from batchtts.text.normalise.numerals import en_digits, en_number, en_words
from batchtts.text.normalise.rules import (
    COMPARISON,
    FRACTION_SIGNS,
    GREEK,
    MINUS,
    MINUS_BETWEEN,
    NO_DIGIT_BEFORE,
    NUMBER,
    SUPERSCRIPTS,
    Rule,
    Say,
)
from batchtts.text.runs import Language

_UP_TO = r"\s?[-–—~]\s?"
_RANGED = r"(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,6}(?:\.\d{1,6})?)"
_COMPARED = {"<": "less than", ">": "greater than", "<=": "at most", ">=": "at least"}
_NUMBERED = r"(?:Boeing|Airbus|Flight|Room|Route|Highway|Interstate|Suite|Apartment|Bus|Area|Channel|room|flight|route)"
"""What has a number of three digits is called by the first and then the other two."""
_DASH = r"\s?[-–—~−]{1,2}\s?"
_HALF = r"(?P<half>[AaPp](?:\.[Mm](?:\.(?=[,;–-]|\s+[a-z]))?|[Mm])(?![A-Za-z]))"
"""a.m. with its last stop, unless that ends the sentence."""
_YEAR = r"(?:1[1-9]\d{2}|20\d{2})"

_MONTH = (
    r"(?P<mon>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_CURRENCY_BEFORE = r"(?P<c>(?:US|HK|A|C)\$|[$€£¥₩])"
_BIG_PATTERN = r"(?:\s?(?P<word>hundred|thousand|million|billion|trillion)\b|(?P<big>bn|[kKmMBT])\b)?"
_KEPT_FRACTIONS = {"24/7": "twenty-four seven", "9/11": "nine eleven", "50/50": "fifty fifty"}
_BIBLE = (
    r"(?:Psalms?|Genesis|Exodus|Isaiah|Matthew|Mark|Luke|John|Acts|Romans|Corinthians|Proverbs|Job|Hebrews|Revelation)"
)
_ROMAN_BEFORE = (
    r"(?:Chapter|Part|Book|Volume|Vol\.|Act|Scene|Section|Appendix|War|Phase|Type|Class|Article|Title|Level|Bowl|"
    r"Fantasy|Saturn|Mark|Stage|Category|Division|Figure|Table)"
)
_HEADINGS = r"(?:Chapter|Part|Book|Volume|Act|Scene|Section)"
_KINGS = (
    r"(?:Henry|Louis|Edward|George|William|Charles|James|Richard|Elizabeth|Pius|John Paul|Benedict|Napoleon|Philip"
    r"|Peter|Catherine|Frederick)"
)


def _rule(name: str, pattern: str, say: Say) -> Rule:
    return Rule(name, Language.EN, re.compile(pattern), say)


def _one_of(words: dict[str, str] | dict[str, tuple[str, str]]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


HEADINGS: tuple[Rule, ...] = (
    Rule(
        "number",
        None,
        re.compile(rf"(?<![A-Za-z]){_HEADINGS} (?P<said>\d{{1,4}})(?![\d%]|[.,:]\d)"),
        lambda match: en_number(match["said"]),
    ),
)
TITLES: tuple[Rule, ...] = (
    Rule(
        "roman",
        None,
        re.compile(rf"(?<![A-Za-z]){_ROMAN_BEFORE} (?P<said>(?![CL](?![A-Z]))[IVXLC]{{1,8}})(?![A-Za-z0-9])"),
        say.roman_number,
    ),
)
"""These are English whatever the words around them: an English heading in a Chinese text."""

RULES: tuple[Rule, ...] = (
    _rule("date", rf"(?<!\d)(?P<y>{_YEAR})[-/.](?P<m>1[0-2]|0?[1-9])[-/.](?P<d>3[01]|[12]\d|0?[1-9])(?!\d)", say.date),
    _rule("date", rf"(?<![\d/])(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>{_YEAR})(?![\d/])", say.date),
    _rule(
        "date",
        rf"\b{_MONTH} (?P<d>3[01]|[12]\d|[1-9])\s?[-–]\s?(?P<e>3[01]|[12]\d|[1-9])(?:,? (?P<y>{_YEAR}))?(?![\d:%])",
        say.days,
    ),
    _rule(
        "date",
        rf"\b{_MONTH} (?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?:,? (?P<y>{_YEAR})|(?![\d:]|\.\d))\b",
        say.month_day,
    ),
    _rule(
        "date",
        rf"\b(?:[Tt]he )?(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? (?P<y>{_YEAR}))?\b",
        say.day_month,
    ),
    _rule("phone", r"(?<![\d-])(?:\+?\d{1,3}[ -])?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\d-])", say.phone),
    _rule(
        "date",
        r"\b(?:[Oo]n|[Ss]ince|[Uu]ntil|[Dd]ated) "
        r"(?P<said>(?P<m>1[0-2]|[1-9])/(?P<d>3[01]|[12]\d|[1-9]))(?![\d/]|\.\d| of\b)",
        say.day,
    ),
    _rule("date", rf"\b(?P<said>{_MONTH})(?<=\.)(?= \d)", say.month),
    _rule("dotted", r"(?<![\d.])\d++(?:\.\d++){2,}", say.dotted),
    _rule(
        "phone",
        r"\b(?:[Cc]all|[Pp]hone|[Dd]ial|tel\.?|Tel\.?|text|fax|number|at)[: ]{1,2}(?P<said>\d{3}-\d{4})(?![\d-])",
        lambda match: say.groups(match["said"]),
    ),
    _rule("phone", r"(?<![\d-])555-\d{4}(?![\d-])", say.phone),
    _rule("phone", r"\+\d{1,3}(?:[ -]\d{2,4}){2,5}(?!\d)", say.phone),
    _rule("decade", r"(?<![\d,.])['’]?(?P<n>(?:1[1-9]|20)?\d0)(?:['’]?s)\b", say.decade),
    _rule("years", rf"(?<![\d,.-])(?P<a>{_YEAR}){_DASH}(?P<b>{_YEAR}|\d\d)(?![\d,-]*\d)", say.years),
    _rule(
        "verse",
        rf"\b{_BIBLE} (?P<said>(?P<a>\d{{1,3}}):(?P<b>\d{{1,3}}))(?!\d|:\d)",
        lambda match: f"{en_number(match['a'])} {en_number(match['b'])}",
    ),
    _rule("time", r"(?<=\d)T(?=[0-2]\d:\d\d)", lambda _: " "),
    _rule("time", r"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d):(?P<s>[0-5]\d)(?!\d|[:.]\d)", say.time_of_seconds),
    _rule("range", r"(?<=[mM.])\s?[-–]\s?(?=\d{1,2}(?::\d\d)?\s?[AaPp]\.?[Mm])", lambda _: " to "),
    _rule(
        "time",
        rf"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d){_DASH}(?P<i>[01]?\d|2[0-4]):(?P<n>[0-5]\d)(?:\s?{_HALF})?(?![\d:])",
        say.times,
    ),
    _rule("time", rf"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?:\s?{_HALF})?(?![\d:])", say.time),
    _rule("time", rf"(?<![\d.,:])(?P<h>1[0-2]|[1-9])\s?{_HALF}", say.hour),
    _rule(
        "money",
        rf"{_CURRENCY_BEFORE}\s?(?P<a>{NUMBER}){_UP_TO}(?:(?P=c))?(?P<b>{NUMBER}){_BIG_PATTERN}",
        say.money_range,
    ),
    _rule("money", rf"{MINUS}{_CURRENCY_BEFORE}\s?(?P<n>{NUMBER}){_BIG_PATTERN}", say.money),
    _rule("money", rf"{NO_DIGIT_BEFORE}(?P<n>{NUMBER})\s?¢", say.cents),
    _rule(
        "percent",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<a>{NUMBER})(?:%?{_DASH}(?P<b>{NUMBER}))?\s?(?P<p>[%‰])",
        say.percent,
    ),
    _rule(
        "temperature",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?:\s?(?:℃|℉|°[CF]?)?{_UP_TO}(?P<minus>[-−])?(?P<b>{NUMBER}))?\s?(?P<u>℃|℉|°C|°F)",
        say.temperature,
    ),
    _rule("fraction", r"(?<![\d/.,])(?:24/7|9/11|50/50)(?![\d/]|\.\d)", lambda match: _KEPT_FRACTIONS[match[0]]),
    _rule(
        "fraction",
        r"(?<![\d/.,])(?:(?P<whole>\d{1,4}) )?(?P<a>\d{1,3})/(?P<b>\d{1,3})(?:ths?|rds?|nds?)?(?![\d/]|\.\d)",
        say.fraction,
    ),
    _rule("fraction", rf"(?:(?<![\d.,])(?P<whole>\d{{1,4}})\s?)?(?P<f>[{FRACTION_SIGNS}])", say.mixed_fraction),
    _rule("sign", rf"(?<=\d)/(?:(?P<u>{_one_of(PER)})(?![A-Za-z]))", lambda match: f" per {PER[match['u']]}"),
    _rule("power", rf"(?<=[\d)])(?P<n>[⁻]?[{SUPERSCRIPTS}]++)(?P<p>)", say.power),
    _rule("power", r"(?<=[\dA-Za-z)])(?P<n>\^)\(?(?P<p>-?\d{1,4})(?!\d)\)?", say.power),
    _rule("sign", MINUS_BETWEEN, lambda _: " minus "),
    _rule("sign", r"(?<=\d)\s?\*\s?(?=\d)", lambda _: " times "),
    _rule("sign", COMPARISON, lambda match: f" {_COMPARED[match['sign']]} "),
    _rule("sign", r"(?<![\w~])[~≈](?=\d)", lambda _: "about "),
    _rule("length", r"(?<![\d.,])(?P<f>\d)['′]\s?(?P<i>1[01]|\d)(?:\"|″|'')", say.feet),
    _rule(
        "score",
        r"\b(?:[Rr]atio|[Oo]dds|[Ss]core)(?: of| was| is|:)? (?P<said>(?P<a>\d{1,3}):(?P<b>\d{1,3}))(?![\d:])",
        lambda match: f"{en_number(match['a'])} to {en_number(match['b'])}",
    ),
    _rule("serial", r"(?<![\d.,-])\d++(?:-\d++){2,}(?![-.]?\d)", lambda match: say.groups(match[0])),
    _rule("called", rf"\b{_NUMBERED} (?P<said>[1-9]\d{{2,3}})(?![\d%]|[.,:]\d)", say.called),
    _rule(
        "ordinal",
        r"(?<![\d.,])(?P<n>\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?:st|nd|rd|th)\b",
        lambda match: say.ordinal(match["n"].replace(",", "")),
    ),
    _rule("plural", rf"{NO_DIGIT_BEFORE}(?P<n>\d{{1,9}})'?s\b", say.plural_number),
    _rule(
        "abbreviation",
        rf"(?<![A-Za-z.])(?P<said>{_one_of(BEFORE_A_NUMBER)})(?=\s\d)",
        lambda match: BEFORE_A_NUMBER[match["said"]],
    ),
    _rule(
        "abbreviation",
        rf"(?<![A-Za-z.])(?P<word>{_one_of(BEFORE_A_NUMBER)})(?P<n>\d{{1,6}})(?!\d)",
        lambda match: f"{BEFORE_A_NUMBER[match['word']]} {en_number(match['n'])}",
    ),
    _rule(
        "abbreviation",
        r"(?<![A-Za-z.])[Cc]a?\.\s?(?P<y>[1-9]\d{2,3})(?!\d)",
        lambda match: f"circa {en_words(int(match['y']), 'year')}",
    ),
    _rule(
        "unit",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?:{_UP_TO}(?P<b>{NUMBER}))?[\s-]?(?P<u>{_one_of(UNITS)})(?![A-Za-z0-9'])(?:\.(?=\s[a-z]))?",
        say.unit,
    ),
    _rule("number of", r"(?:\bN[oº]\.?\s?|№\s?|#)(?P<n>\d{1,9})(?![\d.,]*\d)", say.number_of),
    _rule("serial", r"(?<![\d.,])\d++(?![.,]\d)", say.serial),
    _rule(
        "score",
        r"(?<![\d:.])(?P<a>\d{1,3}):(?P<b>\d{1,3})(?![\d:])",
        lambda m: f"{en_number(m['a'])} to {en_number(m['b'])}",
    ),
    _rule(
        "range",
        rf"(?<![\d.,\-/A-Za-z])(?P<a>{_RANGED})\s?[-–—~−]\s?(?P<b>{_RANGED})(?![\d\-/]|[.,]\d|[A-Za-z])",
        say.up_to,
    ),
    _rule(
        "year",
        r"\b(?P<w>[Ii]n|[Ss]ince|[Ff]rom|[Uu]ntil|[Tt]ill|[Bb]efore|[Aa]fter|[Bb]y|[Yy]ear|[Cc]irca) "
        r"(?P<y>1[0-6]\d\d)(?![\d%A-Za-z]|[,.]\d)",
        lambda match: f"{match['w']} {say.year(match['y'])}",
    ),
    _rule(
        "year",
        r"(?<![\d.,A-Za-z-])(?P<y>1[7-9]\d{2}|20\d{2})(?![\d%A-Za-z]|[,.]\d)",
        lambda match: say.year(match["y"]),
    ),
    _rule("negative", rf"(?<![A-Za-z\d)])[-−](?P<n>{NUMBER})", lambda match: f"minus {en_number(match['n'])}"),
    _rule(
        "count", rf"{NO_DIGIT_BEFORE}(?P<n>{NUMBER})k(?![A-Za-z\d])", lambda match: f"{en_number(match['n'])} thousand"
    ),
    _rule("hyphen", r"(?<=[A-Za-z])-(?=\d)", lambda _: " "),
    _rule("number", r"(?<![\d\w.])\.(?P<n>\d+)", lambda match: f"point {en_digits(match['n'])}"),
    _rule("number", rf"{NO_DIGIT_BEFORE}{NUMBER}", say.plain),
    _rule("number", r"\d+", say.rest_of),
)
"""In order of certainty: a stretch that one rule has read, no later one sees."""

WORDS: tuple[Rule, ...] = (
    _rule("sign", r"(?<=(?<![A-Za-z])[CF])#(?![A-Za-z\d])", lambda _: " sharp"),
    _rule("sign", r"#(?=[A-Za-z])", lambda _: "hashtag "),
    _rule("sign", GREEK, lambda match: say.spaced(GREEK_NAMES[match[0]], match)),
    _rule("roman", r"\b(?P<said>[IVX]{2,5})(?:th)?(?= century\b)", say.century),
    _rule("roman", rf"\b{_KINGS} (?P<said>[IVX]{{1,5}})\b", say.king),
    _rule("roman", r"\bWW(?P<n>II?)\b", lambda match: f"World War {'One' if match['n'] == 'I' else 'Two'}"),
    _rule(
        "abbreviation",
        rf"(?<![A-Za-z.])(?:{_one_of(ABBREVIATIONS)})(?=\s*[^\s]|$)",
        lambda match: ABBREVIATIONS[match[0]],
    ),
    _rule(
        "abbreviation",
        r"(?<![A-Za-z.])(?P<said>Mr|Mrs|Dr)(?=\s[A-Z])",
        lambda match: ABBREVIATIONS[f"{match['said']}."],
    ),
    _rule("abbreviation", r"(?<![A-Za-z.])St\.(?= [A-Z])", lambda _: "Saint"),
    _rule("abbreviation", r"(?<![A-Za-z.])St\.", lambda _: "Street"),
)
"""What needs no digit."""
