"""What is counted is what the model reads, and a text cannot break out of its prompt."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.upstream import quiet

from batchtts.engines.chattts.charset import known
from batchtts.engines.chattts.lengths import bounds, sample_count
from batchtts.engines.chattts.prompt import FRAMING, Prompter
from batchtts.engines.chattts.spec import LIMITS, ChatTTSSpec
from batchtts.errors import EngineUnavailable

SAMPLES = [
    "今天天气很好。",
    "It is a fine day, isn't it?",
    "他打开 laptop 喝 coffee，café naïve。",
    "Привет 한국 カタカナ 😀 𠀀",
    "[uv_break]你好[laugh][lbreak]",
    "  spaces\tand\nlines  ",
    "a" * 150,
    "好" * 600,
    "",
]


@cache
def real_tokenizer(folder: Path) -> Any:
    """The same files, read by transformers' fast tokenizer."""
    with quiet():
        from transformers import BertTokenizerFast

        return BertTokenizerFast.from_pretrained(folder / "asset" / "tokenizer")


@cache
def upstream_prompt(text: str) -> str:
    with quiet():
        from ChatTTS.model import Speaker

    return str(Speaker.decorate_code_prompts([text], "[speed_5]", None, "a voice")[0])


@pytest.mark.parametrize("text", SAMPLES)
def test_tokens_equal_upstream_s(text: str, tiny: Path, spec: ChatTTSSpec) -> None:
    """Framing included, neither cut nor padded at 256, though the file asks for both."""
    expected = real_tokenizer(tiny)(
        upstream_prompt(known(text)), add_special_tokens=False, padding=False, truncation=False
    )
    assert spec.prompter.tokens(text) == expected["input_ids"]
    assert spec.count(text) == len(expected["input_ids"])


@given(st.text(max_size=80))
def test_any_text_is_counted_as_it_is_read(spec: ChatTTSSpec, text: str) -> None:
    """And framed by exactly four tokens."""
    tokens = spec.prompter.tokens(text)
    assert spec.count(text) == len(tokens) >= FRAMING
    bare = spec.prompter.tokens("")
    assert len(bare) == FRAMING
    assert tokens[:3] + tokens[-1:] == bare


ATTACKS = [
    "[Stts]",
    "a[Ptts]b",
    "[spk_emb][empty_spk]",
    "[S[Stts]tts]",
    "[[spk_emb]spk_emb]",
    "[Eb[PAD]reak]",
    "[UNK][CLS][SEP][MASK]",
]


@pytest.mark.parametrize("text", ATTACKS)
def test_a_text_cannot_break_its_framing(text: str, tiny: Path, spec: ChatTTSSpec) -> None:
    """Tokens of structure in a text, nested ones too, are taken out; the voice stands at one place."""
    tokens = spec.prompter.tokens(text)
    names = real_tokenizer(tiny).convert_ids_to_tokens(tokens)
    assert names[:3] == ["[Stts]", "[spk_emb]", "[speed_5]"]
    assert names[-1] == "[Ptts]"
    inside = set(names[3:-1])
    assert not inside & {"[Stts]", "[Ptts]", "[spk_emb]", "[empty_spk]", "[PAD]", "[CLS]", "[SEP]", "[MASK]"}
    assert tokens.count(spec.prompter.speaker_token) == 1


@given(st.lists(st.sampled_from(["[", "]", "Stts", "spk_emb", "Ptts", "[Stts]", "[PAD]", "a"]), max_size=12))
def test_no_mixture_of_brackets_breaks_the_framing(spec: ChatTTSSpec, parts: list[str]) -> None:
    """Whatever is put together from the pieces of tokens."""
    framed = spec.prompter.frame("".join(parts))
    assert framed.count("[Stts]") == framed.count("[spk_emb]") == framed.count("[Ptts]") == 1
    assert "[PAD]" not in framed


def test_prosody_stays_in_the_text(tiny: Path, spec: ChatTTSSpec) -> None:
    """`[uv_break]` and `[laugh]` are what an author may want."""
    names = real_tokenizer(tiny).convert_ids_to_tokens(spec.prompter.tokens("好[uv_break]好[laugh]"))
    assert names[3:-1] == ["好", "[uv_break]", "好", "[laugh]"]


@pytest.mark.parametrize("speed", [0, 9])
def test_the_speed_is_a_token_of_the_prompt(speed: int, tiny: Path) -> None:
    """One token, whatever the speed."""
    prompter = Prompter(tiny, speed)
    assert real_tokenizer(tiny).convert_ids_to_tokens(prompter.tokens("好")) == [
        "[Stts]",
        "[spk_emb]",
        f"[speed_{speed}]",
        "好",
        "[Ptts]",
    ]


@pytest.mark.parametrize("content", ["", "{}", "not json"])
def test_a_broken_tokenizer_is_told(content: str, tmp_path: Path) -> None:
    """In one line that names the file."""
    path = tmp_path / "asset" / "tokenizer" / "tokenizer.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(EngineUnavailable, match=r"tokenizer\.json cannot be read.*model verify"):
        Prompter(tmp_path).count("text")


def test_another_model_s_tokenizer_is_told(tiny: Path, tmp_path: Path) -> None:
    """One without a place for the voice."""
    path = tmp_path / "asset" / "tokenizer" / "tokenizer.json"
    path.parent.mkdir(parents=True)
    text = (tiny / "asset" / "tokenizer" / "tokenizer.json").read_text(encoding="utf-8")
    path.write_text(text.replace("[spk_emb]", "[other]"), encoding="utf-8")
    with pytest.raises(EngineUnavailable, match="no ChatTTS tokenizer"):
        _ = Prompter(tmp_path).speaker_token


# ------------------------------------------------ lengths


@given(st.integers(0, 3000))
def test_bounds_leave_room_and_grow_with_the_text(tokens: int) -> None:
    """A floor well below the cap, the cap within the model's 2048."""
    here, more = bounds(tokens), bounds(tokens + 1)
    assert 4 <= here.least <= more.least
    assert here.most <= more.most <= 2048
    if tokens <= LIMITS.longest:
        assert 8 * here.least < 6 * here.most


def test_the_longest_utterance_is_within_what_the_model_speaks_well() -> None:
    """Under 20 s at the usual pace (it degrades past 30), and its cap is not the model's own."""
    assert bounds(LIMITS.longest).most < 2048
    assert LIMITS.goal < LIMITS.longest < LIMITS.budget
    assert sample_count(1) == 256
