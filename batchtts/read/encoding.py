"""Bytes become text: byte order mark, UTF-8, UTF-16, then gb18030 and big5 by score, then a detector.

For Chinese, scoring by how common the decoded characters are is right on samples of a few characters, where general
detectors are not (they guess from byte statistics of long texts).
"""

from __future__ import annotations

import codecs
import re

from batchtts.errors import InputRejected

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_COMMON = frozenset(
    # the most frequent characters of modern Chinese, simplified and traditional, and the marks between them
    "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天"
    "而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与"
    "高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东"
    "政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张"
    "活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接"
    "這來國個說們為時會過學對裡後麼沒於還發當無開經頭動兩長樣現與進實點種聲話兒問給幾業間電門東產萬體處總場師書員"
    "華報馬張難數應車係計親務記邊風戰從將聽氣關並內卻軍別讓認見覺請誰"
    "，。、！？：；「」『』（）《》“”‘’…—　·～"
)
ENOUGH = 0.35
"""Least score at which a text counts as Chinese: real text scores 0.6 and more, misread text below 0.2."""
_SAMPLE = 200_000
"""Bytes that are looked at to tell encodings apart."""


def decode(data: bytes, name: str, encoding: str | None = None) -> tuple[str, str]:
    """The text of `data`, line ends as `\\n`, and the name of its encoding.

    `name` is what messages call the source. Raises InputRejected for bytes that are no text, with the offset of the
    first byte at fault.
    """
    text, used = _as_told(data, name, encoding) if encoding else _guess(data, name)
    control = _CONTROL.search(text)
    if control:
        offset = len(text[: control.start()].encode(used, "replace"))
        raise InputRejected(
            f"{name} is binary, not text: control byte {ord(control[0]):#04x} at offset {offset}; give a text file"
        )
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), used


def _as_told(data: bytes, name: str, encoding: str) -> tuple[str, str]:
    try:
        codec = codecs.lookup(encoding)
        text = data.decode(encoding)  # refuses codecs that are no text encodings
    except UnicodeDecodeError as error:
        raise InputRejected(
            f"{name} is not valid {encoding}: byte {data[error.start]:#04x} at offset {error.start}; "
            "give another encoding, or none to have it found out"
        ) from None
    except (LookupError, UnicodeError, ValueError):
        raise InputRejected(
            f"{name}: no text encoding named {encoding!r}; try utf-8, gb18030, big5 or utf-16"
        ) from None
    return text, codec.name


def _guess(data: bytes, name: str) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding, name, len(mark)), encoding
    wide = _utf16(data)
    if wide:
        return _strict(data, wide, name), wide
    zero = data.find(0)
    if zero >= 0:
        raise InputRejected(f"{name} is binary, not text: NUL byte at offset {zero}; give a text file")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        fault = error.start
    if not _nearly_utf8(data):
        found = _chinese(data) or _detected(data)
        if found:
            return found
    raise InputRejected(
        f"{name} is no valid UTF-8 (byte {data[fault]:#04x} at offset {fault}) and fits no other known encoding; "
        "name it with --encoding, or repair the file"
    )


def _strict(data: bytes, encoding: str, name: str, skipped: int = 0) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputRejected(
            f"{name} is broken {encoding} at offset {skipped + error.start}; repair the file or name its encoding"
        ) from None


def _nearly_utf8(data: bytes) -> bool:
    """Whether this is UTF-8 with a few broken bytes: another encoding has hardly any valid sequence."""
    text = data[:_SAMPLE].decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(1 for char in text if char > "\x7f") - broken
    return whole > 3 * broken


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: half of the bytes of Latin text are zero; Chinese must score well."""
    if len(data) % 2:
        return None
    sample = data[: _SAMPLE & ~1]
    if len(sample) >= 4:
        for encoding, offset in (("utf-16-le", 1), ("utf-16-be", 0)):
            if sample[offset::2].count(0) > 0.7 * len(sample) / 2 and sample[1 - offset :: 2].count(0) == 0:
                return encoding
    scores = {encoding: _score(sample, encoding) for encoding in ("utf-16-le", "utf-16-be")}
    best = max(scores, key=lambda encoding: scores[encoding])
    return best if scores[best] >= ENOUGH and not _is_utf8(sample) else None


def _is_utf8(sample: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return True


def _chinese(data: bytes) -> tuple[str, str] | None:
    sample = data[:_SAMPLE]
    scores = {encoding: _score(sample, encoding) for encoding in ("gb18030", "big5", "big5hkscs")}
    for encoding in sorted(scores, key=lambda encoding: -scores[encoding]):
        if scores[encoding] < ENOUGH:
            return None
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return None


def _score(sample: bytes, encoding: str) -> float:
    """How much like Chinese the decoded sample is, about -1 to 1; -2 if it cannot be decoded."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return -2.0
    total = points = 0.0
    for char in text:
        if char < "\x80":
            continue
        total += 1
        if char in _COMMON:
            points += 1.5
        elif "\u4e00" <= char <= "\u9fff":
            points += 0.5 if _frequent(char, encoding) else -0.5
        elif not ("\uff01" <= char <= "\uff5e" or "\u2010" <= char <= "\u22ff"):
            points -= 1
    return points / total if total else -2.0


def _frequent(char: str, encoding: str) -> bool:
    """Whether the character is in the first, frequent level of GB 2312 or Big5."""
    if encoding.startswith("big5"):
        raw = char.encode("big5", "ignore")
        return bool(raw) and 0xA4 <= raw[0] <= 0xC6
    raw = char.encode("gb2312", "ignore")
    if raw and 0xB0 <= raw[0] <= 0xD7:
        return True
    raw = char.encode("big5", "ignore") if encoding.startswith("utf") else b""
    return bool(raw) and 0xA4 <= raw[0] <= 0xC6


def _detected(data: bytes) -> tuple[str, str] | None:
    """The detector's answer, if it is a sure one."""
    from charset_normalizer import from_bytes

    matches = from_bytes(data[:_SAMPLE], threshold=0.1)
    best = matches.best()
    if best is None or best.encoding.startswith(("utf_", "gb", "big5")):
        return None
    # the detector lists the code pages that fit equally well by name; of those, English books are in cp1252
    western = any("cp1252" in match.could_be_from_charset for match in matches)
    encoding = "cp1252" if western else best.encoding
    try:
        return data.decode(encoding), codecs.lookup(encoding).name
    except UnicodeDecodeError:
        return None
