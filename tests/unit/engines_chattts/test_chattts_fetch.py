"""The published model is fetched whole, goes on where it broke off, and is believed only when its sums agree."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.mirror import Mirror, mirror

from batchtts.engines.chattts import checkpoint
from batchtts.engines.chattts import fetch as module
from batchtts.engines.chattts.checkpoint import FILES, MANIFEST, file_sum
from batchtts.engines.chattts.fetch import fetch
from batchtts.errors import EngineUnavailable, UsageError

WEIGHTS = "asset/gpt/model.safetensors"
NOWHERE: dict[str, str] = {}
"""An environment that names no mirror."""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files that stand in for the published ones, and the package's map of sums over them."""
    folder = tmp_path / "source"
    for number, name in enumerate(FILES):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes((number + byte * byte) % 251 for byte in range(20_000 + number)))
    sums = {name: file_sum(folder / name) for name in FILES}
    monkeypatch.setattr(checkpoint, "published_sums", lambda: sums)
    return folder


@pytest.fixture
def hub(source: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(module.time, "sleep", lambda _: None)
    monkeypatch.setattr(module, "CHUNK", 1000)
    with mirror(source) as server:
        yield server


def assert_complete(folder: Path, source: Path) -> None:
    assert all((folder / name).read_bytes() == (source / name).read_bytes() for name in FILES)
    assert not list(folder.rglob("*.part"))


def test_the_whole_model_is_fetched_and_verified(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """Each file once; what was found says that it is the published model."""
    seen: list[tuple[str, int, int]] = []
    info = fetch(tmp_path / "model", hub.url, lambda *step: seen.append(step), NOWHERE)
    assert_complete(tmp_path / "model", source)
    assert [name for name, _ in hub.asked] == list(FILES)
    assert info == checkpoint.verify(tmp_path / "model")
    assert (info.kind, info.bytes) == ("published", sum((source / name).stat().st_size for name in FILES))
    assert {name for name, _, _ in seen} >= set(FILES)
    assert all(0 <= done <= total for _, done, total in seen)


def test_what_is_there_and_right_is_not_fetched_again(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """Only the file that is missing and the one that is damaged."""
    folder = tmp_path / "model"
    fetch(folder, hub.url, None, NOWHERE)
    hub.asked.clear()
    (folder / FILES[2]).unlink()
    (folder / FILES[5]).write_bytes(b"damaged")
    fetch(folder, hub.url, None, NOWHERE)
    assert [name for name, _ in hub.asked] == [FILES[2], FILES[5]]
    assert_complete(folder, source)


def test_a_connection_that_breaks_is_taken_up_where_it_broke(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """In the same call, over as many connections as it takes; nothing is transferred twice."""
    hub.breaks[WEIGHTS] = [7000, 0, 5000]
    fetch(tmp_path / "model", hub.url, None, NOWHERE)
    assert_complete(tmp_path / "model", source)
    ranges = [asked for name, asked in hub.asked if name == WEIGHTS]
    assert ranges == [None, "bytes=7000-", "bytes=7000-", "bytes=12000-"]
    assert hub.sent == sum((source / name).stat().st_size for name in FILES)


def test_a_later_call_goes_on_where_the_first_was_left(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """A download that died, however it died, leaves its part behind."""
    folder = tmp_path / "model"

    def die(name: str, done: int, _: int) -> None:
        if name == WEIGHTS and done >= 9000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(folder, hub.url, die, NOWHERE)
    assert not (folder / WEIGHTS).exists()
    hub.asked.clear()
    fetch(folder, hub.url, None, NOWHERE)
    assert_complete(folder, source)
    assert hub.asked[0] == (WEIGHTS, "bytes=9000-")


def test_a_mirror_that_ignores_ranges_serves_too(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """It sends the file from the start, and so it is taken."""
    hub.ranges = False
    hub.breaks[WEIGHTS] = [7000]
    fetch(tmp_path / "model", hub.url, None, NOWHERE)
    assert_complete(tmp_path / "model", source)
    assert (WEIGHTS, "bytes=7000-") in hub.asked


@pytest.mark.parametrize("left", [b"", b"something else", b"x" * 30_000])
def test_a_part_that_is_something_else_is_thrown_away(left: bytes, hub: Mirror, source: Path, tmp_path: Path) -> None:
    """The file is then fetched from its beginning."""
    part = tmp_path / "model" / (WEIGHTS + ".part")
    part.parent.mkdir(parents=True)
    part.write_bytes(left)
    fetch(tmp_path / "model", hub.url, None, NOWHERE)
    assert_complete(tmp_path / "model", source)


def test_a_part_that_is_already_whole_is_kept(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """The last run died between the last byte and the renaming."""
    part = tmp_path / "model" / (WEIGHTS + ".part")
    part.parent.mkdir(parents=True)
    part.write_bytes((source / WEIGHTS).read_bytes())
    fetch(tmp_path / "model", hub.url, None, NOWHERE)
    assert_complete(tmp_path / "model", source)
    assert hub.sent == sum((source / name).stat().st_size for name in FILES if name != WEIGHTS)


def test_another_content_is_refused(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """The file's sum decides, and it is transferred once only; nothing of it stays."""
    (source / WEIGHTS).write_bytes(b"another model")
    with pytest.raises(EngineUnavailable, match=rf"{WEIGHTS}.*not the published file.*--endpoint"):
        fetch(tmp_path / "model", hub.url, None, NOWHERE)
    assert [name for name, _ in hub.asked].count(WEIGHTS) == 1
    assert not list((tmp_path / "model" / "asset" / "gpt").glob("model*"))


@pytest.mark.parametrize("status", [401, 404, 503])
def test_a_server_s_refusal_is_told(status: int, hub: Mirror, tmp_path: Path) -> None:
    """With its number and the way out."""
    hub.status = status
    with pytest.raises(EngineUnavailable, match=rf"answered {status}.*--endpoint"):
        fetch(tmp_path / "model", hub.url, None, NOWHERE)


def test_a_mirror_that_never_delivers_is_given_up(hub: Mirror, tmp_path: Path) -> None:
    """After a few tries that bring nothing; what was brought before stays for later."""
    hub.breaks[WEIGHTS] = [7000, *[0] * 20]
    with pytest.raises(EngineUnavailable, match="run the same command again to go on"):
        fetch(tmp_path / "model", hub.url, None, NOWHERE)
    assert len(hub.breaks[WEIGHTS]) >= 10
    assert (tmp_path / "model" / (WEIGHTS + ".part")).stat().st_size == 7000


def closed_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_offline_is_one_clear_line(hub: Mirror, tmp_path: Path) -> None:
    """What could not be reached, and what to do; no retries, no traceback."""
    with pytest.raises(EngineUnavailable, match=r"^cannot reach http://127.*--endpoint or HF_ENDPOINT$") as told:
        fetch(tmp_path / "model", closed_port(), None, NOWHERE)
    assert "\n" not in str(told.value)
    assert not hub.asked


def test_the_mirror_may_be_named_by_the_environment(hub: Mirror, source: Path, tmp_path: Path) -> None:
    """As huggingface_hub does it; the option goes first."""
    fetch(tmp_path / "one", None, None, {"HF_ENDPOINT": hub.url + "/"})
    assert_complete(tmp_path / "one", source)
    fetch(tmp_path / "two", hub.url, None, {"HF_ENDPOINT": closed_port()})
    assert_complete(tmp_path / "two", source)


@pytest.mark.parametrize("endpoint", ["mirror.example.org", "ftp://mirror.example.org", "models"])
def test_an_endpoint_that_is_no_address_is_a_usage_error(endpoint: str, tmp_path: Path) -> None:
    """Told before anything is asked for."""
    with pytest.raises(UsageError, match=endpoint):
        fetch(tmp_path / "model", endpoint, None, NOWHERE)


def test_a_folder_that_cannot_be_written_is_told(hub: Mirror, tmp_path: Path) -> None:
    """The disk, not the net, is named."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineUnavailable, match="cannot write"):
        fetch(tmp_path / "file", hub.url, None, NOWHERE)


def test_a_random_checkpoint_is_not_mixed_with_the_published_one(hub: Mirror, tmp_path: Path) -> None:
    """Its manifest would call the published files damaged."""
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(UsageError, match="random checkpoint"):
        fetch(tmp_path, hub.url, None, NOWHERE)
    assert not hub.asked
