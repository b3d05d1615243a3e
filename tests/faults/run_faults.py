#!/usr/bin/env python3
"""Hostile inputs and faults: run_faults.py PROGRAM [--list] [--only TEXT] [--jobs N]

Every case runs the program once in a folder of its own; harness.py says what must hold for all of them. The cases are
those of spoiled_models.py (values, texts, numbers) and spoiled_outputs.py (command lines, places, disks, results).
"""

import argparse
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import spoiled_models
import spoiled_outputs
from harness import run

LEAST = 300


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--list", action="store_true", help="print the names of the cases only")
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    with tempfile.TemporaryDirectory(prefix="lithe-faults-") as folder:
        made = spoiled_outputs.Made(program, Path(folder))
    cases = [*spoiled_models.cases(), *spoiled_outputs.cases(program, made)]
    chosen = [case for case in cases if options.only in case.name]
    if options.list:
        print("\n".join(case.name for case in chosen))
        return 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # also for the programs that are started
    start = time.time()
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for case, complaints in zip(chosen, pool.map(lambda case: run(case, program), chosen)):
            failed += bool(complaints)
            for complaint in complaints:
                print(f"{case.name}: {complaint}")
    print(f"{len(chosen)} cases, {failed} failed, {time.time() - start:.1f} s")
    return int(failed > 0 or (not options.only and len(cases) < LEAST))


sys.exit(main())
