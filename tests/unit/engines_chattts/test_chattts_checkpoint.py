"""A model folder is believed when every file is there and has its sum."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batchtts.engines import find
from batchtts.engines.chattts import checkpoint
from batchtts.engines.chattts.checkpoint import (
    FILES,
    MANIFEST,
    default_folder,
    find_model,
    identify,
    published_sums,
    verify,
)
from batchtts.engines.chattts.spec import ChatTTSSpec, spec
from batchtts.errors import EngineUnavailable, UsageError
from batchtts.settings import EngineSettings, Sampling

WEIGHTS = "asset/gpt/model.safetensors"


@pytest.fixture
def folder(tiny: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    copy = tmp_path / "model"
    shutil.copytree(tiny, copy)
    return copy


def refused(folder: Path) -> str:
    """The one line with which a folder is refused: by the check, by the memory of it, and by the spec alike."""
    lines = set()
    for look in (verify, identify, lambda path: spec(EngineSettings(engine="chattts", model_dir=path))):
        with pytest.raises(EngineUnavailable) as told:
            look(folder)
        lines.add(str(told.value))
    (line,) = lines
    assert "\n" not in line
    assert str(folder) in line
    return line


# ------------------------------------------------ verify


def test_a_whole_folder_is_recognised(folder: Path) -> None:
    """What it is, how large, and a hash of its content."""
    seen: list[tuple[str, int, int]] = []
    info = verify(folder, lambda *step: seen.append(step))
    assert (info.kind, info.size, info.path) == ("random", "tiny", str(folder))
    assert info.bytes == sum((folder / name).stat().st_size for name in FILES)
    assert len(info.hash) == 16
    assert [name for name, _, _ in seen] == [*FILES, ""]
    assert seen[-1] == ("", info.bytes, info.bytes)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(name: str, folder: Path) -> None:
    """Each of the nine is needed."""
    (folder / name).unlink()
    assert f"{name} is missing" in refused(folder)


def cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [cut, flip, empty])
@pytest.mark.parametrize("name", [WEIGHTS, "asset/Decoder.safetensors", "asset/tokenizer/tokenizer.json"])
def test_a_damaged_file_is_named(name: str, damage: Callable[[Path], None], folder: Path) -> None:
    """Cut short, one bit flipped, or emptied."""
    damage(folder / name)
    assert f"{name} is damaged" in refused(folder)


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"kind": "random", "size": "tiny"}',
        '{"kind": "random", "size": "tiny", "files": ["a"]}',
        '{"kind": "random", "size": 3, "files": {}}',
        '{"kind": "published", "size": "tiny", "files": {}}',
        "\udcff",
    ],
)
def test_a_bad_manifest_is_told(manifest: str, folder: Path) -> None:
    """Whatever is wrong with it."""
    (folder / MANIFEST).write_bytes(manifest.encode("utf-8", "surrogateescape"))
    assert f"{MANIFEST} is damaged" in refused(folder)


def test_a_manifest_that_lacks_a_file_does_not_vouch_for_it(folder: Path) -> None:
    """Only listed files are believed."""
    manifest = json.loads((folder / MANIFEST).read_text())
    del manifest["files"][WEIGHTS]
    (folder / MANIFEST).write_text(json.dumps(manifest))
    assert f"{WEIGHTS} is damaged" in refused(folder)


def test_random_weights_without_their_manifest_are_not_the_published_ones(folder: Path) -> None:
    """The package's own map decides then."""
    (folder / MANIFEST).unlink()
    assert "is damaged" in refused(folder)


def test_no_folder_and_no_folder_at_all(tmp_path: Path) -> None:
    """A missing folder, and a file in its place."""
    assert "no model folder" in refused(tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    assert "no model folder" in refused(tmp_path / "file")


def test_the_published_sums_are_the_package_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """All nine, read without importing ChatTTS; without the package the line says what to install."""
    sums = published_sums()
    assert sums.keys() == set(FILES)
    assert all(len(value) == 64 for value in sums.values())
    assert sums["asset/Decoder.safetensors"].startswith("77aa55e0")
    monkeypatch.setattr(checkpoint.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EngineUnavailable, match="pip install chattts"):
        published_sums()


# ------------------------------------------------ the memory of a check


class Reads:
    """Counts the files that are read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self._real = checkpoint.file_sum
        monkeypatch.setattr(checkpoint, "file_sum", self)

    def __call__(self, path: Path) -> str:
        self.count += 1
        return self._real(path)

    def during(self, look: Callable[[], Any]) -> int:
        before = self.count
        look()
        return self.count - before


def test_a_folder_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second look costs nothing while sizes and times stand, and finds the same."""
    reads = Reads(monkeypatch)
    first = identify(folder)
    assert reads.count == len(FILES)
    assert reads.during(lambda: identify(folder)) == 0
    assert identify(folder) == first
    assert reads.during(lambda: verify(folder)) == len(FILES), "a check that is asked for is made"


@pytest.mark.parametrize("name", [WEIGHTS, MANIFEST])
def test_a_touched_folder_is_read_again(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content is what counts then."""
    reads = Reads(monkeypatch)
    identify(folder)
    os.utime(folder / name, ns=(1, 1))
    assert reads.during(lambda: identify(folder)) == len(FILES)


def test_a_folder_may_be_named_from_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory does not bring back a relative path of another working folder."""
    monkeypatch.chdir(folder.parent)
    assert identify(Path("model")).path == "model"
    monkeypatch.chdir(folder / "asset")
    info = identify(folder)
    assert (Path(info.path) / WEIGHTS).is_file()
    assert identify(Path("..")).hash == info.hash


def test_a_broken_memory_is_no_harm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unreadable, or a cache folder that cannot be made."""
    identify(folder)
    (note,) = (checkpoint.cache_folder() / "models").iterdir()
    for text in ("", "[]", '{"stamp": 1}', "null"):
        note.write_text(text)
        assert identify(folder).size == "tiny"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / MANIFEST))
    assert identify(folder).size == "tiny"


# ------------------------------------------------ where a model is looked for


def fake_model(folder: Path) -> Path:
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_the_order_in_which_a_model_is_looked_for(tmp_path: Path) -> None:
    """The option, the variable, the folder that `model fetch` fills, the hub's cache."""
    environ = {"XDG_DATA_HOME": str(tmp_path / "data"), "HF_HOME": str(tmp_path / "hub")}
    assert find_model(EngineSettings(), environ) is None
    snapshots = tmp_path / "hub" / "hub" / "models--2Noise--ChatTTS" / "snapshots"
    old, new = fake_model(snapshots / "aaa"), fake_model(snapshots / "bbb")
    (snapshots / "ccc").mkdir()
    os.utime(old, (1, 1))
    assert find_model(EngineSettings(), environ) == new
    fetched = fake_model(default_folder(environ))
    assert fetched.is_relative_to(tmp_path / "data")
    assert find_model(EngineSettings(), environ) == fetched
    environ["BATCHTTS_MODEL_DIR"] = str(tmp_path / "named")
    assert find_model(EngineSettings(), environ) == tmp_path / "named"
    assert find_model(EngineSettings(model_dir=tmp_path / "option"), environ) == tmp_path / "option"


def test_the_hub_s_cache_is_found_as_the_hub_finds_it(tmp_path: Path) -> None:
    """`HF_HUB_CACHE`, `HF_HOME`, `XDG_CACHE_HOME`."""
    for name, below in (("HF_HUB_CACHE", ""), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub")):
        root = tmp_path / name
        model = fake_model(root / below / "models--2Noise--ChatTTS" / "snapshots" / "aaa")
        assert find_model(EngineSettings(), {"XDG_DATA_HOME": str(tmp_path), name: str(root)}) == model


# ------------------------------------------------ from settings to a spec


def test_chattts_without_any_model_says_how_to_get_it() -> None:
    """Asked for by name: no other voice reads instead."""
    with pytest.raises(EngineUnavailable, match=r"^no ChatTTS model found; .*`batchtts model fetch`.*--model-dir"):
        find(EngineSettings(engine="chattts"))


def test_auto_takes_the_model_that_is_there(tiny: Path) -> None:
    """By variable or by option, without a word."""
    for settings, environ in (
        (EngineSettings(), {"BATCHTTS_MODEL_DIR": str(tiny)}),
        (EngineSettings(model_dir=tiny), {}),
    ):
        found, line = find(settings, environ)
        assert isinstance(found, ChatTTSSpec)
        assert found.folder == tiny
        assert line is None


def test_auto_refuses_a_named_model_that_is_broken(folder: Path) -> None:
    """A book read by another voice over night is worse than an error."""
    cut(folder / WEIGHTS)
    with pytest.raises(EngineUnavailable, match=str(folder)):
        find(EngineSettings(), {"BATCHTTS_MODEL_DIR": str(folder)})


@pytest.mark.parametrize(
    "settings",
    [EngineSettings(device="tpu"), EngineSettings(precision="fp8"), EngineSettings(sampling=Sampling(speed=10))],
)
def test_settings_that_the_engine_does_not_know_are_usage_errors(settings: EngineSettings) -> None:
    """Whether there is a model or not."""
    with pytest.raises(UsageError):
        spec(settings)


def test_what_changes_the_sound_changes_the_fingerprint(tiny: Path) -> None:
    """Sampling and voice do; device and threads do not."""

    def fingerprint(**settings: Any) -> str:
        return spec(EngineSettings(engine="chattts", model_dir=tiny, **settings)).fingerprint

    usual = fingerprint()
    others = [
        fingerprint(voice="second"),
        fingerprint(sampling=Sampling(temperature=0.4)),
        fingerprint(sampling=Sampling(speed=4)),
    ]
    assert len({usual, *others}) == 4
    assert fingerprint(threads=3, device="cpu") == usual
