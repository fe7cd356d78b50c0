"""Blocks become chapters: by Markdown headings, or by lines such as 第一章 …, 第12回, Chapter 3, 序章, 尾声."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from batchtts.model import Block, BlockKind, Chapter, Document, Drop, Span

LONGEST_TITLE = 60
"""Characters of a line that may still be a chapter's title."""
SHORT_FRONT = 200
"""Characters before the first chapter up to which they open it; more of them are a chapter of their own."""

_NUMERAL = r"[0-9０-９零〇一二三四五六七八九十百千万两壹贰叁肆伍陆柒捌玖拾佰]{1,9}"
_NUMBERED = re.compile(rf"第\s?{_NUMERAL}\s?(?P<unit>[章回节節卷部集篇幕])(?P<rest>.*)")
_NAMED = re.compile(
    r"(?:楔子|序[章言幕曲]?|自序|代序|前言|引[子言]|番外|后记|後記|尾声|尾聲|终章|終章|附录|附錄)(?P<rest>.*)"
)
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_WORDS = rf"one|two|three|four|five|six|seven|eight|nine|{_TEENS}|(?:twenty|thirty|forty|fifty)(?:[- ][a-z]+)?"
_ENGLISH = re.compile(
    rf"(?:(?:chapter|part|book|act)\s+(?:\d{{1,4}}|[ivxlc]{{1,8}}|{_WORDS})"
    r"|prologue|epilogue|preface|foreword|afterword|introduction|appendix(?:\s+[a-z\d])?)(?P<rest>.*)",
    re.I,
)
_SEPARATED = re.compile(r"[\s　:：、.．·—–-].*|（.*）|\(.*\)")
"""What may follow a chapter's number: nothing, a separator and a title, or a part in brackets (上)."""
_PROSE = re.compile(r"[。，；,;]|[！？!?.…]$")


@dataclass(frozen=True, slots=True)
class Book:
    """A document cut into chapters."""

    title: str
    chapters: tuple[Chapter, ...]
    drops: tuple[Drop, ...]
    """Lines of a table of contents, which are not read out."""


def find_chapters(document: Document) -> Book:
    """Cut a document into chapters. One with neither headings nor chapter lines is one chapter.

    The book's title is the metadata's, else that of a lone first heading of level 1, else the file's name.
    """
    blocks, drops = _with_chapter_lines(document.blocks)
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    lone = _lone_title(headings)
    title = document.metadata.get("title") or (lone.text.strip() if lone else _stem(document.name))
    level = min((block.level for block in headings if block is not lone), default=0)
    groups = _merge_empty(list(_split(blocks, level, lone)))
    groups = _with_front(groups, level)
    chapters = tuple(
        Chapter(index, _title_of(group, level, lone) or title, tuple(group)) for index, group in enumerate(groups, 1)
    )
    return Book(title, chapters, drops)


def chapter_line(text: str) -> int:
    """Heading level of a line that looks like a chapter's title; 0 for anything else.

    >>> chapter_line("第一章 春天"), chapter_line("第三节 雨"), chapter_line("第一章程序开始运行，然后停了。")
    (2, 3, 0)
    """
    text = text.strip()
    if len(text) > LONGEST_TITLE or "\n" in text:
        return 0
    if match := _ENGLISH.fullmatch(text):
        return 2 if _ends_title(match["rest"]) else 0
    if match := _NUMBERED.fullmatch(text):
        tight = len(match["rest"]) <= 16 and not _PROSE.search(match["rest"])
        return (3 if match["unit"] in "节節" else 2) if tight or _ends_title(match["rest"]) else 0
    if match := _NAMED.fullmatch(text):
        return 2 if _ends_title(match["rest"]) else 0
    return 0


def _ends_title(rest: str) -> bool:
    """Whether what follows a chapter's number may end a title line."""
    return not rest.strip() or bool(_SEPARATED.fullmatch(rest) and not re.search(r"[。；;]|[，,.]$", rest))


def _stem(name: str) -> str:
    return "Untitled" if name == "-" else Path(name).stem


def _with_chapter_lines(blocks: Sequence[Block]) -> tuple[list[Block], tuple[Drop, ...]]:
    """Blocks with chapter lines raised to headings, if the document has no headings of its own to go by."""
    if sum(block.kind is BlockKind.HEADING for block in blocks) > 1:
        return list(blocks), ()
    levels = [chapter_line(block.text) if block.kind is BlockKind.PARAGRAPH else 0 for block in blocks]
    contents = _contents(blocks, levels)
    drops = tuple(Drop(_whole(blocks[number]), "table of contents") for number in sorted(contents))
    if 2 not in levels:  # sections alone are chapters
        levels = [2 if level else 0 for level in levels]
    raised = [
        replace(block, kind=BlockKind.HEADING, level=level) if level else block
        for number, (block, level) in enumerate(zip(blocks, levels, strict=True))
        if number not in contents
    ]
    return raised, drops


def _contents(blocks: Sequence[Block], levels: Sequence[int]) -> set[int]:
    """Numbers of chapter lines that stand in a row of three or more and come again later: a table of contents."""
    names = [_plain(block.text) if level else "" for block, level in zip(blocks, levels, strict=True)]
    last = {name: number for number, name in enumerate(names) if name}
    found: set[int] = set()
    row: list[int] = []
    for number, name in enumerate([*names, ""]):
        if name and last[name] > number:
            row.append(number)
            continue
        if len(row) >= 3:
            found.update(row)
        row = []
    return found


def _plain(text: str) -> str:
    """A title without spaces, and without the page number that a table of contents adds."""
    return re.sub(r"[\s　.…·]+\d*$|\s", "", text).casefold()


def _whole(block: Block) -> Span:
    return block.source_span(0, len(block.text))


def _lone_title(headings: Sequence[Block]) -> Block | None:
    """The first heading, if it alone is of level 1: the title of the book, not of a chapter."""
    first = headings[0] if headings else None
    if first is None or first.level != 1 or any(heading.level == 1 for heading in headings[1:]):
        return None
    return first if len(headings) > 1 else None


def _split(blocks: Sequence[Block], level: int, lone: Block | None) -> Iterator[list[Block]]:
    """Groups of blocks; all but the first begin with a chapter's heading."""
    group: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.level <= level and block is not lone and group:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _merge_empty(groups: list[list[Block]]) -> list[list[Block]]:
    """A group of headings alone (a book's title, "Part One") opens the group that follows."""
    merged: list[list[Block]] = []
    held: list[Block] = []
    for group in groups:
        held += group
        if any(block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM) for block in group):
            merged.append(held)
            held = []
    if held:
        merged.append(held)
    return merged


def _with_front(groups: list[list[Block]], level: int) -> list[list[Block]]:
    """A few lines before the first chapter (title, author) open it."""
    if len(groups) < 2 or any(block.level == level for block in groups[0] if block.kind is BlockKind.HEADING):
        return groups
    front = sum(len(block.text) for block in groups[0])
    return [groups[0] + groups[1], *groups[2:]] if front <= SHORT_FRONT else groups


def _title_of(group: Sequence[Block], level: int, lone: Block | None) -> str:
    """The title of the last chapter heading in a group, on one line, without invisible characters; empty for none."""
    titles = [
        " ".join("".join(char for char in block.text if char.isprintable()).split())
        for block in group
        if block.kind is BlockKind.HEADING and block.level <= level and block is not lone
    ]
    return titles[-1] if titles else ""
