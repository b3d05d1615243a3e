"""Frequencies of a uniform Euler-Bernoulli beam that spins about its clamped root, by power series.

In units of the beam (length, mass per length and EI all one) the shape of a vibration of frequency w at spin eta obeys
    phi'''' - eta^2/2 ((1 - x^2) phi')' = w^2 phi            out of the plane of rotation,
    phi(0) = phi'(0) = 0,   phi''(1) = phi'''(1) = 0,
and in the plane w^2 is larger by eta^2 on the right-hand side. All coefficients are polynomials, so the series of phi about
the root converges everywhere; the frequency makes the 2 x 2 determinant of the end conditions vanish. 50 digits are carried.

Writes rotating_beam.json; `--check` compares instead. Plain Python.
"""
import json
import os
import sys

from decimal import Decimal, getcontext

from sign_changes import lowest_roots

getcontext().prec = 50
TERMS = 160
SPINS = (0, 1, 2, 3, 4, 5, 6, 10)
# Mode 1 out of plane as the literature prints it (Fattah reference 5.2, item 10): what the series must meet.
LITERATURE = {1: 3.6816, 2: 4.1373, 3: 4.7973, 4: 5.5850, 5: 6.4495, 6: 7.3604, 10: 11.2023}
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rotating_beam.json")


def end_values(eta, square, start):
    """phi''(1) and phi'''(1) of the solution whose series starts with the coefficient 1 at x^start."""
    c = [Decimal(0)] * (TERMS + 4)
    c[start] = Decimal(1)
    half = Decimal(eta) ** 2 / 2
    for k in range(TERMS):
        # Coefficient of x^k: (k+4)(k+3)(k+2)(k+1) c[k+4] = half ((k+2)(k+1) c[k+2] - k (k+1) c[k]) + square c[k].
        right = half * ((k + 2) * (k + 1) * c[k + 2] - k * (k + 1) * c[k]) + square * c[k]
        c[k + 4] = right / ((k + 4) * (k + 3) * (k + 2) * (k + 1))
    second = sum(k * (k - 1) * c[k] for k in range(2, TERMS + 4))
    third = sum(k * (k - 1) * (k - 2) * c[k] for k in range(3, TERMS + 4))
    return second, third


def determinant(eta, square):
    a, b = end_values(eta, square, 2), end_values(eta, square, 3)
    return a[0] * b[1] - b[0] * a[1]


def frequencies(eta, count):
    """The lowest out of the plane."""
    return lowest_roots(lambda w: determinant(eta, w * w), Decimal("0.25"), count)


def solve():
    rows = []
    for eta in SPINS:
        out = frequencies(eta, 2)
        if eta in LITERATURE:
            assert abs(float(out[0]) - LITERATURE[eta]) < 5.1e-5, (eta, out[0])
        rows.append({"spin": eta, "out_of_plane": [float(w) for w in out],
                     "in_plane": [float((w * w - eta * eta).sqrt()) for w in out]})
    return rows


if __name__ == "__main__":
    result = solve()
    if "--check" in sys.argv:
        with open(FILE) as f:
            recorded = json.load(f)
        for a, b in zip(recorded, result):
            for key in ("out_of_plane", "in_plane"):
                for x, y in zip(a[key], b[key]):
                    assert abs(x - y) < 1e-12 * y, (a["spin"], key, x, y)
    else:
        with open(FILE, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
    print(json.dumps(result))
