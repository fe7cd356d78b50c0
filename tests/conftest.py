"""Fixtures that every test may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every machine: a failure here is a failure everywhere.
settings.register_profile("deterministic", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("deterministic")

sys.path.insert(0, str(Path(__file__).parent))  # `engines.faulty`, `support.*` are importable by tests
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture(autouse=True, scope="session")
def _no_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The same for fixtures that are made before any test."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "HF_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own cache, data or models."""
    home = tmp_path_factory.mktemp("home")
    for name, folder in (("XDG_CACHE_HOME", "cache"), ("XDG_DATA_HOME", "data"), ("HF_HOME", "hub")):
        monkeypatch.setenv(name, str(home / folder))
    monkeypatch.delenv("BATCHTTS_MODEL_DIR", raising=False)
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
