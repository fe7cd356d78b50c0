"""`run` takes a job file, as cron would start it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from support.cli import COMMAND, batchtts, environment
from support.ledger import chapter_bytes

ROOT = Path(__file__).parents[2]

JOB = """
sources = ["books/*.md"]
output = "out"

[engine]
engine = "silent"
"""


def test_each_book_of_a_job_file_is_rendered_into_its_own_folder(tmp_path: Path) -> None:
    """Also when there is but one; run again it renders nothing; a new book is rendered the next night."""
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "one.md").write_text("# A\n\nThe first book.")
    (tmp_path / "night.toml").write_text(JOB)
    result = batchtts("run", "--quiet", "night.toml", cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    good = chapter_bytes(tmp_path / "out" / "one")
    (tmp_path / "books" / "two.md").write_text("# B\n\nThe second book.")
    assert batchtts("run", "night.toml", cwd=tmp_path).code == 0
    assert chapter_bytes(tmp_path / "out" / "one") == good
    assert list(chapter_bytes(tmp_path / "out" / "two")) == ["001 B.wav"]


def test_one_bad_book_does_not_stop_the_others(tmp_path: Path) -> None:
    """The exit code is that of the worst."""
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "a.md").write_text("")
    (tmp_path / "books" / "b.md").write_text("# B\n\nThe good book.")
    (tmp_path / "night.toml").write_text(JOB)
    result = batchtts("run", "night.toml", cwd=tmp_path)
    assert result.code == 3
    assert "a.md" in result.err
    assert chapter_bytes(tmp_path / "out" / "b")


def test_a_faulty_job_file_is_told_in_one_line(tmp_path: Path) -> None:
    """Missing, no TOML, an unknown key: exit 2 and the file's name."""
    (tmp_path / "broken.toml").write_text("sources = [")
    (tmp_path / "unknown.toml").write_text(JOB + "\nspeed = 3\n")
    for name in ("none.toml", "broken.toml", "unknown.toml"):
        result = batchtts("run", name, cwd=tmp_path)
        assert result.code == 2, result.err
        assert name in result.err
        assert len(result.err.strip().splitlines()) == 1


def test_the_crontab_line_that_is_shipped_works(tmp_path: Path) -> None:
    """Its command, run by sh as cron does, in a copy of the project's layout."""
    crontab = (ROOT / "jobs" / "crontab").read_text()
    (line,) = re.findall(r"^[\d*]+ [\d*]+ \S+ \S+ \S+ (.+)$", crontab, re.M)
    (tmp_path / "jobs").mkdir()
    shipped = (ROOT / "jobs" / "nightly.toml").read_text()
    (tmp_path / "jobs" / "nightly.toml").write_text(shipped.replace('engine = "auto"', 'engine = "silent"'))
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "a.md").write_text("# A\n\nThe only book.")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "batchtts").symlink_to(COMMAND)
    cron = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "BATCHTTS": str(tmp_path)}
    kept = {name: value for name, value in environment().items() if name.startswith(("XDG", "PYTHON"))}
    done = subprocess.run(["/bin/sh", "-c", line], env={**kept, **cron}, cwd=os.sep, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert chapter_bytes(tmp_path / "demo" / "nightly" / "a")
