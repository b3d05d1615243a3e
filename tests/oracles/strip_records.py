"""Measured records of the clamped strip of examples/identification, by closed forms: what `lithe identify` is tested with.

Euler and Bernoulli's beam, clamped, with a point mass at its tip. Modes from the characteristic equation
1 + cos x cosh x + k x (cos x sinh x - sin x cosh x) = 0, k the ratio of the masses (Blevins, formulas for natural frequency);
every mode has the same ratio of critical damping. A push (F/2)(1 - cos(2 pi t/T)) for 0 < t < T acts at the tip; each mode
answers with its particular solution and free oscillations, matched at t = 0 and t = T. Nothing here knows of finite elements.

Noise: independent, normal, one percent of the largest value of the column. Writes the records; `--check` compares instead.
Plain Python.
"""
import cmath
import math
import os
import random
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/identification")
LENGTH, MASS, PUSH_TIME, MODES = 0.5, 0.0785, 0.15, 8
EI, DAMPING, PAYLOAD = 0.35, 0.008, 0.03  # the truth that is to be found


def characteristic(x, k):
    """Divided by cosh x, which is large."""
    return 1 / math.cosh(x) + math.cos(x) + k * x * (math.cos(x) * math.tanh(x) - math.sin(x))


def roots(k, count):
    found, x, step = [], 0.3, 0.01
    while len(found) < count:
        if characteristic(x, k) * characteristic(x + step, k) < 0:
            low, high = x, x + step
            for _ in range(80):
                middle = 0.5 * (low + high)
                if characteristic(low, k) * characteristic(middle, k) <= 0:
                    high = middle
                else:
                    low = middle
            found.append(low)
        x += step
    return found


def tip_mobility(x, k):
    """Square of the tip's deflection in a mode whose modal mass is 1, times MASS."""
    sigma = (math.cos(x) + math.cosh(x)) / (math.sin(x) + math.sinh(x))

    def shape(s):
        return math.cosh(x * s) - math.cos(x * s) - sigma * (math.sinh(x * s) - math.sin(x * s))

    n = 4000  # Simpson
    squares = sum((1 if i in (0, n) else 4 if i % 2 else 2) * shape(i / n) ** 2 for i in range(n + 1)) / (3 * n)
    return shape(1) ** 2 / (squares + k * shape(1) ** 2)


class Mode:
    """Modal coordinate times the tip's deflection in the mode, per newton of push."""

    def __init__(self, x, k, ei):
        self.mobility = tip_mobility(x, k) / MASS
        self.omega = x * x * math.sqrt(ei * LENGTH / MASS) / LENGTH ** 2
        self.pole = self.omega * complex(-DAMPING, math.sqrt(1 - DAMPING ** 2))
        self.drive = 2j * math.pi / PUSH_TIME
        self.constant = 0.5 * self.mobility / self.omega ** 2
        self.harmonic = -0.5 * self.mobility / (self.drive ** 2 + 2 * DAMPING * self.omega * self.drive + self.omega ** 2)
        # Free oscillations Re(c exp(p t)) that begin with the negative of the particular solution.
        start = self.constant + self.harmonic.real
        self.before = self.free(-start, -(self.drive * self.harmonic).real)
        self.after = self.free(self.pushed(PUSH_TIME, 0), self.pushed(PUSH_TIME, 1))

    def free(self, value, rate):
        """c with Re(c) = value and Re(c p) = rate."""
        return complex(value, (self.pole.real * value - rate) / self.pole.imag)

    def pushed(self, t, order):
        particular = (self.harmonic * self.drive ** order * cmath.exp(self.drive * t)).real + (self.constant if order == 0 else 0)
        return particular + (self.before * self.pole ** order * cmath.exp(self.pole * t)).real

    def value(self, t, order):
        if t < PUSH_TIME:
            return self.pushed(t, order)
        return (self.after * self.pole ** order * cmath.exp(self.pole * (t - PUSH_TIME))).real


def answer(times, payload, push, order, ei=EI):
    k = payload / MASS
    modes = [Mode(x, k, ei) for x in roots(k, MODES)]
    return [push * sum(mode.value(t, order) for mode in modes) for t in times]


def with_noise(values, generator):
    deviation = 0.01 * max(abs(value) for value in values)
    return [value + generator.gauss(0, deviation) for value in values]


def table(header, columns):
    lines = [",".join(header)] + [",".join(f"{value:.6g}" for value in row) for row in zip(*columns)]
    return "\n".join(lines) + "\n"


def records():
    generator = random.Random(1)
    even = [i / 200 for i in range(401)]
    # A data logger whose clock is not quite even.
    uneven = [round(i / 150 + 0.002 * generator.random(), 5) for i in range(1, 300)]
    return {
        "light.csv": table(["time", "tip", "accelerometer"],
                           [even, with_noise(answer(even, 0, 0.05, 0), generator), with_noise(answer(even, 0, 0.05, 2), generator)]),
        "loaded.csv": table(["time", "tip"], [uneven, with_noise(answer(uneven, PAYLOAD, 0.05, 0), generator)]),
        "harder.csv": table(["time", "tip"], [even, with_noise(answer(even, PAYLOAD, 0.08, 0), generator)]),
    }


def main():
    for name, text in records().items():
        path = os.path.join(FOLDER, name)
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            continue
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                sys.exit(f"{name} is not what strip_records.py computes")


main()
