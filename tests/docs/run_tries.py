#!/usr/bin/python3
"""Runs what the comments of the examples tell the reader to try: run_tries.py PROGRAM. Exit code 1 when a command does not
end as its comment says.

A command is a comment line of examples/**/*.yaml that starts, after `Try:` or spaces, with `lithe`; two spaces end it, then comes a remark. It ends
with exit code 0, or with the one that its line names (`exit code 1`). The commands of a file run one after the other in a folder of
their own, with the examples in it; a starter stands there as model.yaml. `reproduce` has tests of its own. What a page of the
manual tells to do in the same words is run by run_blocks.py, and not again here unless a later command of the file reads what it writes.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import run_blocks

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


def in_the_manual():
    """Words of commands about examples that stand on pages in blocks which end with exit code 0 wherever they are run."""
    found = []
    for page in run_blocks.all_pages():
        for block in run_blocks.blocks_of(page):
            if block.language != "sh" or any(block.noted(word) for word in ("fails", "in", "needs")):
                continue
            for line in block.text.replace("\\\n", " ").splitlines():
                try:
                    words = shlex.split(line, comments=True)
                except ValueError:  # a string over several lines
                    continue
                if words[:1] == ["lithe"] and any(word.startswith("examples/") for word in words):
                    found.append(words[1:])
    return found


def main(program):
    program = str(pathlib.Path(program).resolve())
    tried, elsewhere, failed = 0, 0, 0
    manual = in_the_manual()
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
            if path.parent.name == "starters":
                shutil.copy(path, pathlib.Path(folder) / "model.yaml")
            told = list(commands(path))
            for place, (words, code) in enumerate(told):
                if words[0] == "reproduce":
                    continue
                written = [value for option, value in zip(words, words[1:]) if option.startswith("-")]
                read = [word for later, _ in told[place + 1:] for word in later]
                if code == 0 and words in manual and not any(name in word for name in written for word in read):
                    elsewhere += 1
                    continue
                answer = subprocess.run([program] + words, cwd=folder, capture_output=True, text=True)
                tried += 1
                if answer.returncode != code:
                    failed += 1
                    print(f"{path.relative_to(ROOT)}: lithe {' '.join(words)}: exit code {answer.returncode}, not {code}")
                    print(answer.stderr)
    print(f"{tried} commands tried, {failed} of them do not end as promised; {elsewhere} are run with the manual")
    return 1 if failed or tried < 60 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
