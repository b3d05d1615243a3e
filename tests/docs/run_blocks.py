#!/usr/bin/python3
"""Runs the code blocks of the manual: run_blocks.py PROGRAM [PAGE ...]. Exit code 1 when one does not do what the page says.

The blocks of a page are run one after the other in one scratch folder, which holds the examples. By language:

  sh      run by bash, command by command; `lithe` and `./lithe` are the built program
  yaml    a whole model (it starts with `lithe:`) is checked with `lithe check`; a fragment is put into its context
  python  run with Debian's python3, after the imports of earlier blocks of the page, with the module `lithe` of the build
          where there is one
  cpp     compiled (syntax and types), unless it is a program of examples/cpp; without `main` it is put into one
  json    parsed
  text    output of the program, see below

A comment before a block says more:

  <!-- file: NAME -->         the block is also written to NAME, for later blocks
  <!-- in: CONTEXT -->        a fragment: tests/docs/contexts/CONTEXT.yaml is included before it, or has a line "# fragment" in
                              whose place it stands; CONTEXT.sh makes the files that it needs
  <!-- side file of URDF -->  a side file: `lithe convert URDF --with` it
  <!-- output: COMMAND -->    every line of the block occurs in what the command prints, up to spaces
  <!-- fails: CODE -->        the last command of the block ends with this exit code
  <!-- not run: REASON -->    neither run nor checked; there are few of these
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTEXTS = ROOT / "tests/docs/contexts"
MOST_NOT_RUN = 8
PYTHON = "/usr/bin/python3"


class Block:
    def __init__(self, page, line, language, text, note):
        self.page, self.line, self.language, self.text, self.note = page, line, language, text, note

    def __str__(self):
        return f"{self.page}:{self.line} ({self.language or 'no language'})"

    def noted(self, word):
        found = re.search(rf"<!-- {word}:? (.*?) -->", self.note)
        return found.group(1) if found else None


def blocks_of(path):
    lines, blocks, note, at = path.read_text(encoding="utf-8").splitlines(), [], "", 0
    while at < len(lines):
        fence = re.match(r"^( *)```(\w*)", lines[at])
        if fence:
            end = next(k for k in range(at + 1, len(lines)) if lines[k].strip() == "```")
            text = "\n".join(line[len(fence.group(1)):] for line in lines[at + 1:end]) + "\n"
            blocks.append(Block(path.relative_to(ROOT), at + 1, fence.group(2), text, note))
            at, note = end, ""
        elif lines[at].startswith("<!--"):
            note += lines[at]
        elif lines[at].strip():
            note = ""
        at += 1
    return blocks


class Page:
    """A scratch folder in which the blocks of a page are run."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        bin_folder = self.folder / ".bin"
        bin_folder.mkdir()
        # A program that was built without the report page cannot show one; everything else of the manual still holds.
        show = f'''show)
    said=$({program} "$@" 2>&1); code=$?
    if [[ $said == *"has no viewer"* ]]; then code=0; fi
    printf '%s\\n' "$said"; exit $code ;;'''
        # ./lithe is the front door: its own commands (test, bench, ...) must exist, everything else is the program's.
        own = f'''test|bench|docs|python|clean|help) grep -q "^  ./lithe $1 " {ROOT}/lithe ;;'''
        for path, cases in (bin_folder / "lithe", show), (self.folder / "lithe", own + "\n  " + show):
            path.write_text(f'''#!/bin/bash
case $1 in
  {cases}
  *) exec {program} "$@" ;;
esac
''', encoding="utf-8")
            path.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{bin_folder}:/usr/bin:/bin", LITHE_EXAMPLES=str(ROOT / "examples"),
                                NO_COLOR="1", LITHE_SOURCE=str(ROOT), PYTHONPATH=os.environ.get("LITHE_PYTHON_MODULE", ""))
        self.count, self.imports = 0, []

    def bash(self, script):
        return subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def run(self, block):
        """What went wrong, or None."""
        name = block.noted("file")
        if name:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(block.text, encoding="utf-8")
        if block.noted("output"):
            return self.output(block, block.noted("output"))
        runner = getattr(self, "run_" + block.language, None)
        if runner is None:
            return "give the fence a language, or say <!-- not run: REASON --> before it"
        return runner(block)

    def output(self, block, command):
        answer = self.bash(command)
        printed = {" ".join(line.split()) for line in (answer.stdout + answer.stderr).splitlines()}
        missing = [line for line in block.text.splitlines() if line.strip() and " ".join(line.split()) not in printed]
        if missing:
            return f"`{command}` does not print:\n" + "\n".join(missing) + f"\nbut:\n{answer.stdout}{answer.stderr}"
        return None

    def run_sh(self, block):
        fails = int(block.noted("fails") or 0)
        answer = self.bash("set -e\n" + block.text)
        if answer.returncode != fails:
            return f"exit code {answer.returncode}, expected {fails}\n{answer.stdout[-2000:]}{answer.stderr[-2000:]}"
        return None

    def check(self, model, command="check"):
        answer = self.bash(f"lithe {command} {model}")
        return f"{answer.stderr}" if answer.returncode != 0 else None

    def run_yaml(self, block):
        self.count += 1
        path = self.folder / f"block-{self.count}.yaml"
        urdf = block.noted("side file of")
        if urdf:
            path.write_text(block.text, encoding="utf-8")
            return self.check(f"{urdf} --with {path.name}", "convert")
        context = block.noted("in")
        if context is None:
            if not block.text.startswith("lithe:"):
                return "a fragment needs its context: <!-- in: CONTEXT -->"
            path.write_text(block.text, encoding="utf-8")
            return self.check(path.name)
        shutil.copy(CONTEXTS / f"{context}.yaml", self.folder)
        if (CONTEXTS / f"{context}.sh").exists():
            self.bash((CONTEXTS / f"{context}.sh").read_text(encoding="utf-8"))
        text = (CONTEXTS / f"{context}.yaml").read_text(encoding="utf-8")
        place = re.search(r"^( *)# fragment$", text, re.MULTILINE)
        if place:
            fragment = "\n".join(place.group(1) + line for line in block.text.splitlines())
            path.write_text(text[:place.start()] + fragment + text[place.end():], encoding="utf-8")
        else:
            head = "" if block.text.startswith("lithe:") else "lithe: 1\n"
            path.write_text(f"{head}include: {context}.yaml\n{block.text}", encoding="utf-8")
        return self.check(path.name)

    def run_python(self, block):
        # As in a session: what an earlier block of the page has imported is there.
        head = "".join(f"{line}\n" for line in self.imports)
        self.imports += [line for line in block.text.splitlines() if re.match(r"(import|from) ", line)]
        if any(re.match(r"(import|from) lithe\b", line) for line in self.imports) and not self.environment["PYTHONPATH"]:
            return None  # the module is not part of this build
        self.count += 1
        path = self.folder / f"block_{self.count}.py"
        path.write_text(head + block.text, encoding="utf-8")
        answer = subprocess.run([PYTHON, path.name], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        return answer.stderr[-2000:] if answer.returncode != 0 else None

    def run_cpp(self, block):
        # A page may show an example, which the tests compile and run as a program.
        examples = [path.read_text(encoding="utf-8").strip() for path in (ROOT / "examples/cpp").glob("*.cpp")]
        if block.text.strip() in examples:
            return None
        self.count += 1
        path = self.folder / f"block_{self.count}.cpp"
        text = block.text
        if "int main" not in text:
            headers = [str(p.relative_to(ROOT / "include")) for p in (ROOT / "include/lithe").rglob("*.hpp")]
            text = "".join(f'#include "{each}"\n' for each in sorted(headers)) + f"int main() {{\n{text}\n}}\n"
        path.write_text(text, encoding="utf-8")
        answer = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "include"), "-I",
                                 "/usr/include/eigen3", str(path)], capture_output=True, text=True)
        return answer.stderr[-2000:] if answer.returncode != 0 else None

    def run_json(self, block):
        try:
            json.loads(block.text)
        except ValueError as fault:
            return str(fault)
        return None


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    pages = [pathlib.Path(each).resolve() for each in sys.argv[2:]]
    if not pages:
        pages = sorted((ROOT / "docs").rglob("*.md")) + [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples/README.md"]
    run, skipped, faults = 0, [], []
    for path in pages:
        blocks = blocks_of(path)
        if not blocks:
            continue
        with tempfile.TemporaryDirectory() as folder:
            page = Page(program, folder)
            for block in blocks:
                if block.noted("not run"):
                    skipped.append(f"{block}: {block.noted('not run')}")
                    continue
                fault = page.run(block)
                run += 1
                if fault:
                    faults.append(f"{block}: {fault}")
    for fault in faults:
        print(fault)
    print(f"{run} blocks run, {len(faults)} with faults, {len(skipped)} not run:")
    for each in skipped:
        print(f"  {each}")
    if len(sys.argv) == 2 and len(skipped) > MOST_NOT_RUN:
        faults.append("too many")
        print(f"more than {MOST_NOT_RUN} blocks are not run")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
