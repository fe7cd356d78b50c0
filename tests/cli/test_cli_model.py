"""`batchtts model`: get, check and make a model folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chattts import make_tiny
from support.cli import BOOK, batchtts, environment
from support.mirror import Mirror, mirror

from batchtts.engines.chattts.checkpoint import FILES, MANIFEST, file_sum

WEIGHTS = "asset/gpt/model.safetensors"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture
def folder(tiny: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    shutil.copytree(tiny, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def hub(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """A mirror with files of its own, and a ChatTTS package whose map of sums is that of these files."""
    source = tmp_path / "source"
    shutil.copytree(tiny, source, ignore=shutil.ignore_patterns(MANIFEST))
    package = tmp_path / "packages" / "ChatTTS"
    (package / "res").mkdir(parents=True)
    (package / "__init__.py").touch()
    sums = {"sha256_" + name.replace("/", "_").replace(".", "_"): file_sum(source / name) for name in FILES}
    (package / "res" / "sha256_map.json").write_text(json.dumps(sums))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with mirror(source) as server:
        yield server


@pytest.fixture
def env(hub: Mirror, tmp_path: Path) -> dict[str, str]:
    """Finds that package before the real one; `HF_ENDPOINT` is the mirror."""
    return {**environment(tmp_path / "packages"), "HF_ENDPOINT": hub.url}


# ------------------------------------------------ make-random


def test_a_random_model_is_made_and_found_whole(tmp_path: Path) -> None:
    """Two commands, one line each."""
    made = batchtts("model", "make-random", "models/tiny", "--size", "tiny", cwd=tmp_path)
    assert (made.code, made.err) == (0, "")
    assert "random model, size tiny" in made.out
    checked = batchtts("model", "verify", "models/tiny", cwd=tmp_path)
    assert (checked.code, checked.err) == (0, "")
    assert "random model, size tiny" in checked.out
    assert "all files intact" in checked.out


def test_the_seed_decides_the_weights(tmp_path: Path, tiny: Path) -> None:
    """The default is 0."""
    for name, seed in (("a", []), ("b", ["--seed", "1"])):
        assert batchtts("model", "make-random", name, "--size", "tiny", *seed, cwd=tmp_path).code == 0
    assert file_sum(tmp_path / "a" / WEIGHTS) == file_sum(tiny / WEIGHTS) != file_sum(tmp_path / "b" / WEIGHTS)


def test_an_occupied_folder_is_a_usage_error(folder: Path) -> None:
    """Nothing in it is touched."""
    before = file_sum(folder / WEIGHTS)
    told = batchtts("model", "make-random", folder, "--size", "tiny", "--seed", "5", cwd=folder)
    assert (told.code, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert f"{folder} exists" in told.err
    assert file_sum(folder / WEIGHTS) == before


def test_an_unknown_size_is_a_usage_error(tmp_path: Path) -> None:
    """Told with the sizes that there are."""
    told = batchtts("model", "make-random", "x", "--size", "huge", cwd=tmp_path)
    assert told.code == 2
    assert "published" in told.err
    assert "tiny" in told.err


@pytest.mark.parametrize("command", ["render", "plan"])
def test_chattts_without_a_model_is_told_with_exit_4(command: str, tmp_path: Path) -> None:
    """One line, with the way to get it."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    told = batchtts(command, "book.md", "--engine", "chattts", cwd=tmp_path)
    assert (told.code, told.out) == (4, "")
    assert told.err.count("\n") == 1
    assert "batchtts model fetch" in told.err


def test_a_broken_model_is_told_with_exit_4(folder: Path, tmp_path: Path) -> None:
    """Before anything is rendered."""
    (tmp_path / "book.md").write_text(BOOK, encoding="utf-8")
    (folder / WEIGHTS).write_bytes(b"short")
    told = batchtts("render", "book.md", "--model-dir", folder, cwd=tmp_path)
    assert (told.code, told.out) == (4, "")
    assert told.err.count("\n") == 1
    assert f"{WEIGHTS} is damaged" in told.err


# ------------------------------------------------ verify


def test_damage_is_told_with_exit_4(folder: Path) -> None:
    """The line names the file and what to do."""
    content = bytearray((folder / WEIGHTS).read_bytes())
    content[-1] ^= 1
    (folder / WEIGHTS).write_bytes(content)
    told = batchtts("model", "verify", folder, cwd=folder)
    assert (told.code, told.out) == (4, "")
    assert told.err.count("\n") == 1
    assert f"{WEIGHTS} is damaged" in told.err
    assert "batchtts model fetch" in told.err


@pytest.mark.parametrize("name", ["nothing", "empty"])
def test_no_model_is_told_with_exit_4(name: str, tmp_path: Path) -> None:
    """A folder that is not there, and one that holds nothing."""
    (tmp_path / "empty").mkdir()
    told = batchtts("model", "verify", name, cwd=tmp_path)
    assert (told.code, told.out) == (4, "")
    assert name in told.err
    assert told.err.count("\n") == 1


# ------------------------------------------------ fetch


def test_fetch_gets_the_model_to_where_auto_finds_it(
    hub: Mirror, env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a folder named; size and licence are said before, and where it is after."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    env["XDG_DATA_HOME"] = str(tmp_path / "data")
    done = batchtts("model", "fetch", cwd=tmp_path, env=env)
    assert done.code == 0, done.err
    assert "1.1 GB" in done.err
    assert "CC BY-NC 4.0" in done.err
    folder = tmp_path / "data" / "batchtts" / "ChatTTS"
    assert done.out.startswith(f"{folder}: complete and verified")
    assert all(file_sum(folder / name) == file_sum(hub.folder / name) for name in FILES)
    again = batchtts("model", "fetch", cwd=tmp_path, env=env)
    assert again.code == 0
    assert len(hub.asked) == len(FILES), "nothing is fetched twice"


def test_fetch_goes_on_where_it_was_broken_off(hub: Mirror, env: dict[str, str], tmp_path: Path) -> None:
    """Whatever killed the last one. The mirror may be named by an option, which goes first."""
    env["HF_ENDPOINT"] = "http://127.0.0.1:9"
    part = tmp_path / "model" / (WEIGHTS + ".part")
    part.parent.mkdir(parents=True)
    part.write_bytes((hub.folder / WEIGHTS).read_bytes()[:100_000])
    done = batchtts("model", "fetch", "model", "--endpoint", hub.url, cwd=tmp_path, env=env)
    assert done.code == 0, done.err
    assert (WEIGHTS, "bytes=100000-") in hub.asked
    assert not part.exists()
    assert batchtts("model", "verify", "model", cwd=tmp_path, env=env).code == 0


def test_fetch_refuses_another_content(hub: Mirror, env: dict[str, str], tmp_path: Path) -> None:
    """What is not the published model is not kept under its name."""
    (hub.folder / FILES[0]).write_bytes(b"something else")
    told = batchtts("model", "fetch", "model", cwd=tmp_path, env=env)
    assert (told.code, told.out) == (4, "")
    assert "is not the published file" in told.err
    assert not (tmp_path / "model" / FILES[0]).exists()


def test_fetch_offline_is_one_clear_line(tmp_path: Path) -> None:
    """After the notice; it comes at once."""
    told = batchtts("model", "fetch", "model", "--endpoint", "http://127.0.0.1:9", cwd=tmp_path, timeout=20)
    assert (told.code, told.out) == (4, "")
    _, line = told.err.splitlines()
    assert line.startswith("batchtts: cannot reach http://127.0.0.1:9/")
    assert "HF_ENDPOINT" in line


def test_fetch_wants_an_address(tmp_path: Path) -> None:
    """A usage error, exit 2."""
    told = batchtts("model", "fetch", "model", "--endpoint", "mirror", cwd=tmp_path)
    assert (told.code, told.out) == (2, "")
    assert "'mirror'" in told.err


# ------------------------------------------------ help


@pytest.mark.parametrize("words", [(), ("fetch",), ("verify",), ("make-random",)], ids=" ".join)
def test_help_has_an_example_to_copy(words: tuple[str, ...], tmp_path: Path) -> None:
    """For the group and for each of its commands."""
    shown = batchtts("model", *words, "--help", cwd=tmp_path)
    assert shown.code == 0
    assert f"batchtts {' '.join(('model', *words))}" in shown.out.split("Example")[1]
