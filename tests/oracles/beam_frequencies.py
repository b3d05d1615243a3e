"""Clamped-free frequencies of beams by power series: Euler-Bernoulli, Timoshenko, tapered.

In units of the beam at its root (length, mass per length and EI all one), with deflection w, section rotation psi, bending
moment M and shear force Q, a vibration of frequency f obeys
    w' = psi + Q s,   (1 - c x) psi' = M,   M' = -Q - f^2 r psi,   Q' = -f^2 (1 - d x) w
with shear compliance s = 1/(kappa G A), rotary inertia r, and EI = 1 - c x, mass per length = 1 - d x. All coefficients are
polynomials, so the unknowns have power series about the root that converge for |x| < 1/c. w(0) = psi(0) = 0; the frequency
makes the 2 x 2 determinant of M(1) and Q(1) vanish. 50 digits are carried.

Writes beam_frequencies.json; `--check` compares instead. Plain Python.
"""
import json
import os
import sys
from decimal import Decimal, getcontext

from sign_changes import lowest_roots

getcontext().prec = 50
TERMS = 200
COUNT = 4
CASES = {
    "euler_bernoulli": {"shear": 0, "rotary": 0, "softer": 0, "lighter": 0},
    "timoshenko": {"shear": "0.01", "rotary": "0.0025", "softer": 0, "lighter": 0},
    "tapered": {"shear": 0, "rotary": 0, "softer": "0.6", "lighter": "0.4"},
}
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beam_frequencies.json")


def end_forces(case, square, moment, force):
    """M(1) and Q(1) of the solution with these values at the root."""
    s, r, c, d = (Decimal(case[k]) for k in ("shear", "rotary", "softer", "lighter"))
    w, psi, m, q = [Decimal(0)], [Decimal(0)], [Decimal(moment)], [Decimal(force)]
    for k in range(TERMS):
        w_before = w[k - 1] if k > 0 else Decimal(0)
        following = ((psi[k] + s * q[k]) / (k + 1), (m[k] + c * k * psi[k]) / (k + 1), (-q[k] - square * r * psi[k]) / (k + 1),
                     -square * (w[k] - d * w_before) / (k + 1))
        for series, value in zip((w, psi, m, q), following):
            series.append(value)
    return sum(m), sum(q)


def determinant(case, f):
    a, b = end_forces(case, f * f, 1, 0), end_forces(case, f * f, 0, 1)
    return a[0] * b[1] - b[0] * a[1]


def frequencies(case):
    return [float(f) for f in lowest_roots(lambda f: determinant(case, f), Decimal("0.5"), COUNT)]


def solve():
    result = {name: {**{k: float(v) for k, v in case.items()}, "frequencies": frequencies(case)} for name, case in CASES.items()}
    # Known: roots of cos x cosh x = -1, squared.
    for ours, known in zip(result["euler_bernoulli"]["frequencies"], (1.875104068712, 4.694091132974, 7.854757438238)):
        assert abs(ours - known ** 2) < 1e-10
    return result


if __name__ == "__main__":
    result = solve()
    if "--check" in sys.argv:
        with open(FILE) as f:
            recorded = json.load(f)
        for name, case in result.items():
            for a, b in zip(recorded[name]["frequencies"], case["frequencies"]):
                assert abs(a - b) < 1e-12 * b, (name, a, b)
    else:
        with open(FILE, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
    print(json.dumps(result))
