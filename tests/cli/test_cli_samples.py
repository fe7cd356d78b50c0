"""What `make demo` does: the samples, with the embedded voice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import soundfile
from support.cli import batchtts
from support.ledger import rows

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.slow
def test_the_samples_are_a_minute_of_speech_that_passes_the_checks(tmp_path: Path) -> None:
    """Two chapters each, no sentence failed or flagged, none tried twice; `plan` foretells how long they are."""
    sources = sorted(SAMPLES.glob("*.md"))
    result = batchtts("render", *sources, "--engine", "kokoro", "-o", "out", cwd=tmp_path, timeout=280)
    assert result.code == 0, result.err
    seconds = 0.0
    for source in sources:
        folder = tmp_path / "out" / source.stem
        chapters = sorted((folder / "chapters").glob("*.wav"))
        assert len(chapters) == 2
        heard = sum(soundfile.info(str(path)).duration for path in chapters)
        planned = batchtts("plan", source, "--engine", "kokoro", "--json", cwd=tmp_path)
        assert json.loads(planned.out)["estimate"]["audio_s"] == pytest.approx(heard, rel=0.15)
        seconds += heard
        assert rows(folder, "select max(take), min(outcome), max(outcome) from takes") == [(1, "ok", "ok")]
    assert 50 < seconds < 110
