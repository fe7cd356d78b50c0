"""Options that several commands share, and how they become Settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from batchtts.settings import EngineSettings, ReadSettings, RenderSettings, Sampling, Settings

Command = TypeVar("Command", bound=Callable[..., Any])


def _chain(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    def apply(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


def _set_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().obj["debug"] = True


debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, is_eager=True, callback=_set_debug, help="Show tracebacks."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout, nothing else.")

read_options = _chain(
    click.option("--encoding", metavar="NAME", help="Encoding of the source, such as gb18030.  [default: found out]"),
    click.option("--format", "source_format", type=click.Choice(["txt", "md"]), help="Default: by the suffix."),
)

engine_options = _chain(
    click.option(
        "--engine",
        default="auto",
        show_default=True,
        metavar="NAME",
        help="chattts, kokoro (the embedded voice), silent (a dry run), or auto: chattts when a model is found.",
    ),
    click.option("--voice", metavar="NAME", help="See `batchtts voices`."),
    click.option(
        "--model-dir",
        type=click.Path(path_type=Path),
        help="Folder of the ChatTTS model.  [default: $BATCHTTS_MODEL_DIR, then `model fetch`'s, then the hub's cache]",
    ),
    click.option("--device", default="auto", show_default=True, help="auto, cpu, cuda, cuda:1, mps."),
    click.option("--threads", type=click.IntRange(1, 256), help="Processor threads of the engine."),
    click.option("--temperature", type=click.FloatRange(0.01, 2.0), default=0.3, show_default=True, help="ChatTTS."),
    click.option("--speed", type=click.IntRange(0, 9), default=5, show_default=True, help="ChatTTS: 0 slow, 9 fast."),
)

batch_options = _chain(
    click.option(
        "--max-tokens",
        type=click.IntRange(min=1),
        help="The budget: padded tokens of a batch, or KV tokens in slots.  [default: the engine's]",
    ),
    click.option("--rows", type=click.IntRange(1, 512), help="Most sentences side by side.  [default: the engine's]"),
)

retries_option = click.option(
    "--retries",
    type=click.IntRange(0, 20),
    default=2,
    show_default=True,
    help="New takes for a sentence that fails or is flagged.",
)


def build_settings(
    *,
    engine: str = "auto",
    voice: str | None = None,
    model_dir: Path | None = None,
    device: str = "auto",
    threads: int | None = None,
    temperature: float = 0.3,
    speed: int = 5,
    encoding: str | None = None,
    source_format: str | None = None,
    max_tokens: int | None = None,
    rows: int | None = None,
    retries: int = 2,
) -> Settings:
    """Settings from the values of the options above."""
    return Settings(
        read=ReadSettings(encoding, source_format),
        engine=EngineSettings(
            engine,
            model_dir,
            voice,
            device,
            threads=threads,
            sampling=Sampling(temperature=temperature, speed=speed),
        ),
        render=RenderSettings(max_tokens, rows, retries),
    )
