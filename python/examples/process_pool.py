"""Models and results travel between processes: one run per payload, in a pool of two."""

import concurrent.futures
import multiprocessing
import sys

import lithe


def run(model, force):
    """One variant: sets a parameter of the model, which is this process's own, and runs it."""
    model.parameters["force-y"] = force
    return model.simulate(until=0.5)


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "examples"
    model = lithe.load(f"{folder}/khan-3rrr.yaml")
    forces = [0.0, -10.0, -20.0]
    pool = concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    with pool:
        for force, result in zip(forces, pool.map(run, [model] * len(forces), forces)):
            peak = abs(result["tau.motor-1"]).max()
            print(f"{force:6.1f} N at the platform: motor-1 needs {peak:.4f} N m")
    print(f"here the model still has force-y = {model.parameters['force-y']:.1f} N")
