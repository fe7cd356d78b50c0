"""The `batchtts` command: finds the subcommand, turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from batchtts import __version__
from batchtts.errors import BatchttsError, ExitCode

COMMANDS = {
    "render": "Render documents to chapter files, or go on where the last run stopped.",
    "plan": "Show chapters, sentences, batches, time and disk; render nothing.",
    "status": "Show what is done, left and flagged.",
    "redo": "Make new takes of some sentences.",
    "verify": "Check every clip and chapter against the ledger.",
    "run": "Run a job file, for cron.",
    "voices": "List the voices of an engine.",
    "model": "Get, check or make a ChatTTS model folder.",
    "doctor": "Report devices, versions, model, voices and disk.",
}
"""Name -> short help, so that `--help` imports no command."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"batchtts.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="batchtts")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Turn long documents into audiobooks, offline, in batches.

    \b
    Examples:
      batchtts render book.txt
      batchtts plan book.md --json
      batchtts status book/
    """
    ctx.ensure_object(dict)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the console script; ends the process with an `ExitCode`."""
    _mend_streams()
    sys.exit(_run(arguments))


def _mend_streams() -> None:
    """A closed standard stream (`2>&-`) becomes the null device, before a file takes its place and gets what was meant
    for it; a character that the terminal's encoding lacks becomes a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        elif mode == "w" and hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _run(arguments: Sequence[str] | None) -> int:
    state: dict[str, bool] = {}
    try:
        result = cli.main(arguments, prog_name="batchtts", standalone_mode=False, obj=state)
    except BatchttsError as error:
        return _fail(str(error), error.exit_code, error, state)
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        return _fail("stopped; the same command goes on where it was", ExitCode.STOPPED, None, state)
    except BrokenPipeError:
        return ExitCode.OTHER
    except Exception as error:
        line = f"unexpected {type(error).__name__}: {error}; --debug shows where"
        return _fail(line, ExitCode.OTHER, error, state)
    return result if isinstance(result, int) else ExitCode.COMPLETE


def _fail(line: str, code: ExitCode, error: Exception | None, state: dict[str, bool]) -> int:
    if error is not None and state.get("debug"):
        import traceback

        traceback.print_exception(error)
    click.echo(f"batchtts: {' '.join(line.split())}", err=True)
    return code
