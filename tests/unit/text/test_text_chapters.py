"""Chapters are found by headings, or by lines that look like chapter titles; nothing of the text is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.model import Document
from batchtts.read.markdown import read_markdown
from batchtts.read.text import read_text
from batchtts.text.chapters import Book, chapter_line, find_chapters

TITLES = [
    "第一章", "第一章 春天", "第12回 大闹天宫", "第十二回　林冲", "第１章：开始", "第〇章", "第一百二十三章 终局",
    "第3节 雨", "第二卷 北方", "第一章春天", "第一章（上）", "第五章 他来了！", "序章", "楔子", "尾声",
    "番外：三年后", "后记", "前言", "終章 歸來", "Chapter 3", "CHAPTER IV", "Chapter 3: The Door",
    "Chapter Twenty-One", "Part Two", "Book 1. Home", "Prologue", "Epilogue", "Appendix A",
]  # fmt: skip
PROSE = [
    "第一章程序开始运行，然后停了。", "第一章讲的是他小时候的事情，那时候他还住在乡下。",
    "第三节课下课了，大家都走了。", "序言里说过的话，他早就忘了。", "尾声渐渐远去。",
    "Chapter 3 was the longest of them all, and he read it twice before he slept.", "Part of the house burned.",
    "Introduction of the guests took an hour.", "I read chapter 3.", "一", "", "第二天", "第一次见面",
    "Prologues are short.",
]  # fmt: skip


@pytest.mark.parametrize("line", TITLES)
def test_a_title_line_is_known(line: str) -> None:
    """In Chinese and English, with the usual numerals and separators."""
    assert chapter_line(line) in (2, 3)
    assert chapter_line(f"  {line} ") in (2, 3)


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_not_taken_for_a_title(line: str) -> None:
    """Even when it begins like one."""
    assert chapter_line(line) == 0


def markdown(source: str) -> Book:
    found = read_markdown(source)
    return find_chapters(Document("a book.md", "", source, found.blocks, found.drops, found.metadata))


def text(source: str) -> Book:
    found = read_text(source)
    return find_chapters(Document("三体.txt", "", source, found.blocks, found.drops))


def shape(book: Book) -> list[tuple[str, list[str]]]:
    return [(chapter.title, [block.text for block in chapter.blocks]) for chapter in book.chapters]


def test_headings_of_the_first_level_are_chapters() -> None:
    """What stands under a deeper one belongs to its chapter."""
    assert shape(markdown("# One\n\na\n\n## Deeper\n\nb\n\n# Two\n\nc")) == [
        ("One", ["One", "a", "Deeper", "b"]),
        ("Two", ["Two", "c"]),
    ]


def test_a_lone_first_heading_is_the_title_of_the_book() -> None:
    """It is read at the head of the first chapter."""
    book = markdown("# The Book\n\n## One\n\na\n\n## Two\n\nb")
    assert book.title == "The Book"
    assert shape(book) == [("One", ["The Book", "One", "a"]), ("Two", ["Two", "b"])]


def test_text_before_the_first_chapter_opens_it_or_is_its_own() -> None:
    """A few lines are no chapter; pages are."""
    assert shape(markdown("# The Book\n\nby me\n\n## One\n\na\n\n## Two\n\nb"))[0] == (
        "One",
        ["The Book", "by me", "One", "a"],
    )
    long = "word " * 100
    assert [title for title, _ in shape(markdown(f"# The Book\n\n{long}\n\n## One\n\na\n\n## Two\n\nb"))] == [
        "The Book",
        "One",
        "Two",
    ]


def test_chapter_lines_of_a_plain_text_are_chapters() -> None:
    """The file's name is the book's title."""
    book = text("第一章 春\n一。\n第二章 夏\n二。\n尾声\n三。")
    assert book.title == "三体"
    assert shape(book) == [
        ("第一章 春", ["第一章 春", "一。"]),
        ("第二章 夏", ["第二章 夏", "二。"]),
        ("尾声", ["尾声", "三。"]),
    ]


def test_sections_stay_within_their_chapter() -> None:
    """节 under 章; alone they are chapters."""
    assert [title for title, _ in shape(text("第一章\n第一节\n一。\n第二节\n二。\n第二章\n三。"))] == [
        "第一章",
        "第二章",
    ]
    assert [title for title, _ in shape(text("第一节\n一。\n第二节\n二。"))] == ["第一节", "第二节"]


def test_a_part_without_text_of_its_own_opens_the_chapter_after_it() -> None:
    """No empty chapter file."""
    assert shape(text("第一卷 北方\n第一章 雪\n一。\n第二章 风\n二。")) == [
        ("第一章 雪", ["第一卷 北方", "第一章 雪", "一。"]),
        ("第二章 风", ["第二章 风", "二。"]),
    ]


def test_chapter_lines_count_in_markdown_without_headings() -> None:
    """A lone heading is the title; a document with headings goes by them."""
    assert [title for title, _ in shape(markdown("# 书\n\n第一章 春\n\n一。\n\n第二章 夏\n\n二。"))] == [
        "第一章 春",
        "第二章 夏",
    ]
    assert [title for title, _ in shape(markdown("# A\n\n第一章\n\n# B\n\nb"))] == ["A", "B"]


def test_a_table_of_contents_is_left_out_and_listed() -> None:
    """Chapter lines in a row that come again later."""
    book = text("目录\n第一章 春……1\n第二章 夏……9\n第三章 秋……20\n\n第一章 春\n一。\n第二章 夏\n二。\n第三章 秋\n三。")
    assert [title for title, _ in shape(book)] == ["第一章 春", "第二章 夏", "第三章 秋"]
    assert [drop.reason for drop in book.drops] == ["table of contents"] * 3


def test_a_text_without_chapters_is_one() -> None:
    """Named after the book."""
    assert shape(text("一。\n二。")) == [("三体", ["一。", "二。"])]
    assert shape(markdown("---\ntitle: Named\n---\n\na")) == [("Named", ["a"])]


@given(st.lists(st.sampled_from(["# A", "## B", "### C", "text", "第一章 春", "Chapter 2", "第一节", "***", "- item"])))
def test_no_block_is_lost(parts: list[str]) -> None:
    """Chapters hold every block once, in order, and count from 1."""
    source = "\n\n".join(parts)
    found = read_markdown(source)
    book = find_chapters(Document("a.md", "", source, found.blocks))
    kept = [block.text for chapter in book.chapters for block in chapter.blocks]
    dropped = [source[drop.span.start : drop.span.end] for drop in book.drops]
    assert len(kept) + len(dropped) == len(found.blocks)
    assert [text for text in (block.text for block in found.blocks) if text not in dropped] == [
        text for text in kept if text not in dropped
    ]
    assert [chapter.index for chapter in book.chapters] == list(range(1, len(book.chapters) + 1))
