"""The tokenizer of random checkpoints: built here from Unicode ranges, in the shape of the published one.

Word pieces over single CJK characters and short Latin pieces, 21178 entries, ChatTTS's control tokens at the end under
their published ids. Like the published file it carries truncation and padding to 256, so that a reader which forgets to
switch them off fails its tests.
"""

from __future__ import annotations

import itertools
import json
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = 21128
"""Entries before the control tokens; `[unused]` fills what the ranges leave."""

BERT_TOKENS = {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]"}

CONTROL_TOKENS = (
    *("[Sasr]", "[Pasr]", "[Easr]", "[Stts]", "[Ptts]", "[Etts]", "[Sbreak]", "[Pbreak]", "[Ebreak]"),
    *("[uv_break]", "[v_break]", "[lbreak]", "[llbreak]", "[undefine]", "[laugh]"),
    *("[spk_emb]", "[empty_spk]", "[music]", "[pure]"),
    *(f"[break_{n}]" for n in range(8)),
    *(f"[laugh_{n}]" for n in range(3)),
    *(f"[oral_{n}]" for n in range(10)),
    *(f"[speed_{n}]" for n in range(10)),
)
"""In the order of their ids, which begin at `WORDS`."""


def write_tokenizer(folder: Path) -> None:
    """Write `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    names = BERT_TOKENS | {WORDS + n: token for n, token in enumerate(CONTROL_TOKENS)}
    special = {token: {"content": token, **_PLAIN} for token in names.values()}
    roles = {f"{role}_token": f"[{role.upper()}]" for role in ("pad", "unk", "cls", "sep", "mask")}
    controls = [special[token] for token in CONTROL_TOKENS]
    config = {
        "added_tokens_decoder": {str(n): {**special[token], "special": True} for n, token in names.items()},
        "additional_special_tokens": list(CONTROL_TOKENS),
        "do_lower_case": True,
        "strip_accents": None,
        "tokenize_chinese_chars": True,
        "tokenizer_class": "BertTokenizer",
        **roles,
    }
    special_map = {
        "additional_special_tokens": controls,
        **{role: special[token] for role, token in roles.items()},
    }
    for name, content in (
        ("tokenizer.json", _tokenizer(names)),
        ("tokenizer_config.json", config),
        ("special_tokens_map.json", special_map),
    ):
        (folder / name).write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


_PLAIN = {"lstrip": False, "normalized": False, "rstrip": False, "single_word": False}


def _tokenizer(names: dict[int, str]) -> dict[str, Any]:
    template = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 256, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 256},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [
            {"id": number, "content": token, **_PLAIN, "special": True} for number, token in sorted(names.items())
        ],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": template,
            "pair": [*template, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                token: {"id": token, "ids": [number], "tokens": [token]}
                for number, token in BERT_TOKENS.items()
                if token in ("[CLS]", "[SEP]")
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary(),
        },
    }


def vocabulary() -> dict[str, int]:
    """Piece to id, `WORDS` of them: the BERT tokens at their places, the pieces in order, `[unused]` at the end."""
    free = (number for number in range(WORDS) if number not in BERT_TOKENS)
    words = dict(zip(itertools.chain(_pieces(), _unused()), free, strict=False))
    return words | {token: number for number, token in BERT_TOKENS.items()}


def _unused() -> Iterator[str]:
    return (f"[unused{n}]" for n in itertools.count(1))


def _pieces() -> Iterator[str]:
    """Every piece once: ASCII, short Latin pieces, punctuation, kana, then CJK with the common characters first."""
    letters = string.ascii_lowercase
    pairs = ["".join(pair) for pair in itertools.product(letters, repeat=2)]
    latin = [*letters, *string.digits, *pairs]
    ranges = ((0x2010, 0x2027), (0x3001, 0x3011), (0x3041, 0x3096), (0x30A1, 0x30FC), (0xFF01, 0xFF5E))
    common = (bytes((row, cell)).decode("gb2312", "ignore") for row in range(0xB0, 0xF8) for cell in range(0xA1, 0xFF))
    pieces = itertools.chain(
        string.punctuation,
        latin,
        ("##" + piece for piece in latin),
        (chr(code) for low, high in ranges for code in range(low, high + 1)),
        (char for char in common if char),
        (chr(code) for code in range(0x4E00, 0x9FA6)),
    )
    return iter(dict.fromkeys(pieces))
