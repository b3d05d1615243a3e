#!/usr/bin/python3
"""Reference values for tests/laws/law_test.cpp: SciPy's natural cubic spline, Bernstein form and Hermite polynomial.

Run: /usr/bin/python3 tests/oracles/laws.py   (prints C++ initialisers: time, value, rate, second rate)
"""
import numpy as np
from scipy.interpolate import BPoly, CubicSpline


def show(title, curve, times):
    print(f"// {title}")
    for t in times:
        print(f"{{{t!r}, {float(curve(t))!r}, {float(curve(t, 1))!r}, {float(curve(t, 2))!r}}},")


t = np.array([0.0, 0.3, 0.5, 1.1, 2.0, 2.2])
y = np.array([1.0, -0.5, 0.25, 2.0, -1.0, 0.5])
show("natural spline", CubicSpline(t, y, bc_type="natural"), [0.0, 0.1, 0.3, 0.47, 0.8, 1.5, 2.0, 2.15, 2.2])

points = np.array([0.5, 2.0, -1.0, 3.0, 1.0])
show("Bezier on [1, 3]", BPoly(points[:, None], [1.0, 3.0]), [1.0, 1.4, 2.2, 2.9, 3.0])

# Value and derivatives given at both ends of [0.5, 2.5]: the lowest polynomial, in Bernstein form.
ends = BPoly.from_derivatives([0.5, 2.5], [[1.0, 0.3, -2.0, 4.0], [-2.0, 1.5]])
show("polynomial with end derivatives", ends, [0.5, 0.9, 1.7, 2.5, 2.8])
