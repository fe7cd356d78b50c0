"""How much memory may be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from batchtts import machine


def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meminfo: str | None, limit: str | None) -> int | None:
    if meminfo is not None:
        (tmp_path / "meminfo").write_text(meminfo)
    if limit is not None:
        (tmp_path / "memory.max").write_text(limit)
        (tmp_path / "memory.current").write_text("1000\n")
    monkeypatch.setattr(machine, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(machine, "_CGROUP", tmp_path)
    return machine.available_memory()


@pytest.mark.parametrize(
    ("meminfo", "limit", "expected"),
    [
        ("MemTotal: 9 kB\nMemAvailable:    5 kB\n", None, 5120),
        ("MemAvailable: 5 kB\n", "max\n", 5120),
        ("MemAvailable: 5 kB\n", "3000\n", 2000),  # a container's limit, less what it uses
        ("MemAvailable: 5 kB\n", "500\n", 0),
        ("Odd: 1 kB\n", None, None),
        (None, None, None),
    ],
)
def test_the_smaller_of_machine_and_container_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meminfo: str | None, limit: str | None, expected: int | None
) -> None:
    """And where nothing is known, nothing is guessed."""
    assert told(tmp_path, monkeypatch, meminfo, limit) == expected
