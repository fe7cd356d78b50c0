"""One tiny model for the folder's tests: made once, loaded once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.chattts import make_tiny, tiny_spec

from batchtts.engines.chattts.spec import ChatTTSSpec

if TYPE_CHECKING:
    from batchtts.engines.chattts.engine import ChatTTSEngine


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder; tests that damage one copy it."""
    return make_tiny(tmp_path_factory.mktemp("chattts") / "tiny")


@pytest.fixture(scope="session")
def spec(tiny: Path) -> ChatTTSSpec:
    return tiny_spec(tiny)


@pytest.fixture(scope="session")
def engine(spec: ChatTTSSpec) -> Iterator[ChatTTSEngine]:
    """Whole; a test that changes something of it undoes that."""
    loaded = spec.load()
    yield loaded
    loaded.close()


@pytest.fixture(scope="session")
def chat(tiny: Path) -> Any:
    """Upstream's `Chat` over the same files."""
    from support.upstream import load_chat

    from batchtts.engines.chattts.random_model import SHAPES

    return load_chat(tiny, SHAPES["tiny"])
