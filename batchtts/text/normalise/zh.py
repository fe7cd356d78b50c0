"""How numbers, dates, money and units are read in Chinese. Patterns see folded text (ASCII digits and letters)."""

from __future__ import annotations

import re

from batchtts.text.normalise.numerals import roman, trimmed, zh_cardinal, zh_digits, zh_number
from batchtts.text.normalise.rules import Rule, Say
from batchtts.text.runs import Language

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)"
_NO_DIGIT_BEFORE = r"(?<![\d.])(?<!\d,)"
_DASH = r"\s?[-–—~～至到−]{1,2}\s?"
_YEAR = r"(?:1\d{3}|20\d{2}|2100)"
_BIG = r"(?:[千百]?[万亿]|[kKMB]\b)"
_BIG_WORDS = {"k": "千", "K": "千", "M": "百万", "B": "十亿"}

CURRENCIES = {
    "¥": "元", "RMB": "元", "CNY": "元", "$": "美元", "US$": "美元", "USD": "美元", "HK$": "港元",
    "NT$": "新台币", "€": "欧元", "EUR": "欧元", "£": "英镑", "GBP": "英镑", "₩": "韩元", "₽": "卢布",
    "JPY": "日元", "JP¥": "日元",
}  # fmt: skip
UNITS = {
    "km/h": "公里每小时", "m/s": "米每秒", "mg/L": "毫克每升", "g/L": "克每升", "mg/kg": "毫克每千克",
    "km²": "平方公里", "km2": "平方公里", "㎡": "平方米", "m²": "平方米", "m2": "平方米", "cm²": "平方厘米",
    "m³": "立方米", "m3": "立方米", "cm³": "立方厘米", "km": "公里", "㎞": "公里", "cm": "厘米", "㎝": "厘米",
    "mm": "毫米", "㎜": "毫米", "nm": "纳米", "μm": "微米", "m": "米", "kg": "公斤", "㎏": "公斤", "mg": "毫克",
    "㎎": "毫克", "g": "克", "t": "吨", "ml": "毫升", "mL": "毫升", "L": "升", "kWh": "千瓦时", "kW": "千瓦",
    "MW": "兆瓦", "W": "瓦", "V": "伏", "mA": "毫安", "GHz": "吉赫", "MHz": "兆赫", "kHz": "千赫", "Hz": "赫兹",
    "dB": "分贝", "min": "分钟", "ms": "毫秒", "hPa": "百帕", "kPa": "千帕", "kcal": "千卡", "ha": "公顷",
    "°": "度", "′": "分", "″": "秒",
}  # fmt: skip
CLASSIFIERS = (
    "个個只隻條条張张本位件次年天周週块塊点點种種名杯瓶家间間座台辆輛架匹头頭人倍米克斤吨元角毛分秒岁歲层層步口声句"
    "页頁篇首支枝颗顆粒片朵双雙套对對群排行段道门門项項届屆场場部小"
)
"""Measure words, before which two is 两. 月 and 日 are not: those are counted by their names."""


def _alternatives(words: dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _short(digits: str) -> str:
    """A number of a date or a clock: a zero before it is not read."""
    return _plain(zh_cardinal(digits))


def _plain(said: str) -> str:
    """二 and not 两, as in dates and ordinals."""
    return "二" if said == "两" else said


def _amount(number: str) -> str:
    """A quantity; a lone two is 两."""
    return "两" if number == "2" else zh_number(number)


def _date(match: re.Match[str]) -> str:
    year, month, day = match["y"], match["m"], match["d"]
    return f"{zh_digits(year)}年{_short(month)}月{_short(day)}日"


def _year(match: re.Match[str]) -> str:
    return zh_digits(match["y"])


def _years(match: re.Match[str]) -> str:
    return f"{zh_digits(match['a'])}至{zh_digits(match['b'])}"


def _decade(match: re.Match[str]) -> str:
    digits = match["n"]
    return zh_digits(digits) if len(digits) == 4 else zh_cardinal(digits)


def _clock(hour: str, minute: str, second: str | None) -> str:
    said = ("两" if int(hour) == 2 else _short(hour)) + "点"
    if minute == "00" and not second:
        return said
    said += ("零" if minute[0] == "0" and minute != "00" else "") + _short(minute) + "分"
    return said + (("零" if second[0] == "0" and second != "00" else "") + _short(second) + "秒" if second else "")


def _time(match: re.Match[str]) -> str:
    return _clock(match["h"], match["m"], match["s"])


def _times(match: re.Match[str]) -> str:
    return f"{_clock(match['h'], match['m'], None)}至{_clock(match['i'], match['n'], None)}"


def _big(unit: str | None) -> str:
    return _BIG_WORDS.get(unit or "", unit or "")


def _money(match: re.Match[str]) -> str:
    number = trimmed(match["n"].replace(",", ""))
    big = _big(match["big"])
    amount = _amount(number) if big or number == "2" else zh_number(number)
    return amount + big + CURRENCIES[match["c"].upper() if match["c"].isalpha() else match["c"]]


def _price(match: re.Match[str]) -> str:
    return zh_number(trimmed(match["n"].replace(",", "")))


def _percent(match: re.Match[str]) -> str:
    base = {"%": "百分之", "‰": "千分之"}[match["p"]]
    upper = f"至{base if match['each'] else ''}{zh_number(match['b'])}" if match["b"] else ""
    sign = "负" if match["sign"] else ""
    return f"{sign}{base}{zh_number(match['a'])}{upper}"


def _fraction(match: re.Match[str]) -> str | None:
    above, below = match["a"], match["b"]
    if int(below) < 2 or below.startswith("0") or above.startswith("0"):
        return None
    return f"{_plain(zh_cardinal(below))}分之{_plain(zh_cardinal(above))}"


def _temperature(match: re.Match[str]) -> str:
    degree = "华氏度" if match["u"] in ("℉", "°F") else "摄氏度"
    return ("零下" if match["sign"] else "") + _amount(match["n"]) + degree


def _unit(match: re.Match[str]) -> str:
    upper = f"至{_amount(match['b'])}" if match["b"] else ""
    return ("负" if match["sign"] else "") + _amount(match["n"]) + upper + UNITS[match["u"]]


def _range(match: re.Match[str]) -> str | None:
    lower, upper = match["a"], match["b"]
    if len(lower) > 1 and lower.startswith("0"):
        return None
    return f"{_amount(lower)}至{_amount(upper)}"


def _phone(match: re.Match[str]) -> str:
    return zh_digits(match[0], one="幺")


def _serial(match: re.Match[str]) -> str | None:
    digits = match[0]
    return zh_digits(digits) if len(digits) >= 9 or (digits.startswith("0") and len(digits) > 1) else None


def _ordinal(match: re.Match[str]) -> str | None:
    digits = match["n"] if match["n"].isdecimal() else str(roman(match["n"]))
    return None if digits == "0" and match["n"] != "0" else "第" + _plain(zh_cardinal(digits))


def _score(match: re.Match[str]) -> str:
    return f"{_plain(zh_cardinal(match['a']))}比{_plain(zh_cardinal(match['b']))}"


def _signed(match: re.Match[str]) -> str:
    return "负" + zh_number(match["n"])


def _count(match: re.Match[str]) -> str:
    return _amount(match["n"]) + _big(match["big"])


def _rule(name: str, pattern: str, say: Say) -> Rule:
    return Rule(name, Language.ZH, re.compile(pattern), say)


RULES = (
    _rule(
        "date",
        rf"(?<!\d)(?P<y>{_YEAR})(?:\s?年\s?|[-/.])(?P<m>0?[1-9]|1[0-2])(?:\s?月\s?|[-/.])(?P<d>3[01]|[12]\d|0?[1-9])(?!\d)(?:\s?[日号])?",
        _date,
    ),
    _rule(
        "phone",
        r"(?<!\d)(?:(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}|0\d{2,3}-\d{7,8}|[48]00-\d{3}-?\d{4})(?!\d)",
        _phone,
    ),
    _rule("years", rf"(?<!\d)(?P<a>{_YEAR}){_DASH}(?P<b>{_YEAR})(?!\d)(?=\s?年)", _years),
    _rule("decade", r"(?<!\d)(?P<n>(?:1[5-9]|20)?\d0)(?=\s?年代)", _decade),
    _rule("year", rf"(?<!\d)(?P<y>{_YEAR})(?=\s?年(?!前|来|級|级|历史|的历史|之久))", _year),
    _rule("year", r"(?<!\d)(?P<y>\d{2})(?=\s?年\d{1,2}月)", _year),
    _rule("date", r"(?<!\d)(?P<n>0[1-9])(?=\s?[月日号])", lambda match: _short(match["n"])),
    _rule("date", r"(?<!\d)(?P<n>2)(?=\s?[月日号])", lambda _: "二"),
    _rule(
        "time",
        rf"(?<![\d:])(?P<h>[01]?\d|2[0-4])[:：](?P<m>[0-5]\d){_DASH}(?P<i>[01]?\d|2[0-4])[:：](?P<n>[0-5]\d)(?![\d:])",
        _times,
    ),
    _rule(
        "score",
        r"(?<=比分)(?P<sep>[为是：: ]*)(?P<a>\d{1,3})[:：\-–](?P<b>\d{1,3})(?!\d)",
        lambda m: m["sep"] + _score(m),
    ),
    _rule("time", r"(?<![\d:])(?P<h>[01]?\d|2[0-4])[:：](?P<m>[0-5]\d)(?:[:：](?P<s>[0-5]\d))?(?![\d:])", _time),
    _rule("score", r"(?<![\d:.])(?P<a>\d{1,3})[:：](?P<b>\d{1,3})(?![\d:.])", _score),
    _rule(
        "money",
        rf"(?P<c>(?:US|HK|NT)\$|JP¥|[¥$€£₩₽]|\b(?:RMB|CNY|USD|EUR|GBP|JPY))\s?(?P<n>{NUMBER})\s?(?P<big>{_BIG})?(?:\s?元)?",
        _money,
    ),
    _rule(
        "money",
        rf"{_NO_DIGIT_BEFORE}(?P<n>{NUMBER})\s?(?P<big>{_BIG})?\s?(?P<c>[¥€£]|\b(?:RMB|CNY|USD|EUR|GBP)\b)",
        _money,
    ),
    _rule("money", rf"{_NO_DIGIT_BEFORE}(?P<n>\d+(?:,\d{{3}})*\.\d+)(?=\s?(?:元|块|美元|欧元|英镑|港元|日元))", _price),
    _rule(
        "percent",
        rf"(?P<sign>(?<![A-Za-z\d)])[-−])?{_NO_DIGIT_BEFORE}(?P<a>{NUMBER})(?:(?P<each>[%‰])?{_DASH}(?P<b>{NUMBER}))?\s?(?P<p>[%‰])",
        _percent,
    ),
    _rule(
        "temperature",
        rf"(?P<sign>(?<![A-Za-z\d)])[-−])?{_NO_DIGIT_BEFORE}(?P<n>{NUMBER})\s?(?P<u>℃|℉|°C|°F)",
        _temperature,
    ),
    _rule("fraction", r"(?<![\d/.])(?P<a>\d{1,3})/(?P<b>\d{1,3})(?![\d/.])", _fraction),
    _rule(
        "unit",
        rf"(?P<sign>(?<![A-Za-z\d)])[-−])?{_NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?:{_DASH}(?P<b>{NUMBER}))?\s?(?P<u>{_alternatives(UNITS)})(?![A-Za-z0-9])",
        _unit,
    ),
    _rule("ordinal", r"第\s?(?P<n>\d{1,9}|[IVXLC]{1,8})(?![\dA-Za-z])", _ordinal),
    _rule(
        "serial",
        r"(?<=[房间室路楼座门编号码证])(?P<n>\d{3,4})(?=[室房号\s，。]|$)",
        lambda match: zh_digits(match["n"]),
    ),
    _rule("serial", r"(?<![\d.,])\d+(?![\d.,]*\d)", _serial),
    _rule(
        "range",
        r"(?<![\d.,\-/A-Za-z])(?P<a>\d{1,6}(?:\.\d+)?)\s?[-–—~～−]\s?(?P<b>\d{1,6}(?:\.\d+)?)(?![\d.,\-/]*\d)",
        _range,
    ),
    _rule("negative", rf"(?<![A-Za-z\d)])[-−](?P<n>{NUMBER})", _signed),
    _rule("count", rf"(?<![\d.,A-Za-z])(?P<n>2)(?P<big>)(?=\s?(?:[{CLASSIFIERS}]|[千百]?万|亿))", _count),
    _rule("count", rf"{_NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?P<big>[kM]\b)", _count),
    _rule("hyphen", r"(?<=[A-Za-z])-(?=\d)", lambda _: ""),
    _rule("number", r"(?<![\d\w.])\.(?P<n>\d+)", lambda match: f"点{zh_digits(match['n'])}"),
    _rule("number", rf"{_NO_DIGIT_BEFORE}{NUMBER}", lambda match: zh_number(match[0])),
    _rule("number", r"\d+", lambda match: zh_digits(match[0])),
)
"""In order of certainty: a stretch that one rule has read, no later one sees."""

SIGNS = {
    "+": "加", "−": "减", "×": "乘", "÷": "除以", "=": "等于", "≠": "不等于", "≈": "约等于", "≤": "小于等于",
    "≥": "大于等于", "±": "正负", "&": "和", "@": "艾特", "%": "百分号", "‰": "千分号", "#": "井号",
    "℃": "摄氏度", "°": "度", "¥": "元", "$": "美元", "€": "欧元", "£": "英镑", "√": "根号", "∞": "无穷",
    "→": "到", "㎡": "平方米", "²": "平方", "³": "立方", "½": "二分之一", "¼": "四分之一", "¾": "四分之三",
}  # fmt: skip
"""A sign that no rule took, as a word."""
