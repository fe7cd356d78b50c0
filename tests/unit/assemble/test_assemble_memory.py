import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "stitch_memory.py"


@pytest.mark.slow
def test_memory_does_not_grow_with_the_length_of_a_chapter() -> None:
    """An hour, 170 MB of samples, takes at most 20 MB more memory to stitch than a minute."""
    command = [sys.executable, BENCHMARK, "--minutes", "1", "60", "--limit", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
