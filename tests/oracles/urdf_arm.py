#!/usr/bin/python3
"""Torques of tests/io/urdf/arm.urdf, from the URDF itself: usage urdf_arm.py [--check].

Inverse dynamics by Lagrange's equations, see urdf_tree.py.
"""

import os
import sys

import numpy as np

from recorded_answer import recorded
from urdf_tree import Tree

HERE = os.path.dirname(os.path.abspath(__file__))
URDF = os.path.join(HERE, "..", "io", "urdf", "arm.urdf")
ANSWER = os.path.join(HERE, "urdf_arm.json")


def answer():
    arm, rng = Tree(URDF), np.random.default_rng(5)
    names = [j.get("name") for j in arm.moving]
    states = []
    for _ in range(5):
        q, v, a = rng.uniform(-1, 1, 3), rng.uniform(-2, 2, 3), rng.uniform(-5, 5, 3)
        q[1] *= 0.2
        tau = arm.forces(q, v, a)
        states.append({key: dict(zip(names, value.tolist())) for key, value in
                       (("q", q), ("v", v), ("a", a), ("tau", tau))})
    return {"about": "inverse dynamics of tests/io/urdf/arm.urdf by urdf_arm.py", "states": states}


def main():
    found = answer()
    known = recorded(ANSWER, found)
    if known is None:
        return
    for ours, theirs in zip(found["states"], known["states"], strict=True):
        for joint, value in ours["tau"].items():
            if abs(value - theirs["tau"][joint]) > 1e-10:
                sys.exit(f"{joint}: {value} is recorded as {theirs['tau'][joint]}")


if __name__ == "__main__":
    main()
