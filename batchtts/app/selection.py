"""Which sentences a person means."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from batchtts.errors import UsageError
from batchtts.ledger.ledger import Ledger


def select(folder: Path, sentences: Iterable[int], chapters: Iterable[int], flagged: bool) -> set[int]:
    """Sentence numbers of a job. Raises UsageError for a sentence or chapter that it does not have."""
    ledger = Ledger.open(folder)
    try:
        chosen: set[int] = set()
        by_chapter = {row.index: set(ledger.sentences_of(row.index)) for row in ledger.chapters()}
        everything = set().union(*by_chapter.values())
        for number in sentences:
            if number not in everything:
                raise UsageError(f"{folder} has no sentence {number}; they run from 1 to {max(everything, default=0)}")
            chosen.add(number)
        for number in chapters:
            if number not in by_chapter:
                raise UsageError(f"{folder} has no chapter {number}; they run from 1 to {max(by_chapter, default=0)}")
            chosen |= by_chapter[number]
        if flagged:
            chosen |= {problem.sentence for problem in ledger.problems()}
        return chosen
    finally:
        ledger.close()
