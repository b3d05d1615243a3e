"""Tips of two elastic links whose hub turns by a law of time: examples/spin-up-beam.yaml and examples/boutin-boom.yaml.

In axes that turn with the hub (angle a), with all finite-element displacements u across and along the link,
    M u'' + (K + a'^2 (G - M)) u = M (x a'^2 - r a''),      x: places of the mass points, r: displacements of a unit turn,
where G is the stiffness by the centrifugal force. The beam bends across only: x does not count, and G is that of the tension
mu (L^2 - x^2)/2 in every section. The boom turns slowly: a'^2 is at most 0.2 percent of its lowest eigenvalue, so that G and M beside
K are left out. Both are projected on the modes that the examples keep and integrated by classical Runge-Kutta steps.

Writes slewed_links.json; `--check` compares instead. Needs numpy.
"""
import json
import math
import os
import sys

import numpy as np

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slewed_links.json")


def lowest_modes(k, m, count):
    """Squares of the frequencies and shapes of unit modal mass."""
    inverse = np.linalg.inv(np.linalg.cholesky(m))
    squares, shapes = np.linalg.eigh(inverse @ k @ inverse.T)
    return squares[:count], inverse.T @ shapes[:, :count]


def turned(squares, stiffening, push, pull, tip, law, until, step):
    """Times and displacements of the tip; law(t): speed and acceleration of the hub."""
    count = len(squares)

    def slope(t, y):
        speed, acceleration = law(t)
        q = y[:count]
        return np.concatenate([y[count:], -squares * q + speed ** 2 * (pull - stiffening @ q) - push * acceleration])

    y, times, tips = np.zeros(2 * count), [], []
    for i in range(round(until / step) + 1):
        t = i * step
        times.append(t)
        tips.append(tip @ y[:count])
        a = slope(t, y)
        b = slope(t + step / 2, y + step / 2 * a)
        c = slope(t + step / 2, y + step / 2 * b)
        y = y + step / 6 * (a + 2 * b + 2 * c + slope(t + step, y + step * c))
    return np.array(times), np.array(tips)


def beam():
    """Eight elements, four modes; 6 rad/s in 15 s."""
    length, bending, line_mass, elements, modes, speed, rise = 10.0, 1.4e4, 1.2, 8, 4, 6.0, 15.0
    h, size = length / elements, 2 * (elements + 1)
    k, m, g, push = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    places, weights = np.polynomial.legendre.leggauss(6)
    for e in range(elements):
        at = slice(2 * e, 2 * e + 4)
        for s, w in zip((places + 1) / 2, weights / 2 * h):
            x = (e + s) * h
            value = np.array([1 - 3 * s ** 2 + 2 * s ** 3, h * (s - 2 * s ** 2 + s ** 3), 3 * s ** 2 - 2 * s ** 3, h * (s ** 3 - s ** 2)])
            first = np.array([6 * s * s - 6 * s, h * (1 - 4 * s + 3 * s * s), 6 * s - 6 * s * s, h * (3 * s * s - 2 * s)]) / h
            second = np.array([12 * s - 6, h * (6 * s - 4), 6 - 12 * s, h * (6 * s - 2)]) / h ** 2
            k[at, at] += w * bending * np.outer(second, second)
            m[at, at] += w * line_mass * np.outer(value, value)
            g[at, at] += w * line_mass * (length ** 2 - x ** 2) / 2 * np.outer(first, first)
            push[at] += w * line_mass * x * value
    k, m, g, push = k[2:, 2:], m[2:, 2:], g[2:, 2:], push[2:]  # clamped at the hub
    squares, shapes = lowest_modes(k, m, modes)

    def law(t):
        if t >= rise:
            return speed, 0.0
        turn = 2 * math.pi / rise
        return speed / rise * (t - math.sin(turn * t) / turn), speed / rise * (1 - math.cos(turn * t))

    times, tips = turned(squares, shapes.T @ g @ shapes - np.eye(modes), shapes.T @ push, 0.0, shapes[-2], law, 20.0, 1e-3)
    return {"largest_lag": float(-tips.min()), "at": float(times[tips.argmin()]),
            "left": float(np.abs(tips[times > rise]).max())}


def boom():
    """Two modes; -90 degrees in 20 s by a cycloid. Nodes and bars as in the example."""
    w, area, platform = 5 * math.tan(math.radians(10)), 2.3592e-4, 300.0
    nodes = {1: (0, 0), 2: (5, 5), 12: (30 - w, 5), 13: (30, 0), 14: (30 + w, 5), 25: (60, 0), 26: (60 - w, 5), 27: (60 + w, 5)}
    for i in range(5):
        nodes[3 + 2 * i] = (5 + 5 * i, 0)
        nodes[15 + 2 * i] = (35 + 5 * i, 0)
        nodes[16 + 2 * i] = (35 + 5 * i, 5)
        if i < 4:
            nodes[4 + 2 * i] = (10 + 5 * i, 5)
    for i in range(6):
        nodes[28 + 2 * i] = (65 + 5 * i, 0)
        nodes[29 + 2 * i] = (65 + 5 * i, 5)
    bars = []

    def add(chains, density, young, size=area):
        for chain in chains:
            bars.extend((a, b, density * size, young * size) for a, b in zip(chain, chain[1:]))

    add([[1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 28, 30, 32, 34, 36, 38], [2, 4, 6, 8, 10], [16, 18, 20, 22, 24],
         [29, 31, 33, 35, 37, 39]], 8000, 412.5e9)
    add([[10, 12], [14, 16], [24, 26], [27, 29]], 4000, 412.5e9, math.pi / 4 * 0.0508 ** 2)
    add([[13, 12, 14, 13], [25, 26, 27, 25], [1, 2], [3, 4], [5, 6], [7, 8], [9, 10, 13, 16], [15, 18], [17, 20], [19, 22],
         [21, 24, 25, 29], [28, 31], [30, 33], [32, 35], [34, 37], [36, 39]], 4000, 412.5e9)
    add([[2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [15, 16], [17, 18], [19, 20], [21, 22], [23, 24], [28, 29], [30, 31], [32, 33],
         [34, 35], [36, 37]], 12000, 618.7e9)
    add([[38, 39]], 12000 + platform / (5 * area), 618.7e9)
    assert len(nodes) == 39 and len(bars) == 75
    k, m = np.zeros((78, 78)), np.zeros((78, 78))
    for a, b, line_mass, axial in bars:
        along = np.subtract(nodes[b], nodes[a])
        length = np.hypot(*along)
        n = np.concatenate([-along, along]) / length
        at = [2 * a - 2, 2 * a - 1, 2 * b - 2, 2 * b - 1]
        k[np.ix_(at, at)] += axial / length * np.outer(n, n)
        m[np.ix_(at, at)] += line_mass * length / 6 * np.kron([[2, 1], [1, 2]], np.eye(2))
    # Node 1 is fixed, node 2 slides along (1, 1).
    free = np.zeros((78, 75))
    free[2:4, 0] = math.sqrt(0.5)
    free[4:, 1:] = np.eye(74)
    turn = np.array([c for i in range(1, 40) for c in (-nodes[i][1], nodes[i][0])], float)
    places = np.array([c for i in range(1, 40) for c in nodes[i]], float)
    squares, shapes = lowest_modes(free.T @ k @ free, free.T @ m @ free, 2)
    assert abs(squares[0] - 11.139) < 5e-4 and abs(squares[1] - 598.182) < 5e-4, squares  # as printed in the thesis
    full = free @ shapes
    angle, rise = -math.pi / 2, 20.0

    def law(t):
        turning = 2 * math.pi / rise
        if t >= rise:
            return 0.0, 0.0
        return angle / rise * (1 - math.cos(turning * t)), angle / rise * turning * math.sin(turning * t)

    times, tips = turned(squares, np.zeros((2, 2)), full.T @ m @ turn, full.T @ m @ places, full[77], law, 25.0, 2e-3)
    after = tips[times >= rise]
    return {"largest_lag": float(np.abs(tips).max()), "at": float(times[np.abs(tips).argmax()]),
            "rings": float((after.max() - after.min()) / 2)}


if __name__ == "__main__":
    result = {"spin_up_beam": beam(), "boutin_boom": boom()}
    if "--check" in sys.argv:
        with open(FILE) as f:
            recorded = json.load(f)
        for name, numbers in result.items():
            for key, value in numbers.items():
                assert abs(recorded[name][key] - value) < 1e-6, (name, key, value)
    else:
        with open(FILE, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
    print(json.dumps(result))
