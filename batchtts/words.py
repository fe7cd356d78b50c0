"""Chinese words, by jieba: where a long sentence may be cut, and how a voice groups its syllables."""

from __future__ import annotations

import logging
import tempfile
from functools import cache
from typing import Any

from batchtts.settings import cache_folder


def words(text: str) -> list[str]:
    """The words of a Chinese text; put together they are the text. Loading the dictionary takes about a second.

    >>> words("我们在北京大学看书")
    ['我们', '在', '北京大学', '看书']
    """
    return [str(word) for word in _tokenizer().cut(text)]


@cache
def _tokenizer() -> Any:
    """jieba, silent, with its cache where no other user can write (it is unmarshalled)."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer.tmp_dir = str(folder)
    except OSError:
        tokenizer.tmp_dir = tempfile.mkdtemp()  # a read-only home: the table is built anew each time
    return tokenizer
