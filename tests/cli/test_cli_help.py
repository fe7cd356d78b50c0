"""Every command explains itself, quickly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from support.cli import BOOK, batchtts, environment

from batchtts.cli.main import COMMANDS, cli


def commands() -> list[tuple[str, ...]]:
    """Every command and subcommand, as its words."""
    found: list[tuple[str, ...]] = []
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        found.append((name,))
        if isinstance(command, click.Group):
            found += [(name, below) for below in command.commands]
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_help_shows_an_example_that_begins_with_the_command(words: tuple[str, ...]) -> None:
    """Each command's help holds something to copy."""
    context = click.Context(cli)
    command: click.Command | None = cli.get_command(context, words[0])
    if len(words) > 1:
        assert isinstance(command, click.Group)
        command = command.commands[words[1]]
    assert command is not None
    text = command.get_help(click.Context(command, info_name=" ".join(words)))
    assert f"batchtts {' '.join(words)}" in text.split("Example", 1)[1]


HEAVY = ("torch", "ChatTTS", "transformers", "onnxruntime", "numpy", "jieba", "sqlite_utils", "soundfile")


def loaded(arguments: list[str], cwd: Path) -> set[str]:
    """Heavy modules in `sys.modules` after a command."""
    program = (
        "import sys, batchtts.cli.main as m\n"
        f"try: m.main({arguments!r})\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        f"print('LOADED', *(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=cwd, capture_output=True, text=True, check=True, env=environment()
    )
    return set(done.stderr.rpartition("LOADED")[2].split())


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    """That is what keeps it under 0.3 s."""
    assert loaded(["--help"], tmp_path) == set()
    for name in COMMANDS:
        assert loaded([name, "--help"], tmp_path) == set(), name


def test_plan_and_status_leave_torch_alone(tmp_path: Path) -> None:
    """A plan answers before torch would have been imported; so does the status of a job."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    assert batchtts("render", "book.md", "--engine", "silent", cwd=tmp_path).code == 0
    for arguments in (["plan", "book.md"], ["plan", "book.md", "--engine", "kokoro", "--json"], ["status", "book"]):
        assert not loaded(arguments, tmp_path) & {"torch", "ChatTTS", "transformers", "onnxruntime"}, arguments
