"""What the tests of the Python module share: the examples, and the program to compare with (LITHE_PROGRAM)."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def example():
    """Path of a model of the gallery."""
    return lambda name: str(ROOT / "examples" / f"{name}.yaml")


@pytest.fixture(scope="session")
def program():
    """Runs `lithe VERB MODEL --json OPTIONS` and returns its answer."""

    def run(*arguments):
        answer = subprocess.run(
            [os.environ["LITHE_PROGRAM"], *arguments, "--json"], capture_output=True, text=True, timeout=120
        )
        assert answer.returncode == 0, answer.stderr
        return json.loads(answer.stdout)

    return run
