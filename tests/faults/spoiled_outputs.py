"""Command lines that make no sense, places that cannot be written to, disks that are full, results that are damaged."""

import os
import shutil
import signal
import stat
import subprocess
import time
from pathlib import Path

from harness import HERE, Case, furnish

ROOT = HERE.parent.parent


class Made:
    """A result of the base model, made once."""

    def __init__(self, program, folder):
        furnish(folder)
        subprocess.run([program, "simulate", "base.yaml", "-o", "r.h5", "-q"], cwd=folder, check=True)
        subprocess.run([program, "link", "arm", "base.yaml", "-o", "arm.h5", "-q"], cwd=folder, check=True)
        self.result, self.link = (folder / "r.h5").read_bytes(), (folder / "arm.h5").read_bytes()


def with_result(data):
    return lambda folder: (folder / "r.h5").write_bytes(data)


def command_lines():
    wrong = {
        "nothing": [], "unknown verb": ["simulat", "base.yaml"], "unknown option": ["check", "base.yaml", "--fast"], "no model": ["check"],
        "two models": ["check", "base.yaml", "part.yaml"], "missing model": ["check", "none.yaml"], "folder": ["check", "."],
        "device": ["check", "/dev/null"], "endless device": ["check", "/dev/zero"], "full device": ["check", "/dev/full"],
        "empty name": ["check", ""], "table as model": ["check", "samples.csv"], "name too long": ["check", "x" * 5000],
        "text as number": ["simulate", "base.yaml", "--until", "soon"], "no value": ["simulate", "base.yaml", "--until"],
        "nan": ["simulate", "base.yaml", "--until", "nan"], "infinite": ["simulate", "base.yaml", "--until", "inf"],
        "before start": ["simulate", "base.yaml", "--until", "-1"], "never": ["simulate", "base.yaml", "--every", "0"],
        "backwards": ["simulate", "base.yaml", "--every", "-1"], "nan tolerance": ["simulate", "base.yaml", "--rtol", "nan"],
        "negative tolerance": ["simulate", "base.yaml", "--rtol", "-1"], "negative step": ["simulate", "base.yaml", "--step", "-1"],
        "infinite limit": ["simulate", "base.yaml", "--condition-limit", "nan"],
        "negative longest step": ["simulate", "base.yaml", "--max-step", "-1"],
        "nan longest step": ["simulate", "base.yaml", "--max-step", "nan"],
        "unknown integrator": ["simulate", "base.yaml", "--integrator", "euler"],
        "unknown formulation": ["simulate", "base.yaml", "--formulation", "magic"],
        "set nothing": ["check", "base.yaml", "--set", "length"], "set no value": ["check", "base.yaml", "--set", "length="],
        "set unknown": ["check", "base.yaml", "--set", "lenght=1"], "set a path": ["check", "base.yaml", "--set", "run.untill=1"],
        "set a map": ["check", "base.yaml", "--set", "run=1"], "set text": ["check", "base.yaml", "--set", "length=long"],
        "set yaml": ["check", "base.yaml", "--set", "length={a: 1}"], "set bytes": ["check", "base.yaml", "--set", b"length=\xff\xfe"],
        "quiet and verbose": ["check", "base.yaml", "--quiet", "--verbose"], "page of a table": ["show", "samples.csv", "-o", "p.html"],
        "plot of nothing": ["plot", "none.h5", "-o", "f.svg"], "plot without columns": ["plot", "r.h5", "-o", "f.svg"],
        "plot of an unknown column": ["plot", "r.h5", "--what", "q.nobody", "-o", "f.svg"],
        "plot of an unknown format": ["plot", "r.h5", "--what", "q.motor", "-o", "f.bmp"],
        "plot backwards": ["plot", "r.h5", "--what", "q.motor", "--from", "2", "--until", "1", "-o", "f.svg"],
        "plot without end": ["plot", "r.h5", "--what", "q.motor", "--until", "inf", "-o", "f.svg"],
        "plot of nan": ["plot", "r.h5", "--what", "q.motor", "--from", "nan", "-o", "f.svg"],
        "no results": ["show"], "seed of text": ["compare", "base.yaml", "--seed", "x"], "no states": ["compare", "base.yaml", "--states", "0"],
        "unknown link": ["link", "leg", "base.yaml"], "unknown frame": ["statics", "base.yaml", "--frame", "arm/nowhere"],
        "unknown case": ["reproduce", "nobody"], "unknown starter": ["new", "moon-base", "-o", "m.yaml"],
        "starter over a file": ["new", "five-bar", "-o", "base.yaml"], "unknown shell": ["completion", "dos"],
        "csv and json on stdout": ["simulate", "base.yaml", "--csv", "-", "--json"], "both to one": ["simulate", "base.yaml", "-o", "a.h5", "--csv", "a.h5"],
        "hdf5 as csv": ["simulate", "base.yaml", "-o", "a.csv"], "result as model": ["simulate", "r.h5"],
        "time that is no time": ["modes", "base.yaml", "--at", "nan"], "no modes": ["modes", "base.yaml", "--count", "0"],
    }
    return wrong


def cases(program, made):
    for name, arguments in command_lines().items():
        yield Case(f"command line: {name}", arguments, codes=(2,), setup=with_result(made.result))
    yield from refused_places(made)
    yield from full_disks(made)
    yield from damaged(made)
    yield from conversions()
    yield from interruptions(program)


def add_device(folder):
    """A null device of the folder's own, or a pipe where that is not allowed. Never the one of the machine: a program that
    fails the test would destroy it."""
    try:
        os.mknod(folder / "device.csv", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError:
        os.mkfifo(folder / "device.csv")


def links(folder):
    add_device(folder)
    os.symlink("base.yaml", folder / "link.csv")
    os.symlink("nowhere", folder / "dangling.csv")
    os.link(folder / "base.yaml", folder / "hard.csv")
    os.link(folder / "samples.csv", folder / "hard-table.csv")
    (folder / "precious.txt").write_text("precious")
    os.symlink("precious.txt", folder / "link.h5")
    (folder / "protected.csv").write_text("protected")
    (folder / "protected.csv").chmod(0o444)
    (folder / "sub").mkdir()
    os.mkfifo(folder / "pipe.csv")


def refused_places(made):
    for place in ("base.yaml", "./base.yaml", "sub/../base.yaml", "part.yaml", "samples.csv", "link.csv", "hard.csv", "hard-table.csv",
                  "dangling.csv", "sub", "sub/none/a.csv", "protected.csv", "pipe.csv", "device.csv", "/proc/a.csv",
                  "/sys/a.csv", "x" * 300 + ".csv", "/nowhere/a.csv"):
        yield Case(f"simulate --csv {place[:40]}", ["simulate", "base.yaml", "--csv", place], setup=links, codes=(2,),
                   says=r"cannot write|does not exist")
    for place in ("link.h5", "/proc/a.h5", "/nowhere/a.h5", "x" * 300 + ".h5"):
        yield Case(f"simulate -o {place[:40]}", ["simulate", "base.yaml", "-o", place], setup=links, codes=(2,),
                   says=r"cannot write|does not exist")
    for verb in ("inverse", "kinematics"):
        yield Case(f"{verb} over its model", [verb, "four-bar.yaml", "--csv", "four-bar.yaml"], codes=(2,))

    def result(folder):
        with_result(made.result)(folder)
        os.link(folder / "r.h5", folder / "hard.html")
        os.symlink("r.h5", folder / "link.html")
        add_device(folder)

    for place in ("r.h5", "./r.h5", "hard.html", "link.html", "device.csv", ".", "/proc/p.html"):
        yield Case(f"show -o {place}", ["show", "r.h5", "-o", place], setup=result, codes=(2,))
    for place in ("r.svg", "/proc/a.svg", "none/a.svg"):
        yield Case(f"plot -o {place}", ["plot", "r.h5", "--what", "q.motor", "-o", place], codes=(2,),
                   setup=lambda folder: (result(folder), os.symlink("r.h5", folder / "r.svg")))
    for verb, option in (("--csv", "base.yaml"), ("--csv", "samples.csv"), ("-o", "arm.json"), ("--csv", "device.csv"), ("-o", "/proc/a.json")):
        yield Case(f"link {verb} {option}", ["link", "arm", "base.yaml", verb, option], codes=(2,),
                   setup=lambda folder: (os.symlink("base.yaml", folder / "arm.json"), add_device(folder)))
    yield Case("new over a device", ["new", "five-bar", "-o", "device.csv", "--force"], codes=(2,), setup=add_device)
    for place in ("robot.urdf", "device.csv", "link.yaml"):
        yield Case(f"convert -o {place}", ["convert", "robot.urdf", "-o", place], codes=(2,),
                   setup=lambda folder: (shutil.copy(ROOT / "examples/urdf/palletiser.urdf", folder / "robot.urdf"),
                                         os.symlink("robot.urdf", folder / "link.yaml"), add_device(folder)))
    # A place that is fine, for comparison; the earlier file is replaced.
    yield Case("simulate over an earlier result", ["simulate", "base.yaml", "-o", "r.h5", "--csv", "r.csv"], codes=(0,),
               setup=with_result(b"earlier"), outputs=("r.h5", "r.csv"))


def full_disks(made):
    earlier = lambda folder: [(folder / name).write_text("earlier") for name in ("out.csv", "out.h5", "out.html", "out.svg", "out.png",
                                                                                 "out.json", "out.yaml")] and with_result(made.result)(folder)
    writers = {
        "csv": ["simulate", "base.yaml", "--every", "1e-4", "--csv", "out.csv"], "hdf5": ["simulate", "base.yaml", "-o", "out.h5"],
        "both": ["simulate", "base.yaml", "--every", "1e-4", "-o", "out.h5", "--csv", "out.csv"], "page": ["show", "r.h5", "-o", "out.html"],
        "figure": ["plot", "r.h5", "--what", "q.motor", "-o", "out.svg"], "picture": ["plot", "r.h5", "--what", "q.motor", "-o", "out.png"],
        "link": ["link", "arm", "base.yaml", "-o", "out.json"], "link in hdf5": ["link", "arm", "base.yaml", "-o", "out.h5"],
        "shapes": ["link", "arm", "base.yaml", "--csv", "out.csv"], "starter": ["new", "five-bar", "-o", "out.yaml", "--force"],
        "conversion": ["convert", str(ROOT / "examples/urdf/palletiser.urdf"), "-o", "out.yaml"],
        "inverse": ["inverse", "four-bar.yaml", "--csv", "out.csv"],
    }
    for name, arguments in writers.items():
        for limit in (1, 30, 300):
            yield Case(f"disk full after {limit} bytes: {name}", arguments, codes=(2,), setup=earlier, file_limit=limit,
                       says="cannot write|rsvg-convert")
    for limit in (3000, 9000, 20000, 40000):
        yield Case(f"disk full after {limit} bytes: long run", ["simulate", "base.yaml", "--every", "1e-5", "-o", "out.h5"], codes=(2,), setup=earlier,
                   file_limit=limit, says="cannot write 'out.h5': File too large")
        yield Case(f"disk full after {limit} bytes: long table", ["simulate", "base.yaml", "--every", "1e-5", "--csv", "out.csv"], codes=(2,),
                   setup=earlier, file_limit=limit, says="cannot write 'out.csv': File too large")
    # stdout is a file like any other.
    for arguments in (["--help"], ["--version"], ["check", "base.yaml"], ["check", "base.yaml", "--json"], ["simulate", "base.yaml"],
                      ["simulate", "base.yaml", "--json"], ["simulate", "base.yaml", "--csv", "-"], ["schema"], ["completion", "bash"],
                      ["new", "--list"], ["show", "r.h5", "-o", "p.html"], ["plot", "r.h5", "--what", "q.motor", "-o", "f.svg"],
                      ["link", "arm", "base.yaml"], ["statics", "base.yaml"], ["modes", "base.yaml"], ["reproduce"],
                      ["convert", str(ROOT / "examples/urdf/palletiser.urdf")], ["check", "none.yaml", "--json"]):
        yield Case(f"stdout full: {' '.join(arguments)[-60:]}", arguments, codes=(1, 2), setup=with_result(made.result), stdout="/dev/full",
                   kept=("p.html", "f.svg"))
    # More rows than the printed table keeps in memory.
    yield Case("many rows", ["simulate", "base.yaml", "--every", "2e-6", "--csv", "out.csv"], codes=(0,), outputs=("out.csv",))
    # What cannot fit is refused before the run.
    for arguments, words in ((["--until", "1e9"], "lengthen run.every"), (["--until", "1e8", "--csv", "out.csv"], "lengthen run.every"),
                             (["--until", "1e6", "--every", "1e-4", "--json"], "rows"),
                             (["--until", "1e9", "--every", "1", "--integrator", "rk4", "--step", "1e-3"], "lengthen run.step")):
        yield Case(f"too much: {' '.join(arguments)}", ["simulate", "base.yaml", *arguments], codes=(2,), says=words)


def damaged(made):
    def show(name, data, codes=(2,)):
        yield Case(f"damaged result, {name}: show", ["show", "r.h5", "-o", "p.html", "-q"], setup=with_result(data), codes=codes, outputs=("p.html",))
        yield Case(f"damaged result, {name}: plot", ["plot", "r.h5", "--what", "q.*", "-o", "f.svg", "-q"], setup=with_result(data), codes=codes,
                   outputs=("f.svg",))

    whole = made.result
    for name, data in {"empty": b"", "text": b"hello\n", "head only": whole[:8], "zeros": bytes(len(whole)), "a link": made.link,
                       "the middle is missing": whole[:2000] + whole[-2000:]}.items():
        yield from show(name, data)
    for i in range(1, 8):
        yield from show(f"cut at {i}/8", whole[:len(whole) * i // 8])
    for i in range(24):
        at = (i * 7919 + 13) * 104729 % len(whole)
        yield from show(f"bit {i}", whole[:at] + bytes([whole[at] ^ (1 << i % 8)]) + whole[at + 1:], (0, 2))
    yield from show("nothing", whole, (0,))
    spoiled = (HERE / "base.yaml").read_text().replace(
        "  arm:\n", "  cast: {imported: {file: cast.h5}}\n  arm:\n").replace("  slide:", "  weld: {fixed: true, from: crank, to: cast/root}\n  slide:", 1)
    for name, data in {"empty": b"", "text": b"{}", "cut": made.link[:len(made.link) // 2], "a result": whole}.items():
        yield Case(f"link file {name}", ["check", "model.yaml"], codes=(2,), place=True,
                   setup=lambda folder, data=data: ((folder / "model.yaml").write_text(spoiled), (folder / "cast.h5").write_bytes(data)))
    for name, text in {"no json": "{", "a list": "[]", "empty": "", "no frames": '{"lithe_link": 1, "name": "a", "mass": 1}',
                       "texts": '{"lithe_link": 1, "name": 5, "mass": "x"}', "deep": "[" * 100000}.items():
        yield Case(f"link file in JSON, {name}", ["check", "model.yaml"], codes=(2,), place=True,
                   setup=lambda folder, text=text: ((folder / "model.yaml").write_text(spoiled.replace("cast.h5", "cast.json")),
                                                    (folder / "cast.json").write_text(text)))


def conversions():
    robot = (ROOT / "examples/urdf/palletiser.urdf").read_text()
    for name, text in {"empty": "", "no xml": "hello", "open": robot[:len(robot) // 2], "model": (HERE / "base.yaml").read_text(), "no robot": "<a/>",
                       "no links": "<robot name='a'/>", "nan": robot.replace('value="', 'value="nan', 1), "bytes": "\x01\x02<robot/>"}.items():
        yield Case(f"URDF {name}", ["convert", "robot.urdf", "-o", "out.yaml"], codes=(1, 2), outputs=("out.yaml",),
                   setup=lambda folder, text=text: (folder / "robot.urdf").write_text(text))


def interruptions(program):
    """Signals during a run: what it has is kept, and an earlier result survives a sudden end."""
    def rows_of(path):
        return len(path.read_text().splitlines()) - 1

    def run_and_signal(number, arguments, judge):
        def check(folder, _):
            (folder / "out.csv").write_text("earlier")
            process = subprocess.Popen([program, "simulate", "base.yaml", *arguments], cwd=folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            partial, deadline = folder / "out.csv.partial", time.time() + 30
            while not (partial.exists() and partial.stat().st_size > 2000) and time.time() < deadline:
                time.sleep(0.01)
            process.send_signal(number)
            said = process.communicate()[1].decode()
            return judge(folder, process.returncode, said)
        return check

    def kept(folder, code, said):
        if code != 1 or "stopped at t =" not in said:
            return f"exit code {code}: {said}"
        if (folder / "out.csv.partial").exists() or rows_of(folder / "out.csv") < 2:
            return "rows are lost"

    def survived(folder, code, said):
        if (folder / "out.csv").read_text() != "earlier":
            return "the earlier result is lost"
        if rows_of(folder / "out.csv.partial") < 2:
            return "what the killed run had flushed is lost"

    endless = ["--until", "500", "--every", "1e-3", "--max-step", "1e-3", "--csv", "out.csv", "-q"]
    for name, number, judge in (("SIGINT", signal.SIGINT, kept), ("SIGTERM", signal.SIGTERM, kept), ("SIGKILL", signal.SIGKILL, survived)):
        yield Case(f"interruption: {name}", ["--version"], codes=(0,), kept=("out.csv", "out.csv.partial"), check=run_and_signal(number, endless, judge))

    def two_writers(folder, _):
        first = subprocess.Popen([program, "simulate", "base.yaml", *endless], cwd=folder, stderr=subprocess.PIPE)
        deadline = time.time() + 30
        while not (folder / "out.csv.partial").exists() and time.time() < deadline:
            time.sleep(0.01)
        second = subprocess.run([program, "simulate", "base.yaml", "--csv", "out.csv", "-q"], cwd=folder, capture_output=True)
        first.send_signal(signal.SIGINT)
        first.communicate()
        if second.returncode != 2 or b"another run is writing it" not in second.stderr:
            return f"the second writer: {second.returncode} {second.stderr.decode()}"
        if rows_of(folder / "out.csv") < 2:
            return "the first writer lost its rows"

    yield Case("a second writer", ["--version"], codes=(0,), kept=("out.csv",), check=two_writers)
