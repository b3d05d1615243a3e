"""Gains and reduced models of three mechanisms by the control package of Octave, in control_package.json.

The matrices are those of `lithe linearize`; they are recorded beside the answers, so that a comparison tests the algebra
and not the model. For each mechanism:
  K, L     continuous regulator (lqr) and Kalman filter (lqe)
  Kd       regulator of the sampled plant with the same weights (c2d, dlqr)
  Ks       regulator whose continuous cost is sampled exactly (quadrature, dlqr with cross weight)
  M, Ld    sampled Kalman filter: gain of the filter (dlqe) and of the predictor
  hankel   of the loop with K (hsvd); G: the balanced truncation of it (btamodred) at the frequencies w (rad/s)

Needs octave-cli with the package control (Debian: octave, octave-control), numpy, and the program: control_package.py PROGRAM.
Not run by ctest.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FILE = os.path.join(HERE, "control_package.json")
# Model, options, patterns of the measured outputs, order of the reduced model.
CASES = {
    "arm": ("tests/data/robots/elastic-arm.yaml", [], "q.shoulder,q.elbow,pos.fore.tip.x,pos.fore.tip.y", 6),
    "five-bar": ("tests/data/robots/elastic-five-bar.yaml", [], "q.motor*,pos.rod-1.tip.x,pos.rod-1.tip.y", 8),
    "3-rrr": ("examples/flexible-3rrr.yaml", [], "q.motor*,pos.platform.origin.x,pos.platform.origin.y", 12),
}
PERIOD = 1e-3


def linear(program, path, options, outputs):
    answer = subprocess.run([program, "linearize", os.path.join(ROOT, path), "--json", "--outputs", outputs] + options,
                            check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)


def case(program, path, options, outputs, order):
    model = linear(program, path, options, outputs)
    A, B, C = (numpy.array(model[name]) for name in "ABC")
    motors = [i for i, signal in enumerate(model["inputs"]) if signal["name"].startswith("tau.")]
    B = B[:, motors]
    n, m, p = A.shape[0], B.shape[1], C.shape[0]
    # Joint coordinates count more than elastic ones; noise is a force at the motors.
    rigid = [".e" not in state["name"] for state in model["states"]]
    given = {
        "A": A, "B": B, "C": C,
        "Q": numpy.diag([10.0 if r else 1.0 for r in rigid]), "R": 0.1 * numpy.eye(m),
        "W": 4.0 * numpy.eye(m), "V": 1e-3 * numpy.eye(p), "Wd": 1e-4 * numpy.eye(n),
        "T": PERIOD, "order": order, "w": 2 * numpy.pi * numpy.array([0.1, 1.0, 5.0, 20.0, 60.0]),
    }
    found = octave(given)
    record = {name: numpy.asarray(value).tolist() for name, value in given.items()}
    for name in ("K", "L", "Kd", "Ks", "M", "Ld"):
        record[name] = found[name].real.tolist()
    record["hankel"] = found["hankel"].real.ravel().tolist()
    for name in ("G", "full"):
        values = numpy.moveaxis(found[name], -1, 0)
        record[name] = [[[[z.real, z.imag] for z in row] for row in one] for one in values]
    return record


def octave(given):
    """What control_package.m prints for these matrices, by name."""
    def text(value):
        return "[" + "; ".join(" ".join(repr(float(x)) for x in row) for row in numpy.atleast_2d(value)) + "]"

    with open(os.path.join(HERE, "control_package.m"), encoding="utf-8") as file:
        script = "".join(f"{name} = {text(value)};\n" for name, value in given.items()) + file.read()
    with tempfile.NamedTemporaryFile("w", suffix=".m") as file:
        file.write(script)
        file.flush()
        printed = subprocess.run(["octave-cli", "--quiet", file.name], capture_output=True, text=True, check=False)
    found = {}
    for line in printed.stdout.splitlines():
        words = line.split()
        numbers = words[1:]
        count = next(k for k in range(2, len(numbers)) if len(numbers) - k == 2 * numpy.prod([int(x) for x in numbers[:k]]))
        shape = [int(x) for x in numbers[:count]]
        parts = numpy.array([float(x) for x in numbers[count:]])
        found[words[0]] = (parts[0::2] + 1j * parts[1::2]).reshape(shape, order="F")
    if "full" not in found:
        raise SystemExit(printed.stderr)
    return found


if __name__ == "__main__":
    answers = {name: case(sys.argv[1], *given) for name, given in CASES.items()}
    with open(FILE, "w", encoding="utf-8") as file:
        json.dump(answers, file)
        file.write("\n")
    print("wrote", FILE)
