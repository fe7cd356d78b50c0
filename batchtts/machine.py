"""What the machine has to give."""

from __future__ import annotations

import re
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_CGROUP = Path("/sys/fs/cgroup")


def available_memory() -> int | None:
    """Bytes that may still be used without swapping; None where that cannot be known.

    Linux's own estimate (`MemAvailable`: what is free, and the caches that can be dropped), or what the container's
    limit (cgroup 2) leaves, if that is less. Past it the system does not refuse memory: it kills the process.
    """
    known = [value for value in (_available(), _left_by_limit()) if value is not None]
    return min(known, default=None)


def _available() -> int | None:
    try:
        found = re.search(r"^MemAvailable:\s+(\d+) kB", _MEMINFO.read_text(), re.M)
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _left_by_limit() -> int | None:
    try:
        limit, used = ((_CGROUP / name).read_text().strip() for name in ("memory.max", "memory.current"))
        return max(0, int(limit) - int(used))
    except (OSError, ValueError):  # no limit is the word `max`
        return None
