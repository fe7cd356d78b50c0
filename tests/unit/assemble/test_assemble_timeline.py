from itertools import zip_longest

from hypothesis import given
from hypothesis import strategies as st

from batchtts.assemble.timeline import Extent, timeline
from batchtts.model import Boundary, Cue, Sentence, Span, Spoken

RATE = 24000


def cue(key: str, pause: float = 0.5) -> Cue:
    return Cue(Sentence(1, 1, key, Span(0, 1), Boundary.SENTENCE), Spoken(key), key, 3, pause)


CUES = st.lists(st.builds(cue, st.sampled_from("abcdef"), st.floats(0, 3)), max_size=30)
EXTENTS = st.dictionaries(
    st.sampled_from("abcde"),
    st.builds(Extent, st.integers(0, 10**7), head=st.integers(0, 10**5), tail=st.integers(0, 10**5)),
)


@given(CUES, EXTENTS)
def test_a_chapter_is_the_sum_of_its_parts(cues: list[Cue], extents: dict[str, Extent]) -> None:
    """Each cue begins at the sample where the one before it and its pause end, in order, with its clip's own length."""
    placements = timeline(cues, extents, RATE)
    assert [placement.cue for placement in placements] == cues
    at = 0
    for placement in placements:
        assert placement.start == at
        assert placement.length == (extents[placement.cue.key].length if placement.cue.key in extents else 0)
        at += placement.length + placement.pause
    assert at == sum(placement.length for placement in placements) + sum(placement.pause for placement in placements)


@given(CUES, EXTENTS)
def test_what_is_heard_between_two_sounds_is_the_pause_asked_for(cues: list[Cue], extents: dict[str, Extent]) -> None:
    """Added silence plus the near-silence at both sides is the cue's pause; more only where none was added."""
    placements = timeline(cues, extents, RATE)
    for here, after in zip_longest(placements, placements[1:]):
        carried = extents.get(here.cue.key, Extent(0)).tail
        carried += extents.get(after.cue.key, Extent(0)).head if after else 0
        asked = round(here.cue.pause * RATE)
        assert here.pause == (asked - carried if asked > carried else 0)


def test_a_failed_sentence_leaves_its_pause_only() -> None:
    """A cue without a clip has length 0, and the sentences around it keep their own lengths and pauses."""
    placements = timeline([cue("a"), cue("failed"), cue("b")], {"a": Extent(100), "b": Extent(200)}, RATE)
    assert [(p.start, p.length, p.pause) for p in placements] == [
        (0, 100, 12000),
        (12100, 0, 12000),
        (24100, 200, 12000),
    ]


def test_a_repeated_line_is_heard_at_each_of_its_places() -> None:
    """Cues that share a clip are placed one by one."""
    placements = timeline([cue("a"), cue("a", 0.0)], {"a": Extent(100)}, RATE)
    assert [(p.start, p.length) for p in placements] == [(0, 100), (12100, 100)]


def test_an_empty_chapter_has_no_placements() -> None:
    """No cues, nothing to place."""
    assert timeline([], {}, RATE) == []
