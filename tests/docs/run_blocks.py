#!/usr/bin/python3
"""Runs the code blocks of the manual: run_blocks.py PROGRAM [PAGE or FOLDER ...], or run_blocks.py PROGRAM --without FOLDER.
Exit code 1 when one does not do what the page says, or when there is no way to run it.

The blocks of a page are run one after the other in one scratch folder, which holds the examples. By language:

  sh      run by bash, command by command, in the folder where the block before ended; `lithe` and `./lithe` are the built
          program. In a clone `./lithe` is the script of the clone on the build folder of the program
  yaml    a whole model (it starts with `lithe:`) is checked with `lithe check`; a fragment is put into its context
  python  run with Debian's python3, after the imports of earlier blocks of the page, with the module `lithe` of the build
          where there is one
  cpp     compiled (syntax and types), unless it is a program of examples/cpp or one that tests/install/consumer_test.sh
          builds and runs; without `main` it is put into one
  cmake   taken out of the page and built against an installed Lithe by tests/install/consumer_test.sh:
          `run_blocks.py --print PAGE LANGUAGE`
  json    parsed
  xml     parsed
  text    output of the program, or a file that later blocks read, see below

A comment before a block says more:

  <!-- file: NAME -->         the block is also written to NAME, for later blocks
  <!-- in: CONTEXT -->        a fragment: tests/docs/contexts/CONTEXT.yaml is included before it, or has a line "# fragment" in
                              whose place it stands; CONTEXT.sh makes the files that it needs. Commands are run in the shell
                              that CONTEXT.sh has prepared
  <!-- side file of URDF -->  a side file: `lithe convert URDF --with` it
  <!-- output: COMMAND -->    every line of the block occurs in what the command prints, up to spaces
  <!-- fails: CODE -->        the last command of the block ends with this exit code
  <!-- needs: PROGRAMS -->    run only where these are installed

Of commands within sentences the verb and the options are checked.
"""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTEXTS = ROOT / "tests/docs/contexts"
CONSUMER_TEST = ROOT / "tests/install/consumer_test.sh"
ADDRESS = "https://your.host/lithe.git"  # of the clone, in the tutorial
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

    def __init__(self, program, folder, clones):
        self.program, self.folder = program, pathlib.Path(folder)
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        bin_folder = self.folder / ".bin"
        bin_folder.mkdir()
        # A program that was built without the report page cannot show one; everything else of the manual still holds.
        show = f'''show)
    said=$({program} "$@" 2>&1); code=$?
    if [[ $said == *"has no viewer"* ]]; then code=0; fi
    printf '%s\\n' "$said"; exit $code ;;'''
        # ./lithe is the front door. Its own commands must exist; the tests install.front_door and docs.site run what stands
        # behind help, clean, python and docs, the tutorial runs the gallery in a clone, and `test` is what runs this.
        # Everything else is the program's.
        own = f'''demo|test|bench|docs|python|clean|help) grep -q "^  ./lithe $1 " {ROOT}/lithe ;;'''
        programs = [(bin_folder / "lithe", show)]
        if not clones:  # a clone has its own
            programs.append((self.folder / "lithe", own + "\n  " + show))
        for path, cases in programs:
            path.write_text(f'''#!/bin/bash
case $1 in
  {cases}
  *) exec {program} "$@" ;;
esac
''', encoding="utf-8")
            path.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{bin_folder}:/usr/bin:/bin", LITHE_EXAMPLES=str(ROOT / "examples"),
                                NO_COLOR="1", LITHE_SOURCE=str(ROOT), PYTHONPATH=os.environ.get("LITHE_PYTHON_MODULE", ""))
        self.clone_from_here()
        self.here, self.count, self.imports, self.unread = self.folder, 0, [], {}

    def clone_from_here(self):
        """A clone from the address in the manual is one of this repository, and its front door finds the build of the program."""
        source = ROOT
        if not (ROOT / ".git").exists():  # an unpacked archive
            source = self.folder / ".source"
            shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("build*", "out"))
            author = ["-c", "user.name=docs", "-c", "user.email=docs@localhost"]
            for command in ["init"], ["add", "."], [*author, "commit", "-m", "all"]:
                subprocess.run(["git", "-C", str(source), *command], check=True, capture_output=True)
        config = self.folder / ".gitconfig"
        config.write_text(f'[url "{source}"]\n  insteadOf = {ADDRESS}\n[safe]\n  directory = *\n', encoding="utf-8")
        self.environment |= {"GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1", "LITHE_NO_INSTALL": "1"}
        build = pathlib.Path(self.program).parent
        if (build / "build.ninja").exists():
            cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
            self.environment |= {"LITHE_BUILD_DIR": str(build),
                                 "LITHE_VIEWER": "ON" if "LITHE_VIEWER:BOOL=ON" in cache else "OFF"}

    def bash(self, script):
        return subprocess.run(["bash", "-c", script], cwd=self.here, env=self.environment, capture_output=True, text=True)

    def run(self, block):
        """What went wrong, or None."""
        name = block.noted("file")
        for each in [each for each in self.unread if each in block.text]:
            del self.unread[each]
        if name:
            (self.here / name).parent.mkdir(parents=True, exist_ok=True)
            (self.here / name).write_text(block.text, encoding="utf-8")
        if block.noted("output"):
            return self.output(block, block.noted("output"))
        if name and block.language == "text":
            self.unread[name] = block
            return None
        runner = getattr(self, "run_" + block.language, None)
        if runner is None:
            return "there is no way to run it: give the fence a language, or say <!-- output: --> or <!-- file: --> before it"
        return runner(block)

    def unread_files(self):
        return [f"{block}: no later block reads {name}" for name, block in self.unread.items()]

    def output(self, block, command):
        answer = self.bash(command)
        printed = {" ".join(line.split()) for line in (answer.stdout + answer.stderr).splitlines()}
        missing = [line for line in block.text.splitlines() if line.strip() and " ".join(line.split()) not in printed]
        if missing:
            return f"`{command}` does not print:\n" + "\n".join(missing) + f"\nbut:\n{answer.stdout}{answer.stderr}"
        return None

    def run_sh(self, block):
        fails, context, place = int(block.noted("fails") or 0), block.noted("in"), self.folder / ".here"
        prepared = (CONTEXTS / f"{context}.sh").read_text(encoding="utf-8") if context else ""
        commands = re.sub(r" +&& +", "\n", block.text)  # set -e passes over a failure before &&
        answer = self.bash(f"set -e\ntrap 'pwd >{place}' EXIT\n{prepared}{commands}")
        self.here = pathlib.Path(place.read_text(encoding="utf-8").strip())
        if answer.returncode != fails:
            return f"exit code {answer.returncode}, expected {fails}\n{answer.stdout[-2000:]}{answer.stderr[-2000:]}"
        return None

    def check(self, model, command="check"):
        answer = self.bash(f"lithe {command} {model}")
        return f"{answer.stderr}" if answer.returncode != 0 else None

    def run_yaml(self, block):
        self.count += 1
        path = self.here / f"block-{self.count}.yaml"
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
        shutil.copy(CONTEXTS / f"{context}.yaml", self.here)
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
        self.count += 1
        path = self.here / f"block_{self.count}.py"
        path.write_text(head + block.text, encoding="utf-8")
        answer = subprocess.run([PYTHON, path.name], cwd=self.here, env=self.environment, capture_output=True, text=True)
        return answer.stderr[-2000:] if answer.returncode != 0 else None

    def run_cpp(self, block):
        # A page may show an example, which the tests compile and run as a program.
        examples = [path.read_text(encoding="utf-8").strip() for path in (ROOT / "examples/cpp").glob("*.cpp")]
        if block.text.strip() in examples or f"block {block.page} cpp >" in CONSUMER_TEST.read_text(encoding="utf-8"):
            return None
        self.count += 1
        path = self.here / f"block_{self.count}.cpp"
        text = block.text
        if "int main" not in text:
            # What the block includes has to be enough; a block that includes nothing stands for any program.
            lines = text.splitlines()
            headers = [line for line in lines if line.startswith("#include")] or ['#include "lithe/lithe.hpp"']
            body = [line for line in lines if not line.startswith("#include")]
            text = "\n".join([*headers, "int main() {", *body, "}", ""])
        path.write_text(text, encoding="utf-8")
        answer = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-I", str(ROOT / "include"), "-I",
                                 "/usr/include/eigen3", str(path)], capture_output=True, text=True)
        return answer.stderr[-2000:] if answer.returncode != 0 else None

    def run_cmake(self, block):
        taken = f"block {block.page} >"
        if taken not in CONSUMER_TEST.read_text(encoding="utf-8"):
            return f"{CONSUMER_TEST.relative_to(ROOT)} does not build it: '{taken}' is missing there"
        return None

    def run_xml(self, block):
        try:
            xml.etree.ElementTree.fromstring(block.text)
        except xml.etree.ElementTree.ParseError as fault:
            return str(fault)
        return None

    def run_json(self, block):
        try:
            json.loads(block.text)
        except ValueError as fault:
            return str(fault)
        return None


@functools.cache
def help_of(program, verb):
    return subprocess.run([program, verb, "--help"], capture_output=True, text=True)


def wrong_commands(path, program):
    """Commands within sentences: the verb exists and has the options."""
    text = re.sub(r"^ *```.*?^ *```$", lambda block: "\n" * block.group().count("\n"), path.read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)
    for span in re.finditer(r"`(?:\./)?lithe ([a-z][^`]*)`", text):
        verb, *arguments = span.group(1).split()
        front_door = re.search(rf"^  \./lithe {verb} ", (ROOT / "lithe").read_text(encoding="utf-8"), re.MULTILINE)
        answer = help_of(program, verb)
        options = [each for each in arguments if each.startswith("-")]
        unknown = [each for each in options if not re.search(rf"(^|[ ,]){each}\b", answer.stdout, re.MULTILINE)]
        if (answer.returncode != 0 and not front_door) or unknown:
            line = text.count("\n", 0, span.start()) + 1
            yield f"{path.relative_to(ROOT)}:{line}: there is no command {span.group()}"


def missing_here(block, page):
    """What the block needs and this machine or this build does not have."""
    missing = [each for each in (block.noted("needs") or "").split() if not shutil.which(each)]
    uses_module = any(re.match(r"(import|from) lithe\b", line) for line in page.imports + block.text.splitlines())
    if block.language == "python" and uses_module and not page.environment["PYTHONPATH"]:
        page.imports += [line for line in block.text.splitlines() if re.match(r"(import|from) ", line)]
        missing.append("the Python module")
    return missing


def print_block(page, language):
    """The only block of that language on the page."""
    found = [block for block in blocks_of(ROOT / page) if block.language == language]
    if len(found) != 1:
        sys.exit(f"{page} has {len(found)} blocks of {language}, not one")
    print(found[0].text, end="")


def all_pages():
    return sorted((ROOT / "docs").rglob("*.md")) + [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples/README.md"]


def pages_of(arguments):
    if arguments[:1] == ["--without"]:
        folder = pathlib.Path(arguments[1]).resolve(strict=True)
        return [page for page in all_pages() if folder not in page.parents]
    places = [pathlib.Path(each).resolve(strict=True) for each in arguments]
    return [page for place in places for page in (sorted(place.rglob("*.md")) if place.is_dir() else [place])] or all_pages()


def main():
    if sys.argv[1] == "--print":
        print_block(*sys.argv[2:])
        return
    program = str(pathlib.Path(sys.argv[1]).resolve())
    pages = pages_of(sys.argv[2:])
    run, elsewhere, faults = 0, [], []
    for path in pages:
        faults += wrong_commands(path, program)
        blocks = blocks_of(path)
        if not blocks:
            continue
        with tempfile.TemporaryDirectory() as folder:
            page = Page(program, folder, clones=any("git clone" in block.text for block in blocks))
            for block in blocks:
                missing = missing_here(block, page)
                if missing:
                    elsewhere.append(f"{block}: without {', '.join(missing)}")
                    continue
                fault = page.run(block)
                run += 1
                if fault:
                    faults.append(f"{block}: {fault}")
            faults += page.unread_files()
    for fault in faults:
        print(fault)
    print(f"{run} blocks run, {len(faults)} with faults, {len(elsewhere)} not on this machine")
    for each in elsewhere:
        print(f"  {each}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
