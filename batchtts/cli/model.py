"""`batchtts model`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from batchtts.cli.options import debug_option
from batchtts.engines.chattts import checkpoint

if TYPE_CHECKING:
    from tqdm import tqdm


@click.group()
def command() -> None:
    """Get, check or make a ChatTTS model folder.

    \b
    Examples:
      batchtts model fetch
      batchtts model verify models/ChatTTS
      batchtts model make-random models/random --size tiny
    """


@command.command("fetch")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--endpoint", metavar="URL", help="The hub or a mirror of it.  [default: $HF_ENDPOINT, then the hub]")
@debug_option
def fetch_command(folder: Path | None, endpoint: str | None) -> None:
    """Download the published ChatTTS model (about 1.1 GB, CC BY-NC 4.0) and verify it.

    Without DIR it goes where `--engine auto` looks for it. A broken download goes on where it stopped.

    \b
    Examples:
      batchtts model fetch
      batchtts model fetch models/ChatTTS --endpoint https://mirror.example.org
    """
    from batchtts.engines.chattts.fetch import NOTICE, fetch

    click.echo(NOTICE, err=True)
    with _Bar() as bar:
        info = fetch(folder or checkpoint.default_folder(), endpoint, bar)
    click.echo(f"{info.path}: complete and verified ({info.bytes / 1e6:.0f} MB)")


@command.command("verify")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@debug_option
def verify_command(folder: Path) -> None:
    """Compare every file of a model folder with the SHA-256 sums of the ChatTTS package (or its own, if random).

    \b
    Example:
      batchtts model verify models/ChatTTS
    """
    with _Bar() as bar:
        info = checkpoint.verify(folder, bar)
    click.echo(f"{info.path}: {info.kind} model, size {info.size}, {info.bytes / 1e6:.0f} MB, all files intact")


@command.command("make-random")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--size", type=click.Choice(["published", "tiny"]), default="published", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@debug_option
def make_random_command(folder: Path, size: str, seed: int) -> None:
    """Make a checkpoint with random weights in the published layout: for speed tests, not for listening.

    \b
    Examples:
      batchtts model make-random models/random
      batchtts model make-random models/tiny --size tiny
    """
    from batchtts.engines.chattts.random_model import make_random

    info = make_random(folder, size, seed)
    click.echo(f"{info.path}: random model, size {info.size}, {info.bytes / 1e6:.0f} MB")


class _Bar:
    """Shows `checkpoint.Progress` on a terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None
        self._name: str | None = None

    def __enter__(self) -> _Bar:
        return self

    def __call__(self, name: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        from tqdm import tqdm

        if self._bar is None or name != self._name:
            self.close()
            self._name = name
            self._bar = tqdm(total=total, unit="B", unit_scale=True, desc=name, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def __exit__(self, *_: object) -> None:
        self.close()
