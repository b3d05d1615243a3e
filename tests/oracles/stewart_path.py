"""Leg forces of a Stewart platform (6-UPS) on a path that translates and turns about moving axes.

Newton and Euler, body by body, on paper: the path and everything that follows from it by geometry is carried as a value with
its first two derivatives in time. Each leg is cut at its ball. The moments of cylinder and piston about the two axes of the
universal joint at the base give the two transverse components of the ball force (the joint carries no moment about its axes);
the six axial components come from the force and moment balance of the platform; the balance of the piston along the leg is
the actuator force. Mechanism and path are those of tests/simulation/paths_test.cpp.

Writes stewart_path.json; `--check` compares instead. Needs numpy.
"""
import json
import math
import os
import sys

import numpy as np

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stewart_path.json")
GRAVITY = np.array([0.0, 0.0, -9.81])
TIMES = [0.0, 0.3, 0.71, 1.2, 1.9]
PLATFORM = {"mass": 10.0, "inertia": np.diag([0.3, 0.35, 0.6])}
CYLINDER = {"mass": 2.0, "centre": 0.2, "inertia": np.diag([0.02, 0.02, 0.001])}
PISTON = {"mass": 1.5, "centre": -0.2, "inertia": np.diag([0.015, 0.015, 0.0008])}
THIRD = 2 * math.pi / 3


def place(radius, angle, height):
    return np.array([radius * math.cos(angle), radius * math.sin(angle), height])


BASE = [place(0.6, (i // 2) * THIRD + (0.25 if i % 2 else -0.25), 0.0) for i in range(6)]
TOP = [place(0.3, (i // 2) * THIRD + (1 if i % 2 else -1) * (math.pi / 3 - 0.2), 0.02 * i) for i in range(6)]


class Jet:
    """A function of time: value, rate and second rate."""

    def __init__(self, v, r=0.0, s=0.0):
        self.v, self.r, self.s = v, r, s

    def __add__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v + o.v, self.r + o.r, self.s + o.s)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.v, -self.r, -self.s)

    def __sub__(self, o):
        return self + (-o)

    def __rsub__(self, o):
        return (-self) + o

    def __mul__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v * o.v, self.r * o.v + self.v * o.r, self.s * o.v + 2 * self.r * o.r + self.v * o.s)

    __rmul__ = __mul__

    def of(self, f, f1, f2):
        return Jet(f, f1 * self.r, f2 * self.r ** 2 + f1 * self.s)

    def sin(self):
        return self.of(math.sin(self.v), math.cos(self.v), -math.sin(self.v))

    def cos(self):
        return self.of(math.cos(self.v), -math.sin(self.v), -math.cos(self.v))

    def sqrt(self):
        root = math.sqrt(self.v)
        return self.of(root, 0.5 / root, -0.25 / root ** 3)

    def inverse(self):
        return self.of(1 / self.v, -1 / self.v ** 2, 2 / self.v ** 3)

    def atan(self):
        d = 1 + self.v ** 2
        return self.of(math.atan(self.v), 1 / d, -2 * self.v / d ** 2)


def matrix(rows):
    return np.array([[x if isinstance(x, Jet) else Jet(x) for x in row] for row in rows], dtype=object)


def rot_x(a):
    return matrix([[1, 0, 0], [0, a.cos(), -a.sin()], [0, a.sin(), a.cos()]])


def rot_y(a):
    return matrix([[a.cos(), 0, a.sin()], [0, 1, 0], [-a.sin(), 0, a.cos()]])


def rot_z(a):
    return matrix([[a.cos(), -a.sin(), 0], [a.sin(), a.cos(), 0], [0, 0, 1]])


def part(jets, name):
    return np.vectorize(lambda x: getattr(x, name), otypes=[float])(jets)


def spin(rotation):
    """Angular velocity and acceleration from R' R^T and R'' R^T."""
    def axial(m):
        return 0.5 * np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])

    value = part(rotation, "v")
    return axial(part(rotation, "r") @ value.T), axial(part(rotation, "s") @ value.T)


def wrench_needed(body, rotation, centre):
    """m (a - g), and the rate of the angular momentum about the mass centre."""
    w, dw = spin(rotation)
    turned = part(rotation, "v") @ body["inertia"] @ part(rotation, "v").T
    return body["mass"] * (part(centre, "s") - GRAVITY), turned @ dw + np.cross(w, turned @ w)


def pose(t):
    t = Jet(t, 1.0)
    position = np.array([0.05 * (2.0 * t).sin(), 0.04 * t * (1.5 * t).cos(), 0.8 + 0.06 * (3.0 * t).sin()], dtype=object)
    turn = rot_z(0.3 * (1.1 * t).sin()) @ rot_y(0.15 + 0.1 * (2.0 * t).cos()) @ rot_x(0.2 * t)
    return position, turn


def leg_forces(t):
    position, turn = pose(t)
    needed_force, needed_moment = wrench_needed(PLATFORM, turn, position)
    axial = np.zeros((6, 6))
    load = np.concatenate([needed_force, needed_moment])
    pistons, lengths = [], []
    for base, top in zip(BASE, TOP):
        arm = turn @ top
        leg = position + arm - base
        length = sum(x * x for x in leg).sqrt()
        u = leg * length.inverse()
        # u = Rx(a) Ry(b) z = (sin b, -sin a cos b, cos a cos b)
        a = (-u[1] * u[2].inverse()).atan()
        b = (u[0] * ((u[1] * u[1] + u[2] * u[2]).sqrt()).inverse()).atan()
        axes = rot_x(a) @ rot_y(b)
        low, high = u * CYLINDER["centre"], u * (length + PISTON["centre"])  # mass centres, from the base point
        force_low, moment_low = wrench_needed(CYLINDER, axes, low)
        force_high, moment_high = wrench_needed(PISTON, axes, high)
        about_base = (moment_low + np.cross(part(low, "v"), force_low) + moment_high
                      + np.cross(part(high, "v"), force_high))
        # The ball pushes the leg by -F: about the axes of the universal joint, (leg x -F) . e = about_base . e.
        along, span = part(u, "v"), part(leg, "v")
        first, second = np.array([1.0, 0.0, 0.0]), part(rot_x(a), "v")[:, 1]
        across = np.linalg.svd(along[None, :])[2][1:]  # two directions across the leg
        system = np.array([[np.dot(np.cross(span, -c), e) for c in across] for e in (first, second)])
        sideways = np.linalg.solve(system, [np.dot(about_base, e) for e in (first, second)]) @ across
        r = part(arm, "v")
        load -= np.concatenate([sideways, np.cross(r, sideways)])
        axial[:, len(pistons)] = np.concatenate([along, np.cross(r, along)])
        pistons.append(np.dot(force_high, along))
        lengths.append(length.v)
    return np.linalg.solve(axial, load) + np.array(pistons), lengths


def main():
    states = []
    for t in TIMES:
        forces, lengths = leg_forces(t)
        states.append({"t": t, "lengths": lengths, "forces": forces.tolist()})
    if "--check" in sys.argv:
        with open(FILE) as file:
            for old, new in zip(json.load(file)["states"], states):
                np.testing.assert_allclose(old["forces"], new["forces"], rtol=1e-12, atol=1e-11)
        return
    with open(FILE, "w") as file:
        json.dump({"states": states}, file, indent=1)
        file.write("\n")


main()
