"""Which language a number is read in."""

from __future__ import annotations

import pytest

from batchtts.text.runs import Language, languages, main_language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("有3个", Language.ZH),
        ("has 3 apples", Language.EN),
        ("买了iPhone 3", Language.ZH),  # a name is not a sentence
        ("iPhone 3 Pro Max很贵。", Language.ZH),  # nor are several
        ("The book 三国 has 3 parts.", Language.EN),  # a Chinese name in an English sentence
        ("他说 he was born in 3 days", Language.EN),
        ("he said 他有3个", Language.ZH),
        ("3", Language.EN),
        ("3。", Language.ZH),
        ("￥3", Language.ZH),
    ],
)
def test_the_nearest_words_decide(text: str, expected: Language) -> None:
    """With a foreign name counting as part of the sentence around it."""
    place = text.index("3")
    assert languages(text).at(place, place + 1) is expected


def test_a_text_without_words_is_in_the_language_of_its_document() -> None:
    """A line such as `3.5%` stands in some book."""
    assert languages("3.5%", Language.ZH).at(0, 1) is Language.ZH
    assert languages("5 km", Language.ZH).at(0, 1) is Language.ZH
    assert languages("he had 5 of them", Language.ZH).at(7, 8) is Language.EN


def test_the_language_of_a_document_is_that_of_most_of_its_words() -> None:
    """A Han character weighs as much as a Latin word."""
    assert main_language(["他打开 laptop，喝 coffee。"]) is Language.ZH
    assert main_language(["The word 春天 means spring."]) is Language.EN
    assert main_language([]) is Language.EN
