"""How numbers, dates, money and units are read in Chinese. Patterns see folded text (ASCII digits and letters)."""

from __future__ import annotations

import re

from batchtts.text.normalise.numerals import (
    roman,
    scaled,
    superscript,
    trimmed,
    vulgar,
    zh_cardinal,
    zh_digits,
    zh_number,
)
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
from batchtts.text.normalise.zh_words import CLASSIFIERS, CURRENCIES, GREEK_NAMES, UNITS
from batchtts.text.runs import Language

_DASH = r"\s?[-–—~～至到−]{1,2}\s?"
_YEAR = r"(?:1\d{3}|20\d{2}|2100)"
_BIG = r"(?:[千百]?[万亿]|(?:[wW]|[kKMB]|bn)(?![A-Za-z]))"
_POWERS = {"k": 3, "K": 3, "M": 6, "B": 9, "bn": 9, "w": 4, "W": 4}
_TIMES_OF_DAY = frozenset("上午 下午 早上 晚上 凌晨 中午 傍晚 夜里 清晨".split())
_HALVES = {"a": "上午", "p": "下午"}

_COMPARED = {"<": "小于", ">": "大于", "<=": "小于等于", ">=": "大于等于"}
_AFTER_YEAR = "级|届|财年|学年|赛季|奥运|亚运|冬奥|残奥|世界杯|欧洲杯|春晚|年度|Q[1-4]"
_WINS = "获胜|取胜|胜|战胜|击败|大胜|险胜|完胜|逆转|领先|落后|不敌|负|输|战平|打平|横扫|力克|淘汰|告负|小胜|的比分"
_NUMBERED = (
    "邮编|邮政编码|编号|账号|帐号|卡号|工号|学号|尾号|车牌|密码|验证码|QQ号?|QQ群|群号|订单号|单号|序列号|证号|证号码|"
    "区号|代码|代号|编码|门牌号?|房号"
)
_SHORT_PHONES = r"(?:110|119|120|122|114|12345|12315|12306|10086|10010|10000|95\d{3})"


_CURRENCY_BEFORE = r"(?P<c>(?:US|HK|NT)\$|JP¥|[¥$€£₩₽]|(?<![A-Za-z])(?:RMB|CNY|USD|EUR|GBP|JPY))"
_UP_TO = r"\s?[-–—~～至到]\s?"
_RANGE_UNITS = f"{CLASSIFIERS}年月日号时点分秒元岁楼层页章万亿"
_RANGED = r"(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,6}(?:\.\d{1,6})?)"


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


def _half_day(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - 2) : match.start()]
    half = "" if before in _TIMES_OF_DAY else _HALVES[match["half"].lower()]
    return half + _clock(match["h"], match["m"] or "00", None)


def _money(match: re.Match[str]) -> str:
    sign = "负" if match["sign"] else ""
    return sign + _with_big(match["n"], match["big"]) + CURRENCIES[match["c"]]


def _money_range(match: re.Match[str]) -> str:
    lower = zh_number(trimmed(match["a"].replace(",", "")))
    return f"{lower}至{_with_big(match['b'], match['big'])}{CURRENCIES[match['c']]}"


def _with_big(number: str, big: str | None) -> str:
    """万 and 亿 are said as they stand, k and M are counted out."""
    if big in _POWERS:
        return _amount(scaled(number, _POWERS[big]))
    return _amount(trimmed(number.replace(",", ""))) + (big or "")


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
    lower = ("零下" if match["sign"] else "") + _amount(match["n"])
    upper = ("至" + ("零下" if match["minus"] else "") + _amount(match["b"])) if match["b"] else ""
    return lower + upper + degree


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


def _days(match: re.Match[str]) -> str:
    return f"{_short(match['a'])}至{_short(match['b'])}"


def _ordinals(match: re.Match[str]) -> str:
    return f"第{_days(match)}"


def _rest(match: re.Match[str]) -> str:
    """Digits that are no number of their own: a part of a list, or digits after a second point."""
    return (zh_number if match.string[match.start() - 1 : match.start()] == "," else zh_digits)(match[0])


def _signed(match: re.Match[str]) -> str:
    return "负" + zh_number(match["n"])


def _count(match: re.Match[str]) -> str:
    return _with_big(match["n"], match["big"])


def _dotted(match: re.Match[str]) -> str:
    """A version or an address: short parts as numbers, three digits one by one."""
    return "点".join(zh_cardinal(part) if len(part) < 3 else zh_digits(part) for part in match[0].split("."))


def _mixed_fraction(match: re.Match[str]) -> str:
    above, below = vulgar(match["f"])
    whole = f"{_plain(zh_cardinal(match['whole']))}又" if match["whole"] else ""
    return f"{whole}{_plain(zh_cardinal(below))}分之{_plain(zh_cardinal(above))}"


def _power(match: re.Match[str]) -> str | None:
    power = match["p"] or superscript(match["n"])
    return None if power in ("2", "3") and not match["p"] else f"的{zh_number(power)}次方"


def _said_digits(match: re.Match[str]) -> str:
    return zh_digits(match["said"])


def _said_phone(match: re.Match[str]) -> str:
    return zh_digits(match["said"], one="幺")


def _roman(match: re.Match[str]) -> str | None:
    number = roman(match["said"])
    return _plain(zh_cardinal(str(number))) if number else None


def _rule(name: str, pattern: str, say: Say) -> Rule:
    return Rule(name, Language.ZH, re.compile(pattern), say)


RULES: tuple[Rule, ...] = (
    _rule(
        "date",
        rf"(?<!\d)(?P<y>{_YEAR})(?:\s?年\s?|[-/.])(?P<m>0?[1-9]|1[0-2])(?:\s?月\s?|[-/.])(?P<d>3[01]|[12]\d|0?[1-9])(?!\d)(?:\s?[日号])?",
        _date,
    ),
    _rule("dotted", r"(?<![\d.])\d++(?:\.\d++){2,}", _dotted),
    _rule(
        "phone",
        r"(?<!\d)(?:(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}|0\d{2,3}-\d{7,8}|[48]00-\d{3}-?\d{4})(?!\d)",
        _phone,
    ),
    _rule(
        "phone",
        rf"(?:报警|电话|热线|拨打|致电|[拨打])[是为：:\s]{{0,3}}(?P<said>{_SHORT_PHONES})(?![\d.]|\s?[分元个年人米块])",
        _said_phone,
    ),
    _rule(
        "phone",
        r"(?:电话|手机|热线|号码|传真|手机号|电话号)[是为：:\s]{0,3}(?P<said>\d{5,12}+(?:-\d{3,8}+)?)(?!\d)",
        _said_phone,
    ),
    _rule("serial", rf"(?:{_NUMBERED})[是为：:\s]{{0,3}}(?P<said>\d{{2,}}+)(?!\.\d)", _said_digits),
    _rule("serial", r"(?<![\d.,-])\d++(?:-\d++){2,}(?![-.]?\d)", lambda match: zh_digits(match[0])),
    _rule("serial", r"(?<![\d.,])(?P<said>211|985)(?=工程|大学|高校|院校|名校|[、和/](?:211|985)(?!\d))", _said_digits),
    _rule(
        "serial",
        r"(?<![\d.,])(?:996(?=工作制|加班|模式|文化|制)|12306|12315)(?!\d|[.,]\d)",
        lambda match: zh_digits(match[0]),
    ),
    _rule("serial", r"(?:波音|空客|麦道)\s?(?P<said>\d{3})(?!\d)", _said_digits),
    _rule("serial", r"(?<![\d.,])(?P<said>\d{3,4})(?=\s?(?:室|号房|号病房|教室))", _said_digits),
    _rule("serial", r"(?<=[A-Za-z])-?(?P<said>\d{3,}+)(?!\.\d|\s?[元万亿])", _said_digits),
    _rule(
        "serial", rf"(?<=[A-Z]{{2}}) (?P<said>\d{{4}})(?!\d|[.,]\d|\s?[元多余万亿千人名{CLASSIFIERS}])", _said_digits
    ),
    _rule("day", r"(?<![\d·])\d{1,2}·\d{1,2}(?![\d·])", lambda match: zh_digits(match[0])),
    _rule(
        "years",
        rf"(?<![\d.-])(?P<a>1[5-9]\d\d|20\d\d){_DASH}(?P<b>1[5-9]\d\d|20\d\d)(?![\d.-])(?=[年）)，。、；\s学赛财]|$)",
        _years,
    ),
    _rule("years", rf"(?<!\d)(?P<a>{_YEAR}){_DASH}(?P<b>{_YEAR})(?!\d)(?=\s?年)", _years),
    _rule("decade", r"(?<!\d)(?P<n>(?:1[5-9]|20)?\d0)(?=\s?年代)", _decade),
    _rule("year", rf"(?<!\d)(?P<y>{_YEAR})(?=\s?年(?!前|来|級|级|历史|的历史|之久))", _year),
    _rule("year", r"(?<!\d)(?P<y>(?:19|20)(?:\d[1-9]|[1-9]\d))(?=\s?年(?:前|来))", _year),
    _rule("year", rf"(?<![\d.,])(?P<y>(?:19|20)\d\d)(?=\s?(?:{_AFTER_YEAR}))", _year),
    _rule("year", r"(?<=[《（(])(?P<y>1[5-9]\d\d|20\d\d)(?=[》）)])", _year),
    _rule("year", r"(?<!\d)(?P<y>\d{2})(?=\s?年\d{1,2}月)", _year),
    _rule("year", r"(?<!\d)(?P<y>[089]\d)(?=年(?:高考|出生|毕业|入学|入伍|冬|春|夏|秋|底|版|生人|世界杯|奥运))", _year),
    _rule("year", r"(?<![\d.,])(?P<said>[05-9][05])(?=(?:、[05-9][05]){0,3}后(?!\d))", _said_digits),
    _rule("range", r"(?<![\d.,\-/])(?P<a>\d{1,2})\s?[-–—~～]\s?(?P<b>\d{1,2})(?=\s?[月日号])", _days),
    _rule("ordinals", r"第\s?(?P<a>\d{1,6})\s?[-–—~～至到]\s?(?P<b>\d{1,6})(?![\d.])", _ordinals),
    _rule("decade", r"(?<![\d.,])(?P<n>(?:1[5-9]|20)\d0)s(?![A-Za-z])", lambda match: f"{zh_digits(match['n'])}年代"),
    _rule("date", r"(?<!\d)(?P<n>0[1-9])(?=\s?[月日号])", lambda match: _short(match["n"])),
    _rule("date", r"(?<!\d)(?P<n>2)(?=\s?[月日号])", lambda _: "二"),
    _rule(
        "time",
        rf"(?<![\d:])(?P<h>[01]?\d|2[0-4])[:：](?P<m>[0-5]\d){_DASH}(?P<i>[01]?\d|2[0-4])[:：](?P<n>[0-5]\d)(?![\d:])",
        _times,
    ),
    _rule(
        "time",
        r"(?<![\d.:])(?P<h>1[0-2]|0?[1-9])(?:[:：](?P<m>[0-5]\d))?\s?(?P<half>[AaPp])\.?[Mm](?![A-Za-z])\.?",
        _half_day,
    ),
    _rule("figure", r"(?<=[图表式例])\s?\d{1,3}(?P<said>[-–])(?=\d{1,3}(?![\d-]))", lambda _: "杠"),
    _rule("range", rf"(?:(?<=\d[{_RANGE_UNITS}])|(?<=\d[万亿][{_RANGE_UNITS}]))\s?[-–—~～](?=\s?\d)", lambda _: "至"),
    _rule("sign", MINUS_BETWEEN, lambda _: "减"),
    _rule("score", rf"(?<=以)\s?(?P<said>(?P<a>\d{{1,3}})\s?[-–:：]\s?(?P<b>\d{{1,3}}))(?=\s?(?:{_WINS}))", _score),
    _rule(
        "score",
        r"(?<=比分)(?P<sep>[为是：: ]*)(?P<a>\d{1,3})[:：\-–](?P<b>\d{1,3})(?!\d)",
        lambda m: m["sep"] + _score(m),
    ),
    _rule("time", r"(?<![\d:])(?P<h>[01]?\d|2[0-4])[:：](?P<m>[0-5]\d)(?:[:：](?P<s>[0-5]\d))?(?![\d:])", _time),
    _rule("score", r"(?<![\d:.])(?P<a>\d{1,3})[:：](?P<b>\d{1,3})(?![\d:.])", _score),
    _rule(
        "money",
        rf"{_CURRENCY_BEFORE}\s?(?P<a>{NUMBER}){_DASH}(?:(?P=c))?\s?(?P<b>{NUMBER})\s?(?P<big>{_BIG})?(?:\s?元)?",
        _money_range,
    ),
    _rule(
        "money",
        rf"{MINUS}{_CURRENCY_BEFORE}\s?(?P<n>{NUMBER})\s?(?P<big>{_BIG})?(?:\s?元)?",
        _money,
    ),
    _rule(
        "money",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<n>{NUMBER})\s?(?P<big>{_BIG})?\s?(?P<c>[¥€£]|(?:RMB|CNY|USD|EUR|GBP)(?![A-Za-z]))",
        _money,
    ),
    _rule("money", rf"{NO_DIGIT_BEFORE}(?P<n>\d+(?:,\d{{3}})*\.\d+)(?=\s?(?:元|块|美元|欧元|英镑|港元|日元))", _price),
    _rule(
        "percent",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<a>{NUMBER})(?:(?P<each>[%‰])?{_DASH}(?P<b>{NUMBER}))?\s?(?P<p>[%‰])",
        _percent,
    ),
    _rule(
        "temperature",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?:\s?(?:℃|℉|°[CF]?)?{_UP_TO}(?P<minus>[-−])?(?P<b>{NUMBER}))?\s?(?P<u>℃|℉|°C|°F)",
        _temperature,
    ),
    _rule("fraction", r"(?<![\d/.])24/7(?![\d/.])", lambda _: "全天候"),
    _rule("fraction", r"(?<![\d/.])(?P<a>\d{1,3})/(?P<b>\d{1,3})(?![\d/.])", _fraction),
    _rule(
        "unit",
        rf"{MINUS}{NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?:{_DASH}(?P<b>{NUMBER}))?\s?(?P<u>{_alternatives(UNITS)})(?![A-Za-z0-9])",
        _unit,
    ),
    _rule("fraction", rf"(?:(?<![\d.,])(?P<whole>\d{{1,4}})\s?)?(?P<f>[{FRACTION_SIGNS}])", _mixed_fraction),
    _rule("power", rf"(?<=[\d)])(?P<n>[⁻]?[{SUPERSCRIPTS}]++)(?P<p>)", _power),
    _rule("power", r"(?<=[\dA-Za-z)])(?P<n>\^)\(?(?P<p>-?\d{1,4})(?!\d)\)?", _power),
    _rule("ordinal", r"第\s?(?P<n>\d{1,9})(?![\dA-Za-z]|\.\d)", _ordinal),
    _rule("ordinal", r"(?<![A-Za-z])(?:N[oO]\.?|№)\s?(?P<n>\d{1,9})(?!\d|\.\d)", _ordinal),
    _rule("count", r"(?<![\d.,A-Za-z])2(?=室[\d一二三]厅)", lambda _: "两"),
    _rule("ordinal", r"(?<![\d.,])2(?=年级|次元|次方|元一次|元二次)", lambda _: "二"),
    _rule("sign", r"(?<=[\d万])\+(?=[个位名家种款人条件篇部次年天])", lambda _: "多"),
    _rule("sign", r"(?<![\w~～])[~～](?=\d)|(?<=[\u4e00-\u9fff])~(?=\d)", lambda _: "约"),
    _rule("sign", r"(?<=\d)\s?\*\s?(?=\d)", lambda _: "乘"),
    _rule("sign", COMPARISON, lambda match: _COMPARED[match["sign"]]),
    _rule(
        "serial",
        r"(?<=[房间室路楼座门编号码证])(?P<n>\d{3,4})(?=[室房号\s，。]|$)",
        lambda match: zh_digits(match["n"]),
    ),
    _rule("serial", rf"(?<![\d.,])\d++(?![.,]\d)(?!\s?[元万亿人{CLASSIFIERS}]|\s?[美欧日港]元)", _serial),
    _rule(
        "range",
        rf"(?<![\d.,\-/A-Za-z])(?P<a>{_RANGED})\s?[-–—~～−]\s?(?P<b>{_RANGED})(?![\d,\-/]|\.\d)",
        _range,
    ),
    _rule("hyphen", r"(?<=[A-Za-z歼轰运直强风征])-(?=\d)", lambda _: ""),
    _rule("negative", rf"(?<![A-Za-z\d)])[-−](?P<n>{NUMBER})", _signed),
    _rule("count", rf"(?<![\d.,A-Za-z])(?P<n>2)(?P<big>)(?=\s?(?:[{CLASSIFIERS}]|[千百]?万|亿))", _count),
    _rule("count", rf"{NO_DIGIT_BEFORE}(?P<n>{NUMBER})(?P<big>[kw](?![A-Za-z]))", _count),
    _rule("number", r"(?<![\d\w.])\.(?P<n>\d+)", lambda match: f"点{zh_digits(match['n'])}"),
    _rule("number", rf"{NO_DIGIT_BEFORE}{NUMBER}", lambda match: zh_number(match[0])),
    _rule("number", r"\d+", _rest),
)
"""In order of certainty: a stretch that one rule has read, no later one sees."""

WORDS: tuple[Rule, ...] = (
    _rule("roman", r"(?<=[\u4e00-\u9fff])(?P<said>II|III|IV|VI{1,3}|IX)(?=[》”」』，。！？、：\s]|$)", _roman),
    _rule("roman", r"(?<![A-Za-z])(?P<said>I{1,3}|IV|VI{1,3}|IX)(?=型|期|级|类|世|度|号|代)", _roman),
    _rule("roman", r"(?<![A-Za-z])WW(?P<n>II?)(?![A-Za-z])", lambda match: "二战" if match["n"] == "II" else "一战"),
    _rule(
        "sign",
        r"(?<=[\d元块角分钱米克斤里升次人字万亿])/(?=[斤克个人天月年秒分时小公平千立瓶箱件只次间晚桌位台])",
        lambda _: "每",
    ),
    _rule("sign", GREEK, lambda match: GREEK_NAMES[match[0]]),
    _rule("ordinal", r"第\s?(?P<n>[IVXLC]{1,8})(?![\dA-Za-z])", _ordinal),
)
"""What needs no digit."""
