"""Job files say exactly what `render` may be told, and nothing else passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from batchtts.app.jobfile import load
from batchtts.errors import UsageError
from batchtts.model import Boundary

JOBS = Path(__file__).parents[3] / "jobs"


def written(folder: Path, text: str) -> Path:
    path = folder / "job.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted(JOBS.glob("*.toml")), ids=lambda path: path.name)
def test_the_job_files_that_are_shipped_load(path: Path) -> None:
    """Their sources exist."""
    loaded = load(path)
    assert len(loaded.sources) == 3
    assert all(source.is_file() for source in loaded.sources)


def test_settings_come_from_the_file_and_defaults_stay(tmp_path: Path) -> None:
    """Paths are relative to the file."""
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "b.txt").write_text("x")
    loaded = load(
        written(
            tmp_path,
            'sources = ["*.txt"]\noutput = "out"\n[engine]\nengine = "kokoro"\nmodel_dir = "m"\n'
            "[render]\nmax_tokens = 77\n[pauses]\nchapter = 3\n[sampling]\nspeed = 3\n",
        )
    )
    assert [source.name for source in loaded.sources] == ["a.txt", "b.txt"]
    assert loaded.output == tmp_path / "out"
    assert loaded.settings.engine.engine == "kokoro"
    assert loaded.settings.engine.model_dir == tmp_path / "m"
    assert loaded.settings.engine.sampling.speed == 3
    assert loaded.settings.render.max_tokens == 77
    assert loaded.settings.render.retries == 2
    assert loaded.settings.text.pauses[Boundary.CHAPTER] == 3.0
    assert loaded.settings.text.pauses[Boundary.SENTENCE] == 0.35


GOOD = 'sources = ["a.txt"]\noutput = "out"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sources = 3\noutput = 'o'", "sources must be a list"),
        ("sources = []\noutput = 'o'", "sources must be a list"),
        ("sources = ['a.txt']", "output must be a folder"),
        ("sources = ['none*.txt']\noutput = 'o'", "no file matches"),
        (GOOD + "colour = 1", "unknown entry 'colour'"),
        (GOOD + "[engine]\nvoise = 'x'", "no entry 'voise'"),
        (GOOD + "[engine]\nthreads = true", "threads = True must be a whole number"),
        (GOOD + "[render]\nmax_tokens = 0", "max_tokens = 0 must be a whole number from 1"),
        (GOOD + "[pauses]\nchapter = 'long'", "must be seconds"),
        ("render = 1\n" + GOOD, "render must be a table"),
        (GOOD + "[engine", "not valid TOML"),
    ],
)
def test_a_faulty_job_file_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    """The message names the file and the entry."""
    path = written(tmp_path, text)
    with pytest.raises(UsageError, match=r"job\.toml") as error:
        load(path)
    assert told in str(error.value)


def test_a_missing_job_file_is_told(tmp_path: Path) -> None:
    """It is a usage error, not a traceback."""
    with pytest.raises(UsageError, match="cannot read"):
        load(tmp_path / "none.toml")
