"""Runs the installed `batchtts` command, as a user's shell would."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

COMMAND = Path(sys.executable).with_name("batchtts")
TESTS = Path(__file__).parents[1]

BOOK = """# A short book

## Chapter 1

The first line stands here. The second line follows it, and it is a little longer than the first.

A new paragraph begins.

## Chapter 2

第二章有两句话。这是第二句。

The end.
"""


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str


def environment(*first: Path) -> dict[str, str]:
    """The caller's environment, with the tests' own engines importable, and what stands in `first` before all else."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*first, TESTS)))}


def batchtts(
    *arguments: str | Path,
    cwd: Path,
    stdin: bytes | None = None,
    timeout: float = 120,
    env: dict[str, str] | None = None,
) -> Result:
    """Run to the end. Without `stdin` the command gets an empty one; without `env`, `environment()`."""
    done = subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        input=stdin or b"",
        capture_output=True,
        timeout=timeout,
        env=env or environment(),
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def start(*arguments: str | Path, cwd: Path) -> subprocess.Popen[bytes]:
    """Start and return at once; stderr is a pipe."""
    return subprocess.Popen(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(),
    )
