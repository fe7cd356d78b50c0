"""The exceptions of batchtts. Each says in one line what happened, where, and what to do; each has an exit code."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The contract with cron and scripts (README, "Exit codes")."""

    COMPLETE = 0
    OTHER = 1
    USAGE = 2
    INPUT_REJECTED = 3
    ENGINE_UNAVAILABLE = 4
    FLAGGED = 5
    STOPPED = 6
    ALREADY_RUNNING = 75


class BatchttsError(Exception):
    """Base of every error that a user may see; the message is that one line."""

    exit_code = ExitCode.OTHER


class UsageError(BatchttsError):
    """The command line, a job file or a job folder asks for something contradictory."""

    exit_code = ExitCode.USAGE


class InputRejected(BatchttsError):
    """The source cannot be read as a document."""

    exit_code = ExitCode.INPUT_REJECTED


class EngineUnavailable(BatchttsError):
    """No such engine, model or voice, or it does not load."""

    exit_code = ExitCode.ENGINE_UNAVAILABLE


class AlreadyRunning(BatchttsError):
    """Another process works on this job folder."""

    exit_code = ExitCode.ALREADY_RUNNING


class JobBroken(BatchttsError):
    """The job folder's own files are damaged or cannot be written."""


class OutOfMemory(BatchttsError):
    """An engine ran out of memory. Caught by `render.loop` only, which lowers the budget and tries again."""
