import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batchtts.assemble.names import chapter_file_names

ANYTHING = st.text(st.characters(exclude_categories=()))
NASTY = st.text(
    st.sampled_from('/\\:*?"<>|. \0\n\u202e\u200b\ud800⁄／é\u0301\u0300ﬁ第א👍🏽\U0001f468\u200d👩\ufe0fCON')
)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("第一章 春", "001 第一章 春.wav"),
        ("第一章　春", "001 第一章 春.wav"),
        ("Chapter 3: AC/DC", "001 Chapter 3 AC DC.wav"),
        ("Глава первая", "001 Глава первая.wav"),
        ("الفصل الأول", "001 الفصل الأول.wav"),
        ("../../etc/passwd", "001 .. .. etc passwd.wav"),
        ("a\u202egnp.exe", "001 agnp.exe.wav"),
        ("line\r\nbreak\ttab", "001 line break tab.wav"),
        ("The end...  ", "001 The end.wav"),
        ("cafe\u0301", "001 café.wav"),
        ("e\u200d\u0301", "001 é.wav"),
        ("CON", "001 CON.wav"),
        ("\ud83d", "001.wav"),
        ("???", "001.wav"),
        ("", "001.wav"),
    ],
)
def test_a_title_stays_readable(title: str, name: str) -> None:
    """Letters of any script stay; separators become spaces; what cannot be seen or kept goes."""
    assert chapter_file_names([title]) == [name]


@given(st.lists(ANYTHING | NASTY, max_size=8))
@example(["", "", "."])
@example(["e" + "\u0301" * 500])
@example(["\u0301" * 500, "𝒳" * 300])
def test_names_are_safe_on_every_file_system(titles: list[str]) -> None:
    """No separator, control, format or lone surrogate character, no odd end, at most 200 bytes, whatever the titles."""
    names = chapter_file_names(titles)
    assert len(names) == len(titles)
    for name in names:
        assert len(name.encode()) <= 200
        assert not set(name) & set('<>:"/\\|?*⁄∕／＼')
        assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in name)
        stem = name.removesuffix(".wav")
        assert stem != name
        assert stem == stem.rstrip(". ")
        assert stem.split(".")[0].upper() not in ("CON", "NUL", "AUX", "PRN", "COM1", "LPT1")


@given(st.lists(ANYTHING | NASTY, max_size=8))
def test_names_are_unique_in_any_case_and_normal_form(titles: list[str]) -> None:
    """File systems that ignore case or normalise names keep every chapter apart, and names are already in NFC."""
    names = chapter_file_names(titles)
    assert all(unicodedata.is_normalized("NFC", name) for name in names)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert len({unicodedata.normalize(form, name).casefold() for name in names}) == len(names)


def test_names_sort_in_reading_order() -> None:
    """Numbers have as many digits as the last one needs."""
    names = chapter_file_names([f"Chapter {number}" for number in range(1, 1203)])
    assert names == sorted(names)
    assert (names[0], names[-1]) == ("0001 Chapter 1.wav", "1202 Chapter 1202.wav")


@pytest.mark.parametrize("unit", ["क्षि", "e\u0323\u0302x", "👍🏽"])
def test_a_long_title_is_cut_between_letters(unit: str) -> None:
    """A name that is too long loses whole letters: no mark or skin tone is parted from what carries it."""
    (name,) = chapter_file_names([unit * 100])
    letters = unicodedata.normalize("NFC", unit)
    kept = name.removeprefix("001 ").removesuffix(".wav")
    rest = (letters * 100)[len(kept) :]
    assert (letters * 100).startswith(kept)
    assert not unicodedata.category(rest[0]).startswith("M")
    assert rest[0] != "🏽"
    assert len(name.encode()) > 200 - 2 * len(unit.encode())
