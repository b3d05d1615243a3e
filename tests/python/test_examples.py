"""Every example exists in C++ and in Python, and both print the same; a few are about what only Python has."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(path.stem for path in (ROOT / "examples" / "cpp").glob("*.cpp"))
ONLY_PYTHON = ["process_pool", "sweep"]


def printed(command):
    answer = subprocess.run([*command, str(ROOT / "examples")], capture_output=True, text=True, timeout=60)
    assert answer.returncode == 0 and not answer.stderr, answer.stderr
    return answer.stdout


def test_pairs():
    python = {path.stem for path in (ROOT / "python" / "examples").glob("*.py")}
    assert set(NAMES) == python - set(ONLY_PYTHON) and set(ONLY_PYTHON) <= python
    assert len(NAMES) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_same_numbers(name):
    python = printed([sys.executable, ROOT / "python" / "examples" / f"{name}.py"])
    cpp = printed([Path(os.environ["LITHE_CPP_EXAMPLES"]) / name])
    assert python == cpp
    assert python.count("\n") >= 2


@pytest.mark.parametrize("name", ONLY_PYTHON)
def test_only_python(name):
    assert printed([sys.executable, ROOT / "python" / "examples" / f"{name}.py"]).count("\n") >= 4
