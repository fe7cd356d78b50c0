"""Properties of the nouns."""

from __future__ import annotations

import doctest

import pytest
from support.utterances import utterance

from batchtts import model
from batchtts.model import Block, BlockKind, Piece, Span, utterance_key


def test_docstring_examples_hold() -> None:
    """The examples in the module are true."""
    assert doctest.testmod(model).failed == 0


def test_a_key_depends_on_everything_that_shapes_the_sound() -> None:
    """Another engine, voice or text is another clip; shifting a border between fields is one too."""
    keys = {
        utterance_key("e", "v", "t"),
        utterance_key("f", "v", "t"),
        utterance_key("e", "w", "t"),
        utterance_key("e", "v", "u"),
        utterance_key("ev", "", "t"),
    }
    assert len(keys) == 5
    assert utterance_key("e", "v", "t") == utterance_key("e", "v", "t")


def test_each_take_has_its_own_seed() -> None:
    """A retry is a new draw; the same take is always the same draw."""
    assert utterance(1, take=1).seed != utterance(1, take=2).seed
    assert utterance(1).seed == utterance(1, tokens=99).seed
    assert 0 <= utterance(1).seed < 2**63


def test_text_ranges_map_back_to_the_source_across_pieces() -> None:
    """A range that spans removed markup covers it; a range with no source is an error."""
    block = Block(BlockKind.PARAGRAPH, "ab cd", (Piece(0, 2, 10), Piece(3, 2, 20)))
    assert block.source_span(0, 5) == Span(10, 22)
    assert block.source_span(1, 4) == Span(11, 21)
    with pytest.raises(ValueError, match="no source"):
        block.source_span(2, 3)
