"""From a name to an engine's spec. Engines are imported when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module

from batchtts.engines.base import EngineSpec
from batchtts.errors import EngineUnavailable
from batchtts.settings import EngineSettings

Factory = Callable[[EngineSettings], EngineSpec]

FACTORIES: Mapping[str, str] = {
    "chattts": "batchtts.engines.chattts.spec:spec",
    "kokoro": "batchtts.engines.kokoro.spec:spec",
    "silent": "batchtts.engines.silent:spec",
}
"""Name -> `module:function`. `--engine` also takes such a pair itself, for an engine of the user's own."""

EMBEDDED = "kokoro"


def find(settings: EngineSettings, environ: Mapping[str, str] = os.environ) -> tuple[EngineSpec, str | None]:
    """The spec that the settings ask for, and a line for the user when `auto` had to settle for the embedded voice.

    Raises EngineUnavailable for an unknown name, a broken model, or a voice that the engine does not have.
    """
    if settings.engine != "auto":
        return _factory(settings.engine)(settings), None
    from batchtts.engines.chattts.checkpoint import find_model

    folder = find_model(settings, environ)
    if folder is not None:
        return _factory("chattts")(replace(settings, model_dir=folder)), None
    line = (
        "no ChatTTS model found, so the embedded voice (Kokoro) reads; "
        "`batchtts model fetch` gets the model (about 1.1 GB, CC BY-NC 4.0)"
    )
    return _factory(EMBEDDED)(settings), line


def _factory(name: str) -> Factory:
    target = FACTORIES.get(name, name)
    module, _, function = target.partition(":")
    if not function:
        known = ", ".join(["auto", *FACTORIES])
        raise EngineUnavailable(f"no engine is called {name!r}; there are: {known}")
    try:
        factory: Factory = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise EngineUnavailable(f"engine {name!r} does not load ({error}); check the installation") from error
    return factory
