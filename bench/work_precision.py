#!/usr/bin/env python3
"""CPU time against error of whole runs: every integrator at several tolerances, on ten mechanisms of the gallery.

    bench/work_precision.py PROGRAM [--only TEXT] [--json FILE] [--before PROGRAM2]

The error of a run is the largest deviation of an elastic coordinate or recorded position from a reference (Dormand-Prince at
1e-12), in percent of the largest deflection; of rigid mechanisms that of positions and angles, in percent of the largest one.
Time is that inside the run, rows included, as its audit tells; the best of five. A table in Markdown goes to stdout.
--before adds the runs of another build with its own defaults, and how many times faster the default has become.
"""
import argparse
import csv
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
ELASTIC = ["flexible-four-bar", "flexible-slider-crank", "flexible-3rrr", "flexible-pendulum", "spin-up-beam", "fattah-3rrr", "fattah-two-arms",
           "fattah-3rrs", "boutin-boom", "soft-pendulum"]
RIGID = ["four-bar", "delta-robot"]
REFERENCE = ["--integrator", "dopri", "--rtol", "1e-12", "--atol", "1e-14"]
DEFAULT = ["--integrator", "auto", "--rtol", "1e-8", "--atol", "1e-10"]  # what a model says that says nothing
OLD_DEFAULT = ["--integrator", "bdf", "--rtol", "1e-8", "--atol", "1e-10"]
RUNS = 5


def settings():
    yield "auto", DEFAULT
    for tolerance in ("1e-3", "1e-4", "1e-6"):
        yield f"exponential {tolerance}", ["--integrator", "exponential", "--tolerance", tolerance]
    for name in ("bdf", "adams", "dopri"):
        for tolerance in ("1e-4", "1e-6", "1e-8"):
            yield f"{name} {tolerance}", ["--integrator", name, "--rtol", tolerance, "--atol", f"{float(tolerance) / 100:g}"]


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names = [re.sub(r"\s*[\[(].*", "", name).strip() for name in rows[0]]
    return names, [[float(value) for value in row] for row in rows[1:]]


def simulate(program, model, options, table):
    """Seconds inside the run, CPU seconds of the process, the audit as JSON; None when the run fails."""
    path = os.path.join(EXAMPLES, model + ".yaml")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "simulate", path, "--csv", table] + options, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    spent = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    inside = float(re.search(r"^  time +([0-9.e+-]+) s", done.stdout, re.M).group(1))
    steps, evaluations = re.search(r"^  steps +(\d+).*; (\d+) evaluations", done.stdout, re.M).groups()
    return {"inside": inside, "process": spent, "steps": int(steps), "evaluations": int(evaluations)}


def deviation(reference, run):
    names, exact = reference
    _, rows = run
    elastic = [i for i, name in enumerate(names) if re.match(r"q\..+\.e\d+$", name)]
    others = [i for i, name in enumerate(names) if name.startswith("pos." if elastic else ("pos.", "q."))]
    largest = max(abs(row[i]) for row in exact for i in (elastic or others))
    worst = max(abs(a[i] - b[i]) for a, b in zip(exact, rows) for i in elastic + others)
    return 100.0 * worst / largest


def best(program, model, options, table):
    runs = [simulate(program, model, options, table) for _ in range(RUNS)]
    if any(run is None for run in runs):
        return None
    return {**runs[0], **{key: min(run[key] for run in runs) for key in ("inside", "process")}}


def study(program, model, before, folder):
    table = os.path.join(folder, "run.csv")
    if simulate(program, model, REFERENCE, table) is None:
        sys.exit(f"{model}: no reference")
    reference = read(table)
    points = []
    todo = [(name, program, options) for name, options in settings()]
    if before:
        todo.append(("bdf 1e-8 before", before, OLD_DEFAULT))
    for name, which, options in todo:
        run = best(which, model, options, table)
        if run:
            points.append({"name": name, "error": deviation(reference, read(table)), **run})
    return points


def print_study(model, points):
    print(f"\n### {model}\n\n| integrator | evaluations | run (ms) | process (ms CPU) | error (%) |\n|---|---|---|---|---|")
    for point in points:
        print(f"| {point['name']} | {point['evaluations']} | {1e3 * point['inside']:.1f} | {1e3 * point['process']:.0f} | {point['error']:.2g} |")


def print_gains(studies):
    print("\n| mechanism | run before (ms) | now | times | process before (ms CPU) | now | times | error (%) |\n|---|---|---|---|---|---|---|---|")
    gains = []
    for model, points in studies.items():
        named = {point["name"]: point for point in points}
        old, new = named["bdf 1e-8 before"], named["auto"]
        gain = [old[key] / new[key] for key in ("inside", "process")]
        if model in ELASTIC:
            gains.append([math.log(value) for value in gain])
        print(f"| {model} | {1e3 * old['inside']:.1f} | {1e3 * new['inside']:.1f} | {gain[0]:.1f} | {1e3 * old['process']:.0f} | "
              f"{1e3 * new['process']:.0f} | {gain[1]:.1f} | {new['error']:.2g} |")
    mean = [math.exp(sum(column) / len(gains)) for column in zip(*gains)] if gains else [math.nan] * 2
    print(f"| elastic ones, geometric mean | | | {mean[0]:.1f} | | | {mean[1]:.1f} | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="mechanisms whose name contains this text")
    parser.add_argument("--before", help="another build to compare with")
    parser.add_argument("--json", help="file for all points")
    options = parser.parse_args()
    studies = {}
    with tempfile.TemporaryDirectory() as folder:
        for model in ELASTIC + RIGID:
            if options.only in model:
                studies[model] = study(options.program, model, options.before, folder)
                print_study(model, studies[model])
    if options.before:
        print_gains(studies)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(studies, file, indent=1)


main()
