#!/usr/bin/env python3
"""Sweeps under mpirun: ranks.py PROGRAM

Two ranks give the data of one thread, bit for bit. A rank that is killed ends the sweep, but nothing that came back is lost: what the
journal holds is not computed again, and the data are those of a sweep that was left alone.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODEL = Path(__file__).resolve().parents[2] / "examples/studies/models/elastic-five-bar.yaml"
VARIANTS = 500  # of the sweep that is killed: the others may go on for some tenths of a second
COMPARED = 100
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]


def write_study(path, variants):
    path.write_text(f"""study: 1
model: {MODEL}
set: {{run.until: 0.1}}
axes:
  kp: {{uniform: [40, 80]}}
  part: {{uniform: [0.3, 0.9]}}
sample: {{method: random, count: {variants}}}
outputs:
  torque: {{peak: tau.motor-1}}
  place: {{final: pos.rod-1.tip.x}}
""")


def run(command):
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, f"{command}: {answer.returncode}\n{answer.stderr}"
    return answer.stdout


def rank_process(parent, rank):
    """The process of this rank among the children of mpirun; None: not there yet."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False)
    for child in children.stdout.split():
        try:
            environment = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"OMPI_COMM_WORLD_RANK={rank}".encode() in environment:
            return int(child)
    return None


def kill_a_rank(command, journal):
    """Runs the command until some variants are in the journal, then kills rank 1 as a machine that fails would."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.time() + 120
        victim = None
        while time.time() < end and process.poll() is None:
            victim = victim or rank_process(process.pid, 1)
            if victim and journal.exists() and journal.stat().st_size > 700:
                os.kill(victim, signal.SIGKILL)
                break
            time.sleep(0.002)
        return process.wait(timeout=120)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="lithe-ranks-") as name:
        folder = Path(name)
        alone = {}
        for variants in (COMPARED, VARIANTS):
            study = folder / f"study-{variants}.yaml"
            write_study(study, variants)
            sweep = [program, "sweep", str(study)]
            run([*sweep, "-o", str(folder / "alone.h5"), "--csv", str(folder / "alone.csv"), "--threads", "1"])
            alone[variants] = (folder / "alone.csv").read_bytes()
            assert alone[variants].count(b"\n") == variants + 1
            for ranks in (2, 3) if variants == COMPARED else ():
                run([*MPIRUN, str(ranks), *sweep, "-o", str(folder / "ranks.h5"), "--csv", str(folder / "ranks.csv")])
                assert (folder / "ranks.csv").read_bytes() == alone[variants], f"{ranks} ranks give other data than one thread"
        killed = [*sweep, "-o", str(folder / "killed.h5"), "--csv", str(folder / "killed.csv"), "--resume", "--json"]
        code = kill_a_rank([*MPIRUN, "3", *killed], folder / "killed.h5.journal")
        assert code != 0, "a sweep without one of its ranks says that all is well"
        answer = json.loads(run([*MPIRUN, "2", *killed]))
        assert 0 < answer["computed_now"] < VARIANTS, answer["computed_now"]
        assert (folder / "killed.csv").read_bytes() == alone[VARIANTS], "data after a killed rank differ"
        print(f"{VARIANTS - answer['computed_now']} of {VARIANTS} variants were kept when a rank was killed")


main()
