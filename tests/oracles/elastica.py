#!/usr/bin/env python3
"""Heavy elastica: a slender cantilever, clamped level, that hangs under its own weight, bent as far as it likes.

EI theta'' = -w (L - s) cos(theta), theta(0) = 0, theta'(L) = 0: theta is the slope below the level, w the weight per length. Shooting
for the curvature at the clamp with Runge-Kutta steps; plain Python. Writes elastica.json: position of the tip (m), its slope (rad) and
the moment at the clamp (N m) for the beams of the tests; --check compares with what is there.
"""
import json
import math
import pathlib
import sys

FILE = pathlib.Path(__file__).parent / "elastica.json"


def shoot(curvature, length, ratio, steps=1000):
    """State (theta, theta', x, drop) at the tip; ratio = w / EI."""
    h = length / steps

    def rate(s, y):
        return (y[1], -ratio * (length - s) * math.cos(y[0]), math.cos(y[0]), math.sin(y[0]))

    y = (0.0, curvature, 0.0, 0.0)
    for i in range(steps):
        s = i * h
        a = rate(s, y)
        b = rate(s + h / 2, [u + h / 2 * v for u, v in zip(y, a)])
        c = rate(s + h / 2, [u + h / 2 * v for u, v in zip(y, b)])
        d = rate(s + h, [u + h * v for u, v in zip(y, c)])
        y = tuple(u + h / 6 * (p + 2 * q + 2 * r + t) for u, p, q, r, t in zip(y, a, b, c, d))
    return y


def hanging(length, EI, mass, gravity=9.81):
    ratio = mass * gravity / length / EI
    low, high = 0.0, ratio * length * length / 2  # the moment of the straight beam is the largest
    for _ in range(60):
        middle = (low + high) / 2
        if shoot(middle, length, ratio)[1] > 0:
            high = middle
        else:
            low = middle
    theta, _, x, drop = shoot(high, length, ratio)
    assert 0 < theta < math.pi / 2
    return {"length": length, "EI": EI, "mass": mass, "tip": [x, -drop], "slope": theta, "moment": EI * high}


if __name__ == "__main__":
    cases = [hanging(1.0, 0.3, 1.0), hanging(1.0, 10.0, 1.0), hanging(1.0, 1e4, 1.0)]
    # A stiff beam: w L^4 / (8 EI) at the tip.
    assert abs(cases[2]["tip"][1] + 9.81 / 8e4) < 1e-9
    if "--check" in sys.argv:
        stored = json.loads(FILE.read_text())
        for ours, theirs in zip(cases, stored):
            assert abs(ours["tip"][0] - theirs["tip"][0]) < 1e-9 and abs(ours["moment"] - theirs["moment"]) < 1e-9
    else:
        FILE.write_text(json.dumps(cases, indent=1) + "\n")
    for case in cases:
        print(case)
