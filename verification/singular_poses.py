#!/usr/bin/env python3
"""Chains of parallelograms that swing through their flat poses: the tables of docs/verification/singular-poses.md.

    verification/singular_poses.py build/lithe              every adaptive integrator, some two minutes
    verification/singular_poses.py build/lithe --fixed      the methods of fixed step

count + 1 cranks stand in a row, 1 m apart, count rods couple their tips; all are 1 m long and weigh 1 kg. All cranks turn
alike by an angle a against the row, so that the chain is one pendulum:

    I a'' = -m g cos a,   I = (count + 1) / 3 + count,   m = (count + 1) / 2 + count   (lengths 1 m).

It is released at 1 rad with 1 rad/s and is flat, with all its loops singular, some fourteen times in ten seconds.
"""

import argparse
import csv
import io
import math
import subprocess
import sys
import tempfile
import time

UNTIL, EVERY = 10.0, 2.0
COUNTS = (1, 2, 3, 4, 5, 10, 40)


def model(count):
    rod = "{rigid: {mass: 1, centre: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}, frames: {root: [0, 0, 0], tip: [1, 0, 0]}}"
    lines = ["lithe: 1", f"name: {count} parallelograms", "gravity: [0, -9.81, 0]", "links:"]
    lines += [f"  crank-{i}: {rod}" for i in range(count + 1)]
    lines += [f"  rod-{i}: {rod}" for i in range(1, count + 1)]
    lines += ["ground: {" + ", ".join(f"o-{i}: [{i}, 0, 0]" for i in range(count + 1)) + "}", "joints:"]
    initial = []
    for i in range(count + 1):
        lines.append(f"  pivot-{i}: {{revolute: z, from: ground/o-{i}, to: crank-{i}/root}}")
        initial.append(f"pivot-{i}: 1")
        if i > 0:
            lines.append(f"  root-{i}: {{revolute: z, from: crank-{i - 1}/tip, to: rod-{i}/root}}")
            lines.append(f"  tip-{i}: {{revolute: z, from: rod-{i}/tip, to: crank-{i}/tip}}")
            initial += [f"root-{i}: -1", f"tip-{i}: 1"]
    lines += ["initial: {" + ", ".join(initial) + "}", "speeds: {pivot-0: 1}"]
    return "\n".join(lines) + "\n"


def pendulum(count):
    """Angles at the recorded times by the classical Runge-Kutta method; with steps of 0.2 ms its error is below 1e-12."""
    slope = -9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    h, a, w, angles = 2e-4, 1.0, 1.0, [1.0]
    per_row = round(EVERY / h)
    for step in range(1, round(UNTIL / h) + 1):
        k1 = slope * math.cos(a)
        k2 = slope * math.cos(a + h / 2 * w)
        k3 = slope * math.cos(a + h / 2 * (w + h / 2 * k1))
        k4 = slope * math.cos(a + h * (w + h / 2 * k2))
        a += h * w + h * h / 6 * (k1 + k2 + k3)
        w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if step % per_row == 0:
            angles.append(a)
    return angles


def run(program, path, count, exact, options):
    """Largest error of the first and the last crank (rad), seconds."""
    begin = time.monotonic()
    command = [program, "simulate", path, "--quiet", "--csv", "-", "--until", str(UNTIL), "--every", str(EVERY)]
    done = subprocess.run(command + options, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
        return math.inf, seconds
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == len(exact)
    # Angles of cut joints are counted from poses.
    error = max(
        abs(math.remainder(float(row[f"q.pivot-{i}"]) - angle, 2 * math.pi))
        for row, angle in zip(rows, exact)
        for i in (0, count)
    )
    return error, seconds


def methods(integrators):
    for integrator in integrators:
        for formulation in ("multipliers",) if integrator == "ida" else ("noc", "multipliers"):
            yield integrator, formulation


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--fixed", action="store_true", help="fixed steps instead of tolerances")
    parser.add_argument("--counts", type=int, nargs="+", default=None)
    arguments = parser.parse_args()
    if arguments.fixed:
        columns = [(f"{step:g} s", ["--step", repr(step)]) for step in (0.02, 0.01, 0.005, 0.0025)]
        integrators, counts, bound = ("rk4", "dopri5-fixed", "generalized-alpha"), (1, 2, 5), math.inf
    else:
        columns = [(f"{rtol:g}", ["--rtol", repr(rtol), "--atol", repr(0.01 * rtol)]) for rtol in (1e-6, 1e-8, 1e-10)]
        integrators, counts, bound = ("dopri", "ode45", "adams", "bdf", "ida"), COUNTS, 1e-6
    failed = False
    print("| loops | integrator | formulation | " + " | ".join(name for name, _ in columns) + " | s |")
    print("|---|---|---|" + "---|" * (len(columns) + 1))
    for count in arguments.counts or counts:
        exact = pendulum(count)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(model(count))
            file.flush()
            for integrator, formulation in methods(integrators):
                method = ["--integrator", integrator, "--formulation", formulation]
                results = [run(arguments.program, file.name, count, exact, method + options) for _, options in columns]
                errors = [error for error, _ in results]
                falls = all(fine < coarse for coarse, fine in zip(errors, errors[1:]))
                failed |= not (errors[-1] < bound and falls)
                cells = " | ".join(f"{error:.1e}" for error in errors)
                print(f"| {count} | {integrator} | {formulation} | {cells} | {results[-1][1]:.2f} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
