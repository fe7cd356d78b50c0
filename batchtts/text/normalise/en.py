"""How numbers, dates, money, units and abbreviations are read in English. Patterns see folded text."""

from __future__ import annotations

import re

from batchtts.text.normalise.numerals import en_digits, en_number, en_words, roman, trimmed
from batchtts.text.normalise.rules import Rule, Say
from batchtts.text.runs import Language

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
_NO_DIGIT_BEFORE = r"(?<![\d.])(?<!\d,)"
_DASH = r"\s?[-–—~−]{1,2}\s?"
_HALF = r"(?P<half>[AaPp](?:\.[Mm](?:\.(?=,|;|\s+[a-z]))?|[Mm])(?![A-Za-z]))"
"""a.m. with its last stop, unless that ends the sentence."""
_YEAR = r"(?:1[1-9]\d{2}|20\d{2})"

MONTHS = {
    "jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May", "jun": "June",
    "jul": "July", "aug": "August", "sep": "September", "oct": "October", "nov": "November", "dec": "December",
}  # fmt: skip
_MONTH = (
    r"(?P<mon>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_NAMES = tuple(MONTHS.values())
CURRENCIES = {
    "$": ("dollar", "cent"), "US$": ("US dollar", "cent"), "€": ("euro", "cent"), "£": ("pound", "penny"),
    "¥": ("yuan", "fen"), "₩": ("won", ""), "HK$": ("Hong Kong dollar", "cent"),
    "A$": ("Australian dollar", "cent"), "C$": ("Canadian dollar", "cent"),
}  # fmt: skip
_BIG = {
    "k": "thousand", "K": "thousand", "m": "million", "M": "million", "bn": "billion", "B": "billion",
    "T": "trillion",
}  # fmt: skip
_BIG_PATTERN = r"(?:\s?(?P<word>hundred|thousand|million|billion|trillion)\b|(?P<big>bn|[kKmMBT])\b)?"
UNITS = {
    "km/h": "kilometer| per hour", "mph": "mile| per hour", "m/s": "meter| per second",
    "mg/L": "milligram| per liter", "km²": "square kilometer|", "m²": "square meter|", "㎡": "square meter|",
    "m³": "cubic meter|", "km": "kilometer|", "cm": "centimeter|", "mm": "millimeter|", "nm": "nanometer|",
    "kg": "kilogram|", "mg": "milligram|", "g": "gram|", "lb": "pound|", "lbs": "pound|", "oz": "ounce|",
    "ft": "foot|", "mi": "mile|", "ml": "milliliter|", "mL": "milliliter|", "L": "liter|",
    "kWh": "kilowatt hour|", "kW": "kilowatt|", "MW": "megawatt|", "GHz": "gigahertz", "MHz": "megahertz",
    "kHz": "kilohertz", "Hz": "hertz", "KB": "kilobyte|", "MB": "megabyte|", "GB": "gigabyte|",
    "TB": "terabyte|", "dB": "decibel|", "ms": "millisecond|", "min": "minute|", "hr": "hour|", "hrs": "hour|",
    "°": "degree|",
}  # fmt: skip
"""`|` is where the plural goes."""
ABBREVIATIONS = {
    "Mr.": "Mister", "Mrs.": "Missus", "Dr.": "Doctor", "Prof.": "Professor", "Gen.": "General",
    "Col.": "Colonel", "Capt.": "Captain", "Lt.": "Lieutenant", "Sgt.": "Sergeant", "Rev.": "Reverend",
    "Sr.": "Senior", "Jr.": "Junior", "Mt.": "Mount", "vs.": "versus", "etc.": "et cetera",
    "e.g.": "for example", "i.e.": "that is", "approx.": "approximately", "dept.": "department",
    "Ave.": "Avenue", "Blvd.": "Boulevard", "Inc.": "Incorporated", "Ltd.": "Limited", "Co.": "Company",
    "Corp.": "Corporation",
}  # fmt: skip
_HALVES = {2: ("half", "halves"), 4: ("quarter", "quarters")}
_ROMAN_BEFORE = (
    r"(?:Chapter|Part|Book|Volume|Vol\.|Act|Scene|Section|Appendix|War|Phase|Type|Class|Article|Title|Level)"
)
_KINGS = (
    r"(?:Henry|Louis|Edward|George|William|Charles|James|Richard|Elizabeth|Pius|John Paul|Benedict|Napoleon|Philip"
    r"|Peter|Catherine|Frederick)"
)


def _plural(count: str, one: str) -> str:
    if count == "1":
        return one
    return {"foot": "feet", "penny": "pence", "yuan": "yuan", "won": "won", "fen": "fen"}.get(one, f"{one}s")


def _ordinal(number: str) -> str:
    return en_words(int(number), "ordinal")


def _year(number: str) -> str:
    return en_words(int(number), "year")


def _month(match: re.Match[str]) -> str:
    return MONTHS[match["mon"][:3].lower()]


def _month_day(match: re.Match[str]) -> str:
    year = f", {_year(match['y'])}" if match["y"] else ""
    return f"{_month(match)} {_ordinal(match['d'])}{year}"


def _day_month(match: re.Match[str]) -> str:
    year = f" {_year(match['y'])}" if match["y"] else ""
    return f"the {_ordinal(match['d'])} of {_month(match)}{year}"


def _date(match: re.Match[str]) -> str:
    return f"{_NAMES[int(match['m']) - 1]} {_ordinal(match['d'])}, {_year(match['y'])}"


def _decade(match: re.Match[str]) -> str:
    digits = match["n"]
    said = _year(digits) if len(digits) == 4 else en_words(int(digits))
    return said.removesuffix("y") + "ies" if said.endswith("y") else said + "s"


def _years(match: re.Match[str]) -> str:
    upper = match["b"] if len(match["b"]) == 4 else match["a"][:2] + match["b"]
    return f"{_year(match['a'])} to {_year(upper)}"


def _clock(hour: str, minute: str, half: str | None) -> str:
    said = en_words(int(hour))
    if minute != "00":
        said += f" oh {en_words(int(minute))}" if minute[0] == "0" else f" {en_words(int(minute))}"
    elif not half:
        said += " o'clock" if 0 < int(hour) <= 12 else " hundred"
    return said + (f" {half[0].upper()}M" if half else "")


def _time(match: re.Match[str]) -> str:
    return _clock(match["h"], match["m"], match["half"])


def _times(match: re.Match[str]) -> str:
    return f"{_clock(match['h'], match['m'], None)} to {_clock(match['i'], match['n'], match['half'])}"


def _hour(match: re.Match[str]) -> str:
    return f"{en_words(int(match['h']))} {match['half'][0].upper()}M"


def _money(match: re.Match[str]) -> str:
    number = match["n"].replace(",", "")
    one, small = CURRENCIES[match["c"]]
    big = match["word"] or _BIG.get(match["big"] or "")
    if big:
        return f"{en_number(trimmed(number))} {big} {_plural('0', one)}"
    whole, _, part = number.partition(".")
    if len(part) != 2 or not small:
        return f"{en_number(trimmed(number))} {_plural(trimmed(number), one)}"
    cents = str(int(part))
    said = f"{en_words(int(cents))} {_plural(cents, small)}" if cents != "0" else ""
    if int(whole) == 0 and said:
        return said
    return f"{en_number(whole)} {_plural(whole, one)}" + (f" and {said}" if said else "")


def _percent(match: re.Match[str]) -> str:
    sign = "minus " if match["sign"] else ""
    upper = f" to {en_number(match['b'])}" if match["b"] else ""
    return f"{sign}{en_number(match['a'])}{upper} {'percent' if match['p'] == '%' else 'per mille'}"


def _temperature(match: re.Match[str]) -> str:
    scale = {"℃": "Celsius", "°C": "Celsius", "℉": "Fahrenheit", "°F": "Fahrenheit"}[match["u"]]
    return f"{'minus ' if match['sign'] else ''}{en_number(match['n'])} {_plural(match['n'], 'degree')} {scale}"


def _unit(match: re.Match[str]) -> str:
    one, bar, rest = UNITS[match["u"]].partition("|")
    unit = (_plural(match["n"], one) if bar else one) + rest
    return f"{'minus ' if match['sign'] else ''}{en_number(match['n'])} {unit}"


def _fraction(match: re.Match[str]) -> str | None:
    above, below = int(match["a"]), int(match["b"])
    if below < 2 or match["a"].startswith("0") or match["b"].startswith("0"):
        return None
    one, many = _HALVES.get(below) or ((name := en_words(below, "ordinal")), f"{name}s")
    said = (
        f"{en_words(above)} {one if above == 1 else many}"
        if below <= 20 or below == 100
        else f"{en_words(above)} over {en_words(below)}"
    )
    whole = match["whole"]
    return f"{en_words(int(whole))} and {said}" if whole else said


def _number_of(match: re.Match[str]) -> str:
    return f"number {en_number(match['n'])}"


def _roman(match: re.Match[str]) -> str | None:
    number = roman(match["n"])
    return f"{match['name']} {en_words(number)}" if number else None


def _king(match: re.Match[str]) -> str | None:
    number = roman(match["n"])
    return f"{match['name']} the {en_words(number, 'ordinal').capitalize()}" if number else None


def _range(match: re.Match[str]) -> str | None:
    lower, upper = match["a"], match["b"]
    if len(lower) > 1 and lower.startswith("0"):
        return None
    return f"{en_number(lower)} to {en_number(upper)}"


def _serial(match: re.Match[str]) -> str | None:
    digits = match[0]
    return en_digits(digits) if len(digits) >= 9 or (digits.startswith("0") and len(digits) > 1) else None


def _phone(match: re.Match[str]) -> str:
    groups = re.findall(r"\d+", match[0])
    return ("plus " if match[0].startswith("+") else "") + ", ".join(en_digits(group) for group in groups)


def _spaced(said: str, match: re.Match[str]) -> str:
    """A number within a token (MP3, T-34, 5G) stands apart from its letters."""
    start, end = match.span()
    before, after = match.string[max(0, start - 1) : start], match.string[end : end + 1]
    return (" " if before.isalpha() else "") + said + (" " if after.isalpha() else "")


def _plain(match: re.Match[str]) -> str:
    return _spaced(en_number(match[0]), match)


def _rule(name: str, pattern: str, say: Say) -> Rule:
    return Rule(name, Language.EN, re.compile(pattern), say)


def _one_of(words: dict[str, str] | dict[str, tuple[str, str]]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


RULES = (
    _rule("date", rf"(?<!\d)(?P<y>{_YEAR})[-/.](?P<m>1[0-2]|0?[1-9])[-/.](?P<d>3[01]|[12]\d|0?[1-9])(?!\d)", _date),
    _rule("date", rf"(?<![\d/])(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>{_YEAR})(?![\d/])", _date),
    _rule(
        "date",
        rf"\b{_MONTH} (?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?:,? (?P<y>{_YEAR})|(?![\d:]|\.\d))\b",
        _month_day,
    ),
    _rule(
        "date",
        rf"\b(?:[Tt]he )?(?P<d>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? (?P<y>{_YEAR}))?\b",
        _day_month,
    ),
    _rule("phone", r"(?<![\d-])(?:\+?\d{1,3}[ -])?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\d-])", _phone),
    _rule("phone", r"\+\d{1,3}(?:[ -]\d{2,4}){2,5}(?!\d)", _phone),
    _rule("decade", r"(?<![\d,.])['’]?(?P<n>(?:1[1-9]|20)?\d0)(?:['’]?s)\b", _decade),
    _rule("years", rf"(?<![\d,.-])(?P<a>{_YEAR}){_DASH}(?P<b>{_YEAR}|\d\d)(?![\d,-]*\d)", _years),
    _rule(
        "time",
        rf"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d){_DASH}(?P<i>[01]?\d|2[0-4]):(?P<n>[0-5]\d)(?:\s?{_HALF})?(?![\d:])",
        _times,
    ),
    _rule("time", rf"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?:\s?{_HALF})?(?![\d:])", _time),
    _rule("time", rf"(?<![\d.,:])(?P<h>1[0-2]|[1-9])\s?{_HALF}", _hour),
    _rule("money", rf"(?P<c>(?:US|HK|A|C)\$|[$€£¥₩])\s?(?P<n>{NUMBER}){_BIG_PATTERN}", _money),
    _rule(
        "percent",
        rf"(?P<sign>(?<![A-Za-z\d)])[-−])?{_NO_DIGIT_BEFORE}(?P<a>{NUMBER})(?:%?{_DASH}(?P<b>{NUMBER}))?\s?(?P<p>[%‰])",
        _percent,
    ),
    _rule(
        "temperature",
        rf"(?P<sign>(?<![A-Za-z\d)])[-−])?{_NO_DIGIT_BEFORE}(?P<n>{NUMBER})\s?(?P<u>℃|℉|°C|°F)",
        _temperature,
    ),
    _rule("fraction", r"\b24/7\b", lambda _: "twenty-four seven"),
    _rule("fraction", r"(?<![\d/.,])(?:(?P<whole>\d{1,4}) )?(?P<a>\d{1,3})/(?P<b>\d{1,3})(?![\d/]|\.\d)", _fraction),
    _rule("ordinal", r"(?<![\d.])(?P<n>\d{1,9})(?:st|nd|rd|th)\b", lambda match: _ordinal(match["n"])),
    _rule(
        "unit",
        rf"(?P<sign>(?<![A-Za-z\d)])[-−])?{_NO_DIGIT_BEFORE}(?P<n>{NUMBER})[\s-]?(?P<u>{_one_of(UNITS)})(?![A-Za-z0-9])",
        _unit,
    ),
    _rule("number of", r"(?:\bN[oº]\.?\s?|#)(?P<n>\d{1,9})(?![\d.,]*\d)", _number_of),
    _rule("roman", rf"\b(?P<name>{_ROMAN_BEFORE}) (?P<n>[IVXLC]{{1,8}})\b", _roman),
    _rule("roman", rf"\b(?P<name>{_KINGS}) (?P<n>[IVX]{{1,5}})\b", _king),
    _rule("roman", r"\bWW(?P<n>II?)\b", lambda match: f"World War {'One' if match['n'] == 'I' else 'Two'}"),
    _rule(
        "abbreviation",
        rf"(?<![A-Za-z.])(?:{_one_of(ABBREVIATIONS)})(?=\s*[^\s]|$)",
        lambda match: ABBREVIATIONS[match[0]],
    ),
    _rule("abbreviation", r"(?<![A-Za-z.])St\.(?= [A-Z])", lambda _: "Saint"),
    _rule("abbreviation", r"(?<![A-Za-z.])St\.", lambda _: "Street"),
    _rule("serial", r"(?<![\d.,])\d+(?![\d.,]*\d)", _serial),
    _rule(
        "score",
        r"(?<![\d:.])(?P<a>\d{1,3}):(?P<b>\d{1,3})(?![\d:])",
        lambda m: f"{en_number(m['a'])} to {en_number(m['b'])}",
    ),
    _rule(
        "range",
        r"(?<![\d.,\-/A-Za-z])(?P<a>\d{1,6}(?:\.\d+)?)\s?[-–—~−]\s?(?P<b>\d{1,6}(?:\.\d+)?)(?![\d,\-/]*\d|[A-Za-z])",
        _range,
    ),
    _rule(
        "year",
        r"\b(?P<w>[Ii]n|[Ss]ince|[Ff]rom|[Uu]ntil|[Tt]ill|[Bb]efore|[Aa]fter|[Bb]y|[Yy]ear|[Cc]irca) "
        r"(?P<y>1[1-6]\d\d)(?![\d%A-Za-z]|[,.]\d)",
        lambda match: f"{match['w']} {_year(match['y'])}",
    ),
    _rule(
        "year", r"(?<![\d.,A-Za-z-])(?P<y>1[7-9]\d{2}|20\d{2})(?![\d%A-Za-z]|[,.]\d)", lambda match: _year(match["y"])
    ),
    _rule("negative", rf"(?<![A-Za-z\d)])[-−](?P<n>{NUMBER})", lambda match: f"minus {en_number(match['n'])}"),
    _rule("hyphen", r"(?<=[A-Za-z])-(?=\d)", lambda _: " "),
    _rule("number", r"(?<![\d\w.])\.(?P<n>\d+)", lambda match: f"point {en_digits(match['n'])}"),
    _rule("number", rf"{_NO_DIGIT_BEFORE}{NUMBER}", _plain),
    _rule("number", r"\d+", lambda match: _spaced(en_digits(match[0]), match)),
)
"""In order of certainty: a stretch that one rule has read, no later one sees."""

SIGNS = {
    "&": "and", "@": "at", "+": "plus", "=": "equals", "%": "percent", "‰": "per mille", "#": "number",
    "×": "times", "÷": "divided by", "−": "minus", "≠": "is not", "≈": "about", "≤": "at most", "≥": "at least",
    "±": "plus or minus", "°": "degrees", "℃": "degrees Celsius", "$": "dollars", "€": "euros", "£": "pounds",
    "¥": "yuan", "½": "one half", "¼": "one quarter", "¾": "three quarters", "²": "squared", "³": "cubed",
    "√": "root", "∞": "infinity", "→": "to", "§": "section", "©": "copyright",
}  # fmt: skip
"""A sign that no rule took, as a word."""
