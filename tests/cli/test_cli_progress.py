"""On a terminal a person sees a bar; in a log there are lines."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

from support.cli import BOOK, COMMAND, batchtts, environment


def on_a_terminal(*arguments: str, cwd: Path) -> str:
    """What the command writes to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        [COMMAND, *arguments], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=environment()
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 4096):
            written += chunk
    except OSError:  # Linux reports the end of a terminal so
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0, written.decode()
    return written.decode()


def test_a_terminal_shows_sentences_audio_speed_and_eta(tmp_path: Path) -> None:
    """All in one bar that ends at 100 %."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    written = on_a_terminal("render", "book.md", "--engine", "engines.faulty:slow", cwd=tmp_path)
    assert re.search(r"\d+% \|.+\| \d/8 sentences, \d+\.\d min audio, \d+\.\d\dx real time, ETA \d+:\d\d", written)
    assert "100%" in written
    assert "chapters/001 Chapter 1.wav" in written


def test_quiet_says_nothing(tmp_path: Path) -> None:
    """Not on a terminal either."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    assert on_a_terminal("render", "book.md", "--engine", "silent", "--quiet", cwd=tmp_path) == ""


def test_a_log_has_lines_and_no_bar(tmp_path: Path) -> None:
    """Nothing that a terminal would have to interpret."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    result = batchtts("render", "book.md", "--engine", "silent", cwd=tmp_path)
    assert result.code == 0
    assert "%" not in result.err
    assert "\r" not in result.err
    assert "chapter 1:" in result.err


def test_text_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """Escape sequences in a title are shown, not obeyed."""
    (tmp_path / "book.md").write_text("# A\x1b[2Jb\n\nOne two three.", encoding="utf-8")
    for command in (
        ["plan", "book.md", "--engine", "silent"],
        ["render", "book.md", "--engine", "silent"],
        ["status", "book"],
    ):
        assert "\x1b" not in on_a_terminal(*command, cwd=tmp_path)
