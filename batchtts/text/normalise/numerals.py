"""Numbers as Chinese and English say them. English words come from num2words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

DIGITS = "零一二三四五六七八九"
_UNITS = ("", "十", "百", "千")
_GROUPS = ("", "万", "亿", "万亿")
MOST_DIGITS = 16
"""Longer numbers are read digit by digit, in both languages."""


def zh_digits(digits: str, one: str = "一") -> str:
    """Digit by digit; `one` is 幺 in telephone numbers.

    >>> zh_digits("2024")
    '二零二四'
    """
    return "".join(one if digit == "1" else DIGITS[int(digit)] for digit in digits if digit.isdecimal())


def zh_cardinal(digits: str) -> str:
    """A whole number, of at most MOST_DIGITS digits.

    >>> [zh_cardinal(n) for n in ("0", "10", "2000", "10050", "120000000", "22000")]
    ['零', '十', '两千', '一万零五十', '一亿两千万', '两万两千']
    """
    digits = digits.lstrip("0")
    if not digits:
        return "零"
    if len(digits) > MOST_DIGITS:
        return zh_digits(digits)
    groups = [digits[max(0, end - 4) : end] for end in range(len(digits), 0, -4)]
    said, gap = "", False
    for number in range(len(groups) - 1, -1, -1):
        group = groups[number].lstrip("0")
        if not group:
            gap = True
            continue
        if said and (gap or len(group) < 4):
            said += "零"
        word = "两" if group == "2" and number else _zh_group(group)
        said += word + _GROUPS[number]
        gap = False
    return said[1:] if said.startswith("一十") else said


def _zh_group(group: str) -> str:
    """Up to four digits, the first of which is not zero."""
    said, gap = "", False
    for place, digit in enumerate(group):
        power = len(group) - place - 1
        if digit == "0":
            gap = True
            continue
        if gap:
            said += "零"
            gap = False
        said += ("两" if digit == "2" and power == 3 else DIGITS[int(digit)]) + _UNITS[power]
    return said


def zh_number(text: str) -> str:
    """A number with or without decimals, thousands separators and sign.

    >>> [zh_number(n) for n in ("-3.50", "1,234.05", "007", "0.5")]
    ['负三点五零', '一千二百三十四点零五', '零零七', '零点五']
    """
    sign = "负" if text[:1] in "-−" else ""
    whole, _, part = text.lstrip("+-−").replace(",", "").replace("，", "").partition(".")
    said = zh_digits(whole) if len(whole) > 1 and whole.startswith("0") else zh_cardinal(whole or "0")
    return sign + said + (f"点{zh_digits(part)}" if part else "")


def vulgar(sign: str) -> tuple[str, str]:
    """Numerator and denominator of a fraction that is one character.

    >>> vulgar("⅔")
    ('2', '3')
    """
    above, _, below = unicodedata.normalize("NFKC", sign).partition("⁄")
    return above, below


def superscript(signs: str) -> str:
    """
    >>> superscript("⁻¹²")
    '-12'
    """
    return unicodedata.normalize("NFKC", signs).replace("−", "-")


def scaled(number: str, power: int) -> str:
    """A number times ten to the `power`, without separators and without zeros at the end of its decimals.

    >>> scaled("3.5", 6), scaled("100", 3), scaled("1,200", 3)
    ('3500000', '100000', '1200000')
    """
    whole, _, part = number.replace(",", "").partition(".")
    part = part.ljust(power, "0")
    return trimmed(f"{whole}{part[:power]}.{part[power:]}")


def trimmed(number: str) -> str:
    """Without the zeros at the end of its decimals, as prices are read.

    >>> trimmed("12.50"), trimmed("12.00"), trimmed("120")
    ('12.5', '12', '120')
    """
    return number.rstrip("0").rstrip(".") if "." in number else number


@lru_cache(maxsize=4096)
def en_words(number: int, form: str = "cardinal") -> str:
    """`form` as in num2words: cardinal, ordinal or year.

    >>> en_words(342), en_words(21, "ordinal"), en_words(1984, "year"), en_words(2005, "year")
    ('three hundred forty-two', 'twenty-first', 'nineteen eighty-four', 'two thousand five')
    """
    from num2words import num2words

    if form == "year" and number % 100 and 2000 < number < 2010:
        form = "cardinal"
    return str(num2words(number, to=form, lang="en")).replace(",", "").replace(" and ", " ").replace("oh-", "oh ")


def en_digits(digits: str) -> str:
    """Digit by digit.

    >>> en_digits("007")
    'zero zero seven'
    """
    return " ".join(en_words(int(digit)) for digit in digits if digit.isdecimal())


def en_number(text: str) -> str:
    """A number with or without decimals, thousands separators and sign.

    >>> [en_number(n) for n in ("-3.50", "1,234", "007", "0.5")]
    ['minus three point five zero', 'one thousand two hundred thirty-four', 'zero zero seven', 'zero point five']
    """
    sign = "minus " if text[:1] in "-−" else ""
    whole, _, part = text.lstrip("+-−").replace(",", "").partition(".")
    if len(whole) > MOST_DIGITS or (len(whole) > 1 and whole.startswith("0")):
        said = en_digits(whole)
    else:
        said = en_words(int(whole or "0"))
    return sign + said + (f" point {en_digits(part)}" if part else "")


def roman(letters: str) -> int:
    """The value of a roman numeral in its usual form; 0 for anything else.

    >>> roman("XIV"), roman("IIII"), roman("VIII")
    (14, 0, 8)
    """
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    numbers = [values.get(letter, 0) for letter in letters.upper()]
    total = sum(-n if n < following else n for n, following in zip(numbers, [*numbers[1:], 0], strict=True))
    return total if 0 < total < 4000 and _to_roman(total) == letters.upper() else 0


def _to_roman(number: int) -> str:
    said = ""
    for value, letters in (
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
        (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ):  # fmt: skip
        count, number = divmod(number, value)
        said += letters * count
    return said
