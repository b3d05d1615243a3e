#!/usr/bin/python3
"""Whole runs of two programs, for instance of two commits, alternating on one core:

    bench/against_before.py BEFORE NOW [--runs 7] [--core 1] [--instructions] [--only TEXT]

The ten mechanisms of the target `work-precision`, each with a `run:` that says only how long it takes and when a row is
written: both programs integrate as they do by default. What an earlier program cannot read (stress and fatigue of a
link) is left out for both. Rows go to CSV files; both must have the same columns and instants, and the largest
difference of deflections and positions is printed in percent of the largest deflection (of rigid mechanisms, of the
largest coordinate).

Process: CPU time from the start of the program to its end. Run: that less the same for a run of two rows and a
nanosecond, so steps and rows without program start, reading and assembly. The least of all runs counts. With
--instructions valgrind counts instructions in place of time, once each: other work on the machine does not disturb them.
"""

import argparse
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
ELASTIC = ["flexible-four-bar", "flexible-slider-crank", "flexible-3rrr", "flexible-pendulum", "spin-up-beam",
           "fattah-3rrr", "fattah-3rrs", "soft-pendulum"]
RIGID = ["double-pendulum", "delta-robot"]
DEFLECTION = re.compile(r"q\..*\.e\d+$")


class Loader(yaml.SafeLoader):
    """`on` and `off` are words, as in YAML 1.2."""


class Dumper(yaml.SafeDumper):
    """The same; no anchors."""

    def ignore_aliases(self, data):
        return True


BOOL = "tag:yaml.org,2002:bool"
for one in (Loader, Dumper):
    one.yaml_implicit_resolvers = {first: [pair for pair in pairs if pair[0] != BOOL]
                                   for first, pairs in one.yaml_implicit_resolvers.items()}
    one.add_implicit_resolver(BOOL, re.compile("^(?:true|false)$"), "tf")


def plain_model(name, short=False):
    """The example, with default numerics, without what came later; `short`: it ends at once."""
    model = yaml.load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"), Loader)
    model["run"] = {key: value for key, value in model["run"].items() if key in ("from", "until", "every")}
    if short:
        model["run"].update(until=1e-9, every=1e-9)
    model["record"] = [what for what in model["record"] if what not in ("stress", "stress-parts")]
    for material in model.get("materials", {}).values():
        for key in ("yield", "fatigue"):
            material.pop(key, None)
    return yaml.dump(model, Dumper=Dumper, sort_keys=False, width=1000)


class Fails(Exception):
    """A program refused a model."""


class Program:
    def __init__(self, path, rows):
        self.path, self.rows = path, rows

    def command(self, model):
        return [self.path, "simulate", str(model), "--csv", str(self.rows)]

    def cpu(self, model):
        """CPU time of the process, ms."""
        silence = [(os.POSIX_SPAWN_OPEN, out, "/dev/null", os.O_WRONLY, 0) for out in (1, 2)]
        process = os.posix_spawn(self.path, self.command(model), os.environ, file_actions=silence)
        _, status, usage = os.wait4(process, 0)
        if status != 0 and model.stem != "start":  # in which too little happens for an energy balance
            raise Fails(" ".join(self.command(model)))
        return 1e3 * (usage.ru_utime + usage.ru_stime)

    def instructions(self, model):
        """Of the process, in millions."""
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + self.command(model)
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        text = done.stderr.decode()
        return 1e-6 * int(re.search(r"Collected : (\d+)", text).group(1))

    def table(self):
        with open(self.rows, encoding="utf-8") as file:
            rows = csv.reader(file)
            return next(rows), [[float(value) for value in row] for row in rows]


def difference(before, now, elastic):
    """Largest difference of what is recorded, in parts of the largest deflection; both must have recorded the same."""
    (columns, old), (ours, new) = before.table(), now.table()
    if columns != ours or [row[0] for row in old] != [row[0] for row in new]:
        sys.exit(f"other columns or instants: {set(columns) ^ set(ours)}, {len(old)} and {len(new)} rows")
    largest = worst = 0.0
    for i, name in enumerate(columns):
        counts = DEFLECTION.match(name) if elastic else name.startswith("q.")
        if counts:
            largest = max(largest, max(abs(row[i]) for row in old))
        if counts or name.startswith("pos."):
            worst = max(worst, max(abs(a[i] - b[i]) for a, b in zip(old, new)))
    return worst / largest


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--core", type=int, default=os.cpu_count() - 1)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    unit = "million instructions" if options.instructions else "ms"
    print(f"| mechanism | difference (%) | run before ({unit}) | now | times less | process before ({unit}) | now | "
          "times less |\n|---|---|---|---|---|---|---|---|")
    gains = []
    memory = pathlib.Path("/dev/shm")  # a disk would add its own
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        folder = pathlib.Path(folder)
        model, start = folder / "model.yaml", folder / "start.yaml"
        programs = [Program(options.before, folder / "before.csv"), Program(options.now, folder / "now.csv")]
        cost = Program.instructions if options.instructions else Program.cpu
        for name in ELASTIC + RIGID:
            if options.only not in name:
                continue
            start.write_text(plain_model(name, short=True), encoding="utf-8")
            model.write_text(plain_model(name), encoding="utf-8")
            least = [[math.inf, math.inf], [math.inf, math.inf]]
            try:
                for _ in range(1 if options.instructions else options.runs):
                    for best, program in zip(least, programs):
                        best[:] = map(min, best, (cost(program, start), cost(program, model)))
            except Fails as command:  # an older program may not know what a file has by now, repetitions for instance
                print(f"{name} is left out: {command} fails", file=sys.stderr)
                continue
            (run, process), (run_now, process_now) = [(whole - begin, whole) for begin, whole in least]
            if name in ELASTIC:
                gains.append((run / run_now, process / process_now))
            print(f"| {name} | {100 * difference(*programs, name in ELASTIC):.2g} | {run:.1f} | {run_now:.1f} | "
                  f"{run / run_now:.1f} | {process:.1f} | {process_now:.1f} | {process / process_now:.1f} |", flush=True)
    if gains:
        inside, process = zip(*gains)
        print(f"| elastic ones, geometric mean | | | | {mean(inside):.1f} | | | {mean(process):.1f} |")
        print(f"| elastic ones, least | | | | {min(inside):.1f} | | | {min(process):.1f} |")


if __name__ == "__main__":
    main()
