#!/usr/bin/python3
"""Runs what the comments of the examples tell the reader to try: run_tries.py PROGRAM. Exit code 1 when a command does not
end as its comment says.

A command is a comment line of examples/**/*.yaml that starts, after `Try:` or spaces, with `lithe`; two spaces end it, then comes a remark. It ends
with exit code 0, or with the one that its line names (`exit code 1`). The commands of a file run one after the other in a folder of
their own, with the examples in it; a starter stands there as model.yaml. `reproduce` has tests of its own.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands(path):
    """Words of each command, and the exit code that its line promises."""
    for line in path.read_text().splitlines():
        found = re.match(r"#(?: Try:)?\s+lithe\s+(\w+)\s+(.*)", line)
        if found:
            verb, rest = found.groups()
            command = re.split(r"\s{2,}| ; ", rest)[0]
            words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]
            code = re.search(r"exit code (\d)", rest)
            yield [verb] + words, int(code.group(1)) if code else 0


def main(program):
    program = str(pathlib.Path(program).resolve())
    tried, failed = 0, 0
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
            if path.parent.name == "starters":
                shutil.copy(path, pathlib.Path(folder) / "model.yaml")
            for words, code in commands(path):
                if words[0] == "reproduce":
                    continue
                answer = subprocess.run([program] + words, cwd=folder, capture_output=True, text=True)
                tried += 1
                if answer.returncode != code:
                    failed += 1
                    print(f"{path.relative_to(ROOT)}: lithe {' '.join(words)}: exit code {answer.returncode}, not {code}")
                    print(answer.stderr)
    print(f"{tried} commands tried, {failed} of them do not end as promised")
    return 1 if failed or tried < 60 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
