"""Compliance of the five-bar of tubes of frame_stiffness.py at twenty places of its tool, motors locked, by the direct stiffness
method. The elbows are outside; the arms follow from the place of the tool by the law of cosines. No load.

Writes map_compliance.json: "x", "y" (m) and "compliance", per place in the order of x within y, 6 x 6 (turn, displacement) per
(moment, force), ground axes; `--check` compares instead. Needs numpy.
"""
import math
import os

import numpy as np

from frame_stiffness import Frame, X, Z, ring, turned
from recorded_answer import recorded

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "map_compliance.json")
ARM, FOREARM, HALF = 0.2, 0.28, 0.08
PLACES_X = [-0.16, -0.08, 0.0, 0.08, 0.16]
PLACES_Y = [0.2, 0.25, 0.3, 0.35]


def compliance(tool):
    tube = ring(70e9, 0.33, 0.01, 0.009)
    frame = Frame()
    legs = []
    for side in (-1, 1):
        start = np.array([side * HALF, 0, 0.0])
        apart = tool - start
        distance = np.linalg.norm(apart)
        opening = math.acos((distance ** 2 + ARM ** 2 - FOREARM ** 2) / (2 * distance * ARM))
        way = turned(Z, math.atan2(apart[1], apart[0]) - side * opening) @ X
        elbow = start + ARM * way
        on = (tool - elbow) / FOREARM
        assert abs(np.linalg.norm(on) - 1) < 1e-12
        upper = frame.link(start, way, [0, ARM], tube, np.cross(Z, way))
        frame.join(None, upper[0], start)
        lower = frame.link(elbow, on, [0, FOREARM], tube, np.cross(Z, on))
        frame.join(upper[1], lower[0], elbow, [Z])
        legs.append(lower)
    frame.join(legs[0][1], legs[1][1], tool, [Z])
    frame.solve()
    return frame.compliance(legs[0][1], tool)


if __name__ == "__main__":
    found = {"x": PLACES_X, "y": PLACES_Y,
             "compliance": [compliance(np.array([x, y, 0.0])).tolist() for y in PLACES_Y for x in PLACES_X]}
    known = recorded(FILE, found)
    if known is not None:
        for a, b in zip(np.array(found["compliance"]), np.array(known["compliance"])):
            size = np.sqrt(np.outer(np.diag(b), np.diag(b))) + 1e-30
            assert (np.abs(a - b) <= 1e-8 * size + 1e-16).all()
