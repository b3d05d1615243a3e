#!/usr/bin/env python3
"""One vibration control on three robots: input shapers and state feedback with an observer, by the same commands.

Usage: vibration_control.py PROGRAM [--figures FOLDER]

Each robot of examples/vibration moves by the torques of its rigid twin alone, by the same with shaped motions, and with the controller
that `lithe gains` computes from encoders and strain gauges at the pose in which the move ends. What is compared is the vibration that the
strain gauges see after the move: the root of the sum of squares of their largest differences over a time.

Exit code 1 when shapers leave more than a twentieth, or the controller more than a fifth.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "vibration"
ROBOTS = {"3rrr": 0.3, "five-bar": 0.3, "arm": 0.5}  # duration of the move, s
SHAPE = "zvd:3"
GAINS = ["--rest", "--sample", "1e-3", "--delay", "2e-4",
         "--sensors", "encoder.*,strain-gauge.*",
         "--allow", "encoder.*=0.01,strain-gauge.*=1e-6,tau.*=10",
         "--noise", "tau.*=0.1,encoder.*=1e-5,strain-gauge.*=1e-7"]
SETTLING = 0.1  # s from the end of the move until the controller is judged
WATCHED = 0.5   # s for which the vibration is watched
LEAST = {"shaped": 20.0, "controlled": 5.0}


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"lithe {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout + done.stderr


def vibration(file, begin):
    with open(file, newline="") as text:
        rows = list(csv.DictReader(line for line in text if not line.startswith("#")))
    total = 0.0
    for name in rows[0]:
        if name.startswith("strain-gauge."):
            values = [float(row[name]) for row in rows if begin <= float(row["t"]) <= begin + WATCHED]
            total += (max(values) - min(values)) ** 2
    return math.sqrt(total)


def compare(program, robot, duration, folder, figures):
    model = EXAMPLES / f"{robot}.yaml"
    files = {way: folder / f"{robot}-{way}.csv" for way in ("plain", "shaped", "controlled")}
    results = {way: file.with_suffix(".h5") for way, file in files.items()}
    controlled = folder / f"{robot}-controlled.yaml"

    def simulate(way, *words):
        output = ["-o", results[way]] if figures else []
        return run(program, "simulate", *words, "--csv", files[way], *output)

    simulate("plain", model)
    longer = float(re.search(r"takes ([0-9.e-]+) s longer", simulate("shaped", model, "--shape", SHAPE)).group(1))
    run(program, "gains", model, "--at", duration, *GAINS, "--write", controlled)
    simulate("controlled", controlled)
    left = {"shaped": (duration, duration + longer), "controlled": (duration + SETTLING, duration + SETTLING)}
    good = True
    for way, (plain_begin, begin) in left.items():
        before, after = vibration(files["plain"], plain_begin), vibration(files[way], begin)
        good = good and after * LEAST[way] <= before
        print(f"{robot:9} {way:11} strain {before:.3e} -> {after:.3e}: {before / after:.1f} times less "
              f"(at least {LEAST[way]:g})")
    if figures:
        run(program, "plot", *(results[way] for way in ("plain", "shaped", "controlled")), "--what", "strain-gauge.strain-1",
            "-o", figures / f"vibration-{robot}.svg", "--height", 55)
    return good


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    figures = pathlib.Path(sys.argv[3]) if sys.argv[2:3] == ["--figures"] else None
    with tempfile.TemporaryDirectory() as folder:
        good = [compare(program, robot, duration, pathlib.Path(folder), figures) for robot, duration in ROBOTS.items()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
