"""`voices` and `doctor`: what there is, and whether it works."""

from __future__ import annotations

import json
from pathlib import Path

from support.cli import batchtts


def test_voices_lists_and_marks_the_default(tmp_path: Path) -> None:
    """One line a voice."""
    result = batchtts("voices", "--engine", "kokoro", cwd=tmp_path)
    assert result.code == 0
    lines = result.out.splitlines()
    assert len(lines) == 5
    assert [line.split()[1] for line in lines if line.startswith("*")] == ["jm_kumo"]


def test_voices_says_why_it_lists_the_embedded_ones(tmp_path: Path) -> None:
    """Without a ChatTTS model, one line on stderr."""
    result = batchtts("voices", cwd=tmp_path)
    assert result.code == 0
    assert "jf_alpha" in result.out
    assert "batchtts model fetch" in result.err


def test_doctor_reports_every_topic(tmp_path: Path) -> None:
    """Devices, memory, versions, model, voices, disk; the same as JSON; a missing model is told with the way out."""
    result = batchtts("doctor", "--json", cwd=tmp_path)
    told = json.loads(result.out)
    assert {"devices", "memory", "packages", "model", "voices", "disk"} <= told.keys()
    assert "batchtts model fetch" in told["model"]["line"]
    assert "torch" in json.dumps(told["packages"])
    person = batchtts("doctor", cwd=tmp_path)
    assert person.code == result.code
    assert all(topic in person.out for topic in told)


def test_doctor_finds_a_broken_model(tmp_path: Path) -> None:
    """Exit 4, and the file that is missing."""
    (tmp_path / "model").mkdir()
    result = batchtts("doctor", "--model-dir", "model", cwd=tmp_path)
    assert result.code == 4
    assert "missing" in result.out
