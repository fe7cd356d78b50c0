"""A document becomes a plan in which every character is spoken or listed with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtts.errors import InputRejected
from batchtts.model import Boundary, Document, Limits, Plan, replay
from batchtts.read.markdown import read_markdown
from batchtts.settings import TextSettings
from batchtts.text.plan import plan

LIMITS = Limits(goal=12, longest=40, budget=400, rows=8)


def planned(source: str, limits: Limits = LIMITS, fingerprint: str = "f", voice: str = "v") -> Plan:
    found = read_markdown(source)
    document = Document("a.md", "hash", source, found.blocks, found.drops, found.metadata)
    return plan(document, len, limits, fingerprint, voice, TextSettings())


def test_boundaries_say_what_ends() -> None:
    """A title, a sentence, a clause of one that was cut, a paragraph, a section, a chapter."""
    source = (
        "# One\n\nThe first sentence. And the second, which is far too long for one breath, goes on.\n\n"
        "Next paragraph.\n\n***\n\nAfter the mark.\n\n# Two\n\nThe end of it."
    )
    assert [(cue.sentence.text.strip(), cue.sentence.boundary.value) for cue in planned(source).cues] == [
        ("One", "section"),
        ("The first sentence.", "sentence"),
        ("And the second,", "clause"),
        ("which is far too long for one breath,", "clause"),
        ("goes on.", "paragraph"),
        ("Next paragraph.", "section"),
        ("After the mark.", "chapter"),
        ("Two", "section"),
        ("The end of it.", "chapter"),
    ]


def test_a_repeated_line_is_one_utterance() -> None:
    """Its place is in the cue, its content in the utterance."""
    made = planned("Amen to all.\n\nSomething else here.\n\nAmen to all.")
    assert len(made.cues) == 3
    assert len(made.utterances) == 2
    assert made.cues[0].key == made.cues[2].key


def test_keys_depend_on_engine_voice_and_text_alone() -> None:
    """An inserted line shifts none."""
    before = planned("The first line.\n\nThe last line.")
    after = planned("The first line.\n\nAn inserted line.\n\nThe last line.")
    assert {u.key for u in before.utterances} < {u.key for u in after.utterances}
    assert not {u.key for u in before.utterances} & {u.key for u in planned("The first line.", voice="w").utterances}
    assert not {u.key for u in before.utterances} & {
        u.key for u in planned("The first line.", fingerprint="g").utterances
    }


def test_what_cannot_be_said_goes_with_the_sentence_before_or_is_listed() -> None:
    """A row of dots is no sentence."""
    made = planned("Go on then. ……\n\n……\n\nGone.")
    assert [cue.sentence.text for cue in made.cues] == ["Go on then. ……", "Gone."]
    assert "nothing to say" in [drop.reason for drop in made.drops]


@pytest.mark.parametrize("source", ["……！！", "***", "```\ncode\n```", "![only](picture.png)"])
def test_a_document_in_which_nothing_can_be_said_is_refused(source: str) -> None:
    """Rather than a book of silence."""
    with pytest.raises(InputRejected, match=r"a\.md"):
        planned(source)


FRAGMENTS = [
    "# ", "\n\n", "- ", "> ", "***\n\n", "中文句子。", "一个很长的没有标点的中文句子在这里一直写下去不停",
    "A sentence here. ", "word ", "2024年3月5日", "$12.50", "3/4", "，", "……", "😀", "[x]", "`code`",
    "第一章 春\n\n", "x" * 60,
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25), st.integers(1, 60))
def test_every_character_is_spoken_or_listed(parts: list[str], goal: int) -> None:
    """Spans are in order; between them lies white space or a listed drop; edits replay; limits hold."""
    source = "".join(parts)
    try:
        made = planned(source, Limits(goal=goal, longest=70, budget=400, rows=8))
    except InputRejected:
        return
    marks = [" "] * len(source)
    for drop in made.drops:
        for place in range(drop.span.start, drop.span.end):
            marks[place] = "d"
    at = 0
    for number, cue in enumerate(made.cues, 1):
        sentence = cue.sentence
        assert sentence.id == number
        assert sentence.span.start >= at
        at = sentence.span.end
        for place in range(sentence.span.start, sentence.span.end):
            marks[place] = "s"
        assert replay(sentence.text, cue.spoken.edits) == cue.spoken.text
        assert cue.tokens <= 70
        assert any(char.isalnum() for char in cue.spoken.text)
    assert all(mark != " " or char.isspace() for mark, char in zip(marks, source, strict=True))
    chapters = [cue.sentence.chapter for cue in made.cues]
    assert chapters == sorted(chapters)
    assert set(chapters) == {chapter.index for chapter in made.chapters} == set(range(1, len(made.chapters) + 1))
    assert made.cues[-1].sentence.boundary is Boundary.CHAPTER
