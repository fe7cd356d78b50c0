"""How things are spoken: a corpus of cases, and what must hold for any text whatever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.model import replay
from batchtts.text.normalise import speak
from batchtts.text.runs import Language

CORPUS = Path(__file__).parents[2] / "corpus"


def cases(name: str) -> list[Any]:
    """The cases of a file; a known failure is marked there with its reason and must go on failing."""
    rows = json.loads((CORPUS / f"{name}.json").read_text("utf-8"))
    return [
        pytest.param(
            row["source"],
            row["spoken"],
            id=f"{row['kind']}: {row['source']}",
            marks=[pytest.mark.xfail(reason=row["xfail"])] if "xfail" in row else [],
        )
        for row in rows
    ]


@pytest.mark.parametrize(("source", "spoken"), cases("zh"))
def test_in_a_chinese_document(source: str, spoken: str) -> None:
    """Numbers are read in Chinese."""
    assert speak(source, Language.ZH).text == spoken


@pytest.mark.parametrize(("source", "spoken"), cases("en"))
def test_in_an_english_document(source: str, spoken: str) -> None:
    """Numbers are read in English."""
    assert speak(source).text == spoken


@pytest.mark.parametrize(("source", "spoken"), cases("mixed"))
def test_in_mixed_text(source: str, spoken: str) -> None:
    """Numbers are read in the language of the words around them."""
    assert speak(source).text == spoken


@pytest.mark.parametrize(("source", "spoken"), cases("unchanged"))
def test_prose_stays_as_it_is(source: str, spoken: str) -> None:
    """No edit at all."""
    assert speak(source).text == spoken == source
    assert speak(source).edits == ()


@pytest.mark.parametrize(("name", "least"), [("zh", 120), ("en", 100), ("mixed", 30), ("unchanged", 40)])
def test_the_corpus_has_many_cases_and_none_twice(name: str, least: int) -> None:
    """Each source once, each with something of its own to show."""
    sources = [row["source"] for row in json.loads((CORPUS / f"{name}.json").read_text("utf-8"))]
    assert len(set(sources)) == len(sources) >= least


@pytest.mark.parametrize(
    ("source", "span", "rule"),
    [
        ("邮编是100080。", (3, 9), "serial"),
        ("on 3/5 we met", (3, 6), "date"),
        ("Chapter IV", (8, 10), "roman"),
        ("你好😀。", (2, 3), "emoji"),
        ("[注]", (0, 1), "bracket"),
    ],
)
def test_an_edit_covers_what_is_rewritten_and_no_more(source: str, span: tuple[int, int], rule: str) -> None:
    """The words by which a number was understood stay outside."""
    first = speak(source).edits[0]
    assert ((first.span.start, first.span.end), first.rule) == (span, rule)


FRAGMENTS = [
    "2024年", "3月", "5日", "14:30", "12.50", "1,234", "007", "1990s", "3/4", "$", "￥", "%", "℃", "km/h", "-",
    "~", "～", "至", "第", "个", "两", "万", "Chapter IV", "Dr.", "St. ", "e.g.", "GPT-4", "C++", "a@b.com",
    "www.x.org/a", "[", "]", "{", "<b>", "【", "😀", "①", "Ⅲ", "½", "²", "１２", "Ａ", "٣", "\u200b", "\t", " ",
    "，", "。", ".", ":", "中文", "word ", "the ", "+", "=", "&", "#", "/", "*", "_", "\x1b",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=15) | st.lists(st.text(max_size=4), max_size=8),
    st.sampled_from(Language),
)
def test_what_holds_for_any_text(parts: list[str], language: Language) -> None:
    """Edits replay to what is said; no digit and no bracket is left; letters outside edits stay in order."""
    source = "".join(parts)
    spoken = speak(source, language)
    assert replay(source, spoken.edits) == spoken.text
    at = 0
    for edit in spoken.edits:
        assert at <= edit.span.start < edit.span.end <= len(source)
        assert edit.rule
        at = edit.span.end
    assert not set(spoken.text) & set("0123456789[]{}<>")
    assert spoken.text.isprintable() or any(char.isspace() for char in spoken.text)


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo"]), max_size=40))
def test_letters_are_never_dropped(source: str) -> None:
    """Whatever their script; a roman numeral or a full-width letter may be rewritten."""
    spoken = speak(source)
    kept = replay(source, tuple(edit for edit in spoken.edits if edit.spoken))
    assert kept == spoken.text


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,",
        "1,234,",
        "1-",
        "1/",
        "1:",
        "1.",
        "$1",
        "a@",
        "a.",
        "www.a.",
        "第1",
        "((((",
        "1 ",
        "-1",
        "中1",
        "+1 ",
        "+",
        "1a",
    ],
)
@pytest.mark.timeout(60)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    """No pattern backtracks for long: thirty thousand characters take half a second, or the test is stopped."""
    text = piece * (30_000 // len(piece))
    assert speak(text).text
