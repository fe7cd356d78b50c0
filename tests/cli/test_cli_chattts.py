"""The ChatTTS engine through the command, on a tiny random model: found, pinned, stopped, resumed."""

from __future__ import annotations

import hashlib
import signal
import time
from pathlib import Path

import pytest
from support.chattts import make_tiny
from support.cli import BOOK, batchtts, start
from support.ledger import chapter_bytes, known_takes, rows, strays, takes

WORDS = ("春天", "夏天", "秋天", "冬天", "早晨", "夜里", "山上", "海边", "学校", "车站", "spring", "summer", "winter")
LONG = "# 书\n\n" + "\n\n".join(f"{first}的{second}，有一只猫。" for first in WORDS for second in WORDS)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny(tmp_path_factory.mktemp("model") / "tiny")


def clip_hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "clips").rglob("*.flac")}


def test_a_model_that_is_there_is_used_and_batches_change_nothing(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`auto` finds it by BATCHTTS_MODEL_DIR without a word; clips are equal with 3 rows and 16; the job keeps it."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    monkeypatch.setenv("BATCHTTS_MODEL_DIR", str(tiny))
    for folder, size in (("many", "16"), ("few", "3")):
        result = batchtts("render", "book.md", "-o", folder, "--rows", size, "--threads", "1", cwd=tmp_path)
        assert result.code == 0, result.err
        assert "no ChatTTS model" not in result.err
        assert "chattts, voice default" in result.err
    assert clip_hashes(tmp_path / "many") == clip_hashes(tmp_path / "few")
    assert chapter_bytes(tmp_path / "many") == chapter_bytes(tmp_path / "few")
    other = batchtts("render", "book.md", "-o", "many", "--engine", "silent", cwd=tmp_path)
    assert other.code == 2
    assert "--engine chattts" in other.err
    assert rows(tmp_path / "many", "select count(*) from takes where frames > 0")[0][0] == len(takes(tmp_path / "many"))


@pytest.mark.slow
def test_a_killed_job_goes_on_to_the_same_clips(tiny: Path, tmp_path: Path) -> None:
    """SIGKILL in the middle of decoding, again and again: no take is made twice, every clip is the same."""
    (tmp_path / "book.md").write_text(LONG, encoding="utf-8")
    command = ("render", "book.md", "--model-dir", str(tiny), "--threads", "1")
    calm = batchtts(*command, "-o", "calm", cwd=tmp_path, timeout=300)
    assert calm.code == 0, calm.err
    seen: dict[tuple[str, int], str] = {}
    for share in (0.2, 0.5, 0.8):
        process = start(*command, "-o", "killed", cwd=tmp_path)
        wanted = int(share * len(takes(tmp_path / "calm")))
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if len(known_takes(tmp_path / "killed")) >= wanted:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = known_takes(tmp_path / "killed")
        assert seen.items() <= now.items()
        seen = now
    assert 0 < len(seen) < len(takes(tmp_path / "calm"))
    assert batchtts(*command, "-o", "killed", cwd=tmp_path, timeout=300).code == 0
    assert seen.items() <= takes(tmp_path / "killed").items()
    assert takes(tmp_path / "killed").keys() == takes(tmp_path / "calm").keys()
    assert clip_hashes(tmp_path / "killed") == clip_hashes(tmp_path / "calm")
    assert strays(tmp_path / "killed") == []
