"""Runs one hostile case in a folder of its own and judges what the program did.

Whatever the input or the fault: an exit code of 0, 1 or 2 and no signal; with 1 or 2 a message on stderr that a person
understands; files that were there stay as they were, apart from an output that was asked for and succeeded; nothing
half-written stays behind; with 0 the outputs are there, whole and finite.
"""

import math
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
LONGEST = 60  # s; nothing here takes more than a fraction of a second

# Texts of libraries and of crashes, which are no messages for people.
FOREIGN = re.compile(r"Sanitizer|runtime error:|terminate called|std::|json\.exception|basic_string|vector::|yaml-cpp|HDF5-DIAG|"
                     r"Assertion|bad_alloc")


@dataclass
class Case:
    name: str
    arguments: list
    codes: tuple = (0, 1, 2)  # exit codes that are right
    says: str = ""  # pattern that stderr must hold
    setup: Callable = None  # called with the folder before the run
    check: Callable = None  # called with folder and process after it; returns a complaint or nothing
    outputs: tuple = ()  # files that exist and are whole when the exit code is 0
    kept: tuple = ()  # outputs that a failed run keeps on purpose
    place: bool = False  # a complaint about the model names file and line
    stdout: str = ""  # where stdout goes; empty: it is read
    file_limit: int = 0  # bytes that a file may have; 0: any
    environment: dict = field(default_factory=dict)


def furnish(folder):
    for name in ("base.yaml", "part.yaml", "samples.csv"):
        shutil.copy(HERE / name, folder / name)
    shutil.copy(HERE.parent.parent / "examples" / "four-bar.yaml", folder / "four-bar.yaml")  # all of its joints follow laws


def contents(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = os.readlink(path)
        elif path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def fault_of_output(path):
    """Why a file that the program wrote with exit code 0 is not a whole one; empty when it is."""
    if not path.exists():
        return f"{path.name} is missing"
    data = path.read_bytes()
    if not data:
        return f"{path.name} is empty"
    if path.suffix == ".csv":
        lines = data.decode().splitlines()
        width = lines[0].count(",")
        if len(lines) < 2 or not data.endswith(b"\n"):
            return f"{path.name} has no rows"
        for line in lines[1:]:
            if line.count(",") != width or not all(math.isfinite(float(cell)) for cell in line.split(",")):
                return f"{path.name} has a bad row: {line[:80]}"
    if path.suffix == ".svg" and not data.rstrip().endswith(b"</svg>"):
        return f"{path.name} is cut off"
    if path.suffix == ".html" and not data.rstrip().endswith(b"</html>"):
        return f"{path.name} is cut off"
    return ""


def run(case, program):
    """A list of complaints; empty when the program did well."""
    with tempfile.TemporaryDirectory(prefix="lithe-faults-") as name:
        folder = Path(name)
        furnish(folder)
        if case.setup:
            case.setup(folder)
        before = contents(folder)
        # Limits are set by a program between: a function of this process would be a copy of it for every case.
        limits = ["prlimit", f"--fsize={case.file_limit}"] if case.file_limit else []
        out = open(case.stdout, "wb") if case.stdout else subprocess.PIPE
        try:
            done = subprocess.run([*limits, program, *map(str, case.arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.PIPE, timeout=LONGEST,
                                  env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", **case.environment})
        except subprocess.TimeoutExpired:
            return ["does not end"]
        finally:
            if case.stdout:
                out.close()
        said = done.stderr.decode(errors="replace")
        complaints = []
        if done.returncode not in case.codes:
            complaints.append(f"exit code {done.returncode}, expected one of {case.codes}")
        if FOREIGN.search(said):
            complaints.append("a message that is not for people")
        if done.returncode != 0 and "lithe: error: " not in said:
            complaints.append("no message")
        if case.says and not re.search(case.says, said):
            complaints.append(f"stderr does not say '{case.says}'")
        # The file and its line; or, where only the whole mechanism shows the fault, its element or the key of the run.
        if case.place and done.returncode == 2 and not re.search(r"\.(yaml|csv|json):\d+|(joint|link|loop) '|run\.", said):
            complaints.append("the message names no line")

        after = contents(folder)
        written = set(case.outputs) if done.returncode == 0 else set(case.kept)
        for path, data in before.items():
            if path not in written and after.get(path) != data:
                complaints.append(f"{path} was changed")
        for path in after.keys() - before.keys() - written - set(case.kept):
            complaints.append(f"{path} was left behind")
        if done.returncode == 0:
            complaints += [why for why in (fault_of_output(folder / path) for path in case.outputs) if why]
        if case.check:
            try:
                why = case.check(folder, done)
            except OSError as error:
                why = str(error)
            if why:
                complaints.append(why)
        return [f"{why}\n    {said.strip()[:600]}" for why in complaints]
