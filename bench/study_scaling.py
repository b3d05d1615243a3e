#!/usr/bin/env python3
"""How sweeps scale: study_scaling.py PROGRAM [--variants N] [--workers 1,2]

Prints, as tables for docs/howto/cluster.md:
  what a variant costs beside its own work, in processor time, on one thread and between ranks;
  strong scaling: the same sweep by more threads and more ranks, wall time (best of three);
  weak scaling: as many variants more as workers;
  what that predicts for many ranks.
Wall times mean something on a machine that does nothing else. Processor times are about right on any.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

MODEL = Path(__file__).resolve().parents[1] / "examples/studies/models/elastic-five-bar.yaml"
FORMULA = "study: 1\naxes: {a: {uniform: [0, 1]}, b: {uniform: [0, 1]}}\nsample: {method: random, count: %d}\n" \
          "outputs: {x: {expression: a*b}, y: {expression: a + b}}\n"
FIVE_BAR = "study: 1\nmodel: %s\naxes: {part: {uniform: [0.3, 0.9]}, kp: {uniform: [40, 80]}}\n" \
           "sample: {method: random, count: %d}\n" \
           "outputs: {torque: {peak: tau.motor-1}, place: {final: pos.rod-1.tip.y}}\n"
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
PORTION = 0.05  # s of work that is given out at once: portion_seconds in src/cli/ranks.cpp


def timed(command):
    """Wall and processor seconds of the command and its children."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Sweeps:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, text, workers=1, ranks=False):
        study = self.folder / "study.yaml"
        study.write_text(text)
        sweep = [self.program, "sweep", str(study), "-o", str(self.folder / "results.h5")]
        return timed([*MPIRUN, str(workers), *sweep, "--threads", "1"] if ranks else [*sweep, "--threads", str(workers)])

    def cost(self, text, few, many, **how):
        """Processor seconds per variant, start and end of the program taken off."""
        return (self.run(text(many), **how)[1] - self.run(text(few), **how)[1]) / (many - few)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--variants", type=int, default=2000, help="of the elastic five-bar")
    parser.add_argument("--workers", default=",".join(str(n) for n in sorted({1, os.cpu_count() or 1})))
    given = parser.parse_args()
    workers = [int(n) for n in given.workers.split(",")]
    with tempfile.TemporaryDirectory(prefix="lithe-scaling-") as name:
        sweeps = Sweeps(given.program, Path(name))
        formula, five_bar = (lambda n: FORMULA % n), (lambda n: FIVE_BAR % (MODEL, n))
        alone = sweeps.cost(formula, 1000, 400_000)
        ranked = sweeps.cost(formula, 1000, 400_000, workers=2, ranks=True)
        work = sweeps.cost(five_bar, 20, max(given.variants // 4, 120))
        print("| processor time of a variant | us |\n|---|---|")
        print(f"| the machinery of a sweep on one thread: sample, table, journal, statistics, file | {1e6 * alone:.1f} |")
        print(f"| the same between two ranks | {1e6 * ranked:.1f} |")
        print(f"| the elastic five-bar, a move of one second | {1e6 * work:.0f} |\n")

        print("| elastic five-bar | workers | variants | threads, s | efficiency | ranks, s | efficiency |")
        print("|---|---|---|---|---|---|---|")
        for kind in ("strong", "weak"):
            first = {}
            for count in workers:
                variants = given.variants if kind == "strong" else given.variants // max(workers) * count
                row = f"| {kind} | {count} | {variants} |"
                for ranks in (False, True):
                    wall = min(sweeps.run(five_bar(variants), workers=count, ranks=ranks)[0] for _ in range(3))
                    first.setdefault(ranks, wall)
                    best = first[ranks] / wall / (count / workers[0] if kind == "strong" else 1.0)
                    row += f" {wall:.2f} | {best:.2f} |"
                print(row)
        most = work / ranked
        print(f"\nRank 0 takes {1e6 * ranked:.1f} us of each variant of {1e3 * work:.1f} ms: it is busy with that alone at "
              f"{most:.0f} ranks,\nand with 1000 ranks when a variant takes {1e3 * ranked * 1e3:.1f} ms. Portions are of "
              f"{1e3 * PORTION:.0f} ms.")


if __name__ == "__main__":
    main()
