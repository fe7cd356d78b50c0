"""How what the English rules have found is said: each takes a match of a rule, and gives words."""

from __future__ import annotations

import re

from batchtts.text.normalise.en_words import CURRENCIES, MONTHS, UNITS
from batchtts.text.normalise.numerals import en_digits, en_number, en_words, roman, superscript, trimmed, vulgar

_BIG = {
    "k": "thousand", "K": "thousand", "m": "million", "M": "million", "bn": "billion", "B": "billion",
    "T": "trillion",
}  # fmt: skip
_HALVES = {2: ("half", "halves"), 4: ("quarter", "quarters")}
_NAMES = tuple(MONTHS.values())


def _plural(count: str, one: str) -> str:
    if count == "1":
        return one
    if one.endswith("foot"):
        return one.removesuffix("foot") + "feet"
    return {"penny": "pence", "yuan": "yuan", "won": "won", "fen": "fen"}.get(one, f"{one}s")


def ordinal(number: str) -> str:
    return en_words(int(number), "ordinal")


def year(number: str) -> str:
    return en_words(int(number), "year")


def month(match: re.Match[str]) -> str:
    return MONTHS[match["mon"][:3].lower()]


def month_day(match: re.Match[str]) -> str:
    said = f", {year(match['y'])}" if match["y"] else ""
    return f"{month(match)} {ordinal(match['d'])}{said}"


def day_month(match: re.Match[str]) -> str:
    said = f" {year(match['y'])}" if match["y"] else ""
    return f"the {ordinal(match['d'])} of {month(match)}{said}"


def date(match: re.Match[str]) -> str:
    return f"{_NAMES[int(match['m']) - 1]} {ordinal(match['d'])}, {year(match['y'])}"


def decade(match: re.Match[str]) -> str:
    digits = match["n"]
    said = year(digits) if len(digits) == 4 else en_words(int(digits))
    return said.removesuffix("y") + "ies" if said.endswith("y") else said + "s"


def years(match: re.Match[str]) -> str:
    upper = match["b"] if len(match["b"]) == 4 else match["a"][:2] + match["b"]
    return f"{year(match['a'])} to {year(upper)}"


def _clock(hour: str, minute: str, half: str | None) -> str:
    said = en_words(int(hour))
    if minute != "00":
        said += f" oh {en_words(int(minute))}" if minute[0] == "0" else f" {en_words(int(minute))}"
    elif not half:
        said += " o'clock" if 0 < int(hour) <= 12 else " hundred"
    return said + (f" {half[0].upper()}M" if half else "")


def time(match: re.Match[str]) -> str:
    return _clock(match["h"], match["m"], match["half"])


def time_of_seconds(match: re.Match[str]) -> str:
    seconds = str(int(match["s"]))
    exact = f" and {en_words(int(seconds))} {_plural(seconds, 'second')}" if seconds != "0" else ""
    return _clock(match["h"], match["m"], None) + exact


def times(match: re.Match[str]) -> str:
    return f"{_clock(match['h'], match['m'], None)} to {_clock(match['i'], match['n'], match['half'])}"


def hour(match: re.Match[str]) -> str:
    return f"{en_words(int(match['h']))} {match['half'][0].upper()}M"


def _describes(match: re.Match[str]) -> bool:
    """Whether an amount stands as an adjective: a $5 bill, a 10 km run."""
    before, after = match.string[max(0, match.start() - 3) : match.start()], match.string[match.end() : match.end() + 2]
    return bool(re.search(r"(?:^|\W)[Aa]n? $", before) and re.match(r" [a-z]|-[a-z]", after))


def money(match: re.Match[str]) -> str:
    number = match["n"].replace(",", "")
    one, small = CURRENCIES[match["c"]]
    sign = "minus " if match["sign"] else ""
    big = match["word"] or _BIG.get(match["big"] or "")
    amount = f"{sign}{en_number(trimmed(number))}{f' {big}' if big else ''}"
    if _describes(match):
        return f"{amount} {one}"
    whole, _, part = number.partition(".")
    if big or len(part) != 2 or not small:
        return f"{amount} {_plural('0' if big else trimmed(number), one)}"
    cents = str(int(part))
    said = f"{en_words(int(cents))} {_plural(cents, small)}" if cents != "0" else ""
    if int(whole) == 0 and said:
        return sign + said
    return f"{sign}{en_number(whole)} {_plural(whole, one)}" + (f" and {said}" if said else "")


def money_range(match: re.Match[str]) -> str:
    big = match["word"] or _BIG.get(match["big"] or "")
    upper = f"{en_number(match['b'])}{f' {big}' if big else ''}"
    return f"{en_number(match['a'])} to {upper} {_plural('0', CURRENCIES[match['c']][0])}"


def cents(match: re.Match[str]) -> str:
    return f"{en_number(match['n'])} {_plural(match['n'], 'cent')}"


def percent(match: re.Match[str]) -> str:
    upper = f" to {en_number(match['b'])}" if match["b"] else ""
    return f"{_signed(match, 'a')}{upper} {'percent' if match['p'] == '%' else 'per mille'}"


def temperature(match: re.Match[str]) -> str:
    scale = {"℃": "Celsius", "°C": "Celsius", "℉": "Fahrenheit", "°F": "Fahrenheit"}[match["u"]]
    upper = f" to {'minus ' if match['minus'] else ''}{en_number(match['b'])}" if match["b"] else ""
    return f"{_signed(match, 'n')}{upper} {_plural(match['b'] or match['n'], 'degree')} {scale}"


def unit(match: re.Match[str]) -> str:
    one, bar, rest = UNITS[match["u"]].partition("|")
    hyphen = match.string[match.start("u") - 1] == "-"
    unit = (one if not bar or hyphen or _describes(match) else _plural(match["b"] or match["n"], one)) + rest
    upper = f" to {en_number(match['b'])}" if match["b"] else ""
    return f"{_signed(match, 'n')}{upper}{'-' if hyphen else ' '}{unit}"


def _signed(match: re.Match[str], group: str) -> str:
    return ("minus " if match["sign"] else "") + en_number(match[group])


def fraction(match: re.Match[str]) -> str | None:
    above, below, whole = match["a"], match["b"], match["whole"]
    if int(below) < 2 or above.startswith("0") or below.startswith("0"):
        return None
    if whole:
        return f"{en_words(int(whole))} and {_parts(int(above), int(below), 'a')}"
    return _parts(int(above), int(below), "one")


def mixed_fraction(match: re.Match[str]) -> str:
    above, below = map(int, vulgar(match["f"]))
    if match["whole"]:
        return f"{en_words(int(match['whole']))} and {_parts(above, below, 'a')}"
    return spaced(_parts(above, below, "one"), match)


def _parts(above: int, below: int, one: str) -> str:
    """`one` is how a single part is called: one half, or two and a half."""
    if below > 20 and below != 100:
        return f"{en_words(above)} over {en_words(below)}"
    single, many = _HALVES.get(below) or ((name := en_words(below, "ordinal")), f"{name}s")
    return f"{one} {single}" if above == 1 else f"{en_words(above)} {many}"


def number_of(match: re.Match[str]) -> str:
    return f"number {en_number(match['n'])}"


def roman_number(match: re.Match[str]) -> str | None:
    number = roman(match["said"])
    return en_words(number) if number else None


def king(match: re.Match[str]) -> str | None:
    number = roman(match["said"])
    return f"the {en_words(number, 'ordinal').capitalize()}" if number else None


def century(match: re.Match[str]) -> str | None:
    number = roman(match["said"])
    return en_words(number, "ordinal") if number else None


def up_to(match: re.Match[str]) -> str | None:
    lower, upper = match["a"], match["b"]
    if len(lower) > 1 and lower.startswith("0"):
        return None
    return f"{en_number(lower)} to {en_number(upper)}"


def serial(match: re.Match[str]) -> str | None:
    digits = match[0]
    return en_digits(digits) if len(digits) >= 9 or (digits.startswith("0") and len(digits) > 1) else None


def phone(match: re.Match[str]) -> str:
    return groups(match[0])


def groups(number: str) -> str:
    groups = re.findall(r"\d+", number)
    return ("plus " if number.startswith("+") else "") + ", ".join(en_digits(group) for group in groups)


def dotted(match: re.Match[str]) -> str:
    """A version or an address: short parts as numbers, three digits one by one."""
    parts = match[0].split(".")
    said = (en_words(int(part)) if len(part) < 3 else en_digits(part) for part in parts)
    return (" dot " if len(parts) == 4 else " point ").join(said)


def power(match: re.Match[str]) -> str | None:
    power = match["p"] or superscript(match["n"])
    return None if power in ("2", "3") and not match["p"] else spaced(f" to the power of {en_number(power)}", match)


def called(match: re.Match[str]) -> str:
    """Three or four digits as they are called: seven forty-seven, three oh two, twelve oh five."""
    digits = match["said"]
    first, rest = digits[:-2], digits[-2:]
    if rest == "00":
        return en_number(digits)
    return f"{en_words(int(first))} {'oh ' if rest[0] == '0' else ''}{en_words(int(rest))}"


def plural_number(match: re.Match[str]) -> str:
    said = en_number(match["n"])
    return spaced(
        said.removesuffix("y") + "ies" if said.endswith("y") else said + ("es" if said.endswith("x") else "s"), match
    )


def feet(match: re.Match[str]) -> str:
    return f"{en_words(int(match['f']))} {'foot' if match['f'] == '1' else 'feet'} {en_words(int(match['i']))}" + (
        " inches" if match["i"] != "1" else " inch"
    )


def days(match: re.Match[str]) -> str:
    said = f", {year(match['y'])}" if match["y"] else ""
    return f"{month(match)} {ordinal(match['d'])} to {ordinal(match['e'])}{said}"


def day(match: re.Match[str]) -> str:
    return f"{_NAMES[int(match['m']) - 1]} {ordinal(match['d'])}"


def spaced(said: str, match: re.Match[str]) -> str:
    """A number within a token (MP3, T-34, 5G) stands apart from its letters."""
    start, end = match.span()
    before, after = match.string[max(0, start - 1) : start], match.string[end : end + 1]
    return (" " if before.isalpha() else "") + said + (" " if after.isalpha() else "")


def rest_of(match: re.Match[str]) -> str:
    """Digits that are no number of their own: a part of a list, or digits after a second point."""
    read = en_number if match.string[match.start() - 1 : match.start()] == "," else en_digits
    return spaced(read(match[0]), match)


def plain(match: re.Match[str]) -> str:
    return spaced(en_number(match[0]), match)
