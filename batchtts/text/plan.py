"""A document becomes a plan: chapters, sentences, their spoken form, and the utterances that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from batchtts.errors import InputRejected
from batchtts.model import (
    Block,
    BlockKind,
    Boundary,
    Chapter,
    Cue,
    Document,
    Drop,
    Limits,
    Plan,
    Sentence,
    Utterance,
    utterance_key,
)
from batchtts.settings import TextSettings
from batchtts.text.chapters import find_chapters
from batchtts.text.fit import Count, Line, fit, merge
from batchtts.text.normalise import speak
from batchtts.text.runs import Language, main_language
from batchtts.text.sentences import sentences


def plan(
    document: Document, count: Count, limits: Limits, fingerprint: str, voice: str, settings: TextSettings
) -> Plan:
    """Compile a document for an engine: `count` gives prompt tokens, `fingerprint` goes into the utterances' keys.

    Raises InputRejected when nothing in the document can be spoken.
    """
    book = find_chapters(document)
    language = main_language(block.text for block in document.blocks)
    drops = [*document.drops, *book.drops]
    cues: list[Cue] = []
    utterances: dict[str, Utterance] = {}
    chapters: list[Chapter] = []
    for chapter in book.chapters:
        index = len(chapters) + 1
        for block, line, boundary in _bounded(_chapter_lines(chapter, language, count, limits, drops)):
            spoken = line.spoken
            span = block.source_span(line.span.start, line.span.end)
            sentence = Sentence(len(cues) + 1, index, line.text, span, boundary)
            key = utterance_key(fingerprint, voice, spoken.text)
            cues.append(Cue(sentence, spoken, key, line.tokens, settings.pauses[boundary]))
            utterances.setdefault(key, Utterance(key, spoken.text, voice, line.tokens))
        if cues and cues[-1].sentence.chapter == index:
            chapters.append(replace(chapter, index=index))
    if not cues:
        raise InputRejected(f"{document.name} holds nothing that can be spoken; give a file with text in it")
    return Plan(
        title=book.title,
        source_name=document.name,
        source_hash=document.hash,
        chapters=tuple(chapters),
        cues=tuple(cues),
        utterances=tuple(utterances.values()),
        drops=tuple(sorted(drops, key=lambda drop: drop.span.start)),
        metadata=document.metadata,
    )


def _chapter_lines(
    chapter: Chapter, language: Language, count: Count, limits: Limits, drops: list[Drop]
) -> Iterator[tuple[Block, list[Line]]]:
    """Blocks with their lines; a block without any (a section mark) ends the section before it."""
    for block in chapter.blocks:
        yield block, list(fit(_spoken_lines(block, language, count, drops), block.text, count, limits))


def _spoken_lines(block: Block, language: Language, count: Count, drops: list[Drop]) -> Iterator[Line]:
    """Sentences of a block. One in which nothing can be said (`……`, `***`) goes with the one before, or is dropped."""
    held: Line | None = None
    for span in sentences(block.text):
        text = block.text[span.start : span.end]
        spoken = speak(text, language)
        line = Line(span, text, spoken.edits, count(spoken.text))
        if any(char.isalnum() for char in spoken.text):
            if held:
                yield held
            held = line
        elif held:
            held = merge(held, line, block.text, count)
        else:
            drops.append(Drop(block.source_span(span.start, span.end), "nothing to say"))
    if held:
        yield held


def _bounded(blocks: Iterable[tuple[Block, list[Line]]]) -> Iterator[tuple[Block, Line, Boundary]]:
    """Each line of a chapter with how it ends, which the line after it decides."""
    held: tuple[Block, Line, Boundary] | None = None
    for block, lines in blocks:
        if held and (not lines or block.kind is BlockKind.HEADING):
            held = (held[0], held[1], Boundary.SECTION)
        for number, line in enumerate(lines):
            if held:
                yield held
            held = (block, line, _ending(block, line, number == len(lines) - 1))
    if held:
        yield held[0], held[1], Boundary.CHAPTER


def _ending(block: Block, line: Line, last: bool) -> Boundary:
    if not line.closed:
        return Boundary.CLAUSE
    if not last:
        return Boundary.SENTENCE
    return Boundary.SECTION if block.kind is BlockKind.HEADING else Boundary.PARAGRAPH
