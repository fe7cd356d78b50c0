"""Lines are merged up to a goal and cut below a limit, at the best place there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.model import Edit, Limits, Span, replay
from batchtts.text.fit import Line, cut, fit

FRAMING = 2


def count(text: str) -> int:
    return len(text) + FRAMING


def line(text: str, edits: tuple[Edit, ...] = (), start: int = 0) -> Line:
    return Line(Span(start, start + len(text)), text, edits, count(replay(text, edits)))


def parts(text: str, longest: int, edits: tuple[Edit, ...] = ()) -> list[str]:
    return [part.text for part in cut(line(text, edits), count, longest)]


def limits(goal: int, longest: int) -> Limits:
    return Limits(goal=goal, longest=longest, budget=1, rows=1)


def test_neighbours_are_merged_up_to_the_goal() -> None:
    """What stands between them comes along."""
    text = "aaa.  bbb. cccc."
    lines = [line("aaa.", start=0), line("bbb.", start=6), line("cccc.", start=11)]
    assert [merged.text for merged in fit(lines, text, count, limits(goal=14, longest=99))] == ["aaa.  bbb.", "cccc."]


def test_edits_move_with_a_merged_line() -> None:
    """They still lead to what is said."""
    text = "1. 2."
    first = line("1.", (Edit(Span(0, 1), "one", "n"),), start=0)
    second = line("2.", (Edit(Span(0, 1), "two", "n"),), start=3)
    (merged,) = fit([first, second], text, count, limits(goal=99, longest=99))
    assert merged.spoken.text == "one. two."


@pytest.mark.parametrize(
    ("text", "longest", "expected"),
    [
        ("春天来了，花开了，鸟叫了，人笑了。", 12, ["春天来了，花开了，", "鸟叫了，人笑了。"]),
        ("one two, three four, five six, seven.", 24, ["one two, three four, ", "five six, seven."]),
        ("one two three four five six", 16, ["one two three ", "four five six"]),
        ("我们在北京大学图书馆看书", 9, ["我们在", "北京大学图书馆", "看书"]),
        ("付了1,234,567元，走了。", 15, ["付了1,234,567元，", "走了。"]),
    ],
)
def test_a_cut_is_made_at_the_best_place(text: str, longest: int, expected: list[str]) -> None:
    """Clauses, then spaces, then Chinese words; never inside a number."""
    assert parts(text, longest) == expected


def test_a_cut_never_falls_into_an_edit() -> None:
    """A date with spaces and commas is read as one."""
    text = "on March 5, 2024, it rained and rained and rained."
    edit = Edit(Span(3, 16), "March fifth, twenty twenty-four", "date")
    cuts = parts(text, 40, (edit,))
    assert any("March 5, 2024" in part for part in cuts)


def test_inner_parts_end_at_a_clause() -> None:
    """Only the last part ends the sentence."""
    assert [part.closed for part in cut(line("aaaa, bbbb, cccc."), count, 8)] == [False, False, True]


@given(
    st.lists(st.sampled_from(["word", "中文句子", "，", ", ", "。", " ", "3,000", "x" * 30, "——", "…"]), max_size=60),
    st.integers(5, 40),
)
def test_nothing_is_lost_and_the_limit_holds(words: list[str], longest: int) -> None:
    """Parts put together are the line, whatever it is made of."""
    text = "".join(words).strip()
    made = list(cut(line(text), count, longest))
    assert "".join(part.text for part in made) == text
    assert all(part.tokens <= longest for part in made)
    assert [part.span.start for part in made[1:]] == [part.span.end for part in made[:-1]]
