"""Compliance of the five-bar of tubes and of the Delta robot of frame_stiffness.py at twenty places of their tools each, motors locked, by the
direct stiffness method. The elbows are outside; the arms follow from the place of the tool by the law of cosines. No load.

Writes map_compliance.json: "x", "y" (m) and "compliance", per place in the order of x within y, 6 x 6 (turn, displacement) per
(moment, force), ground axes, and the same of the Delta robot as "delta", in the height "z"; `--check` compares instead. Needs numpy.
"""
import math
import os

import numpy as np

from frame_stiffness import Frame, X, Y, Z, ring, turned
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


DELTA_X = [-0.16, -0.08, 0.0, 0.08, 0.16]
DELTA_Y = [-0.15, -0.05, 0.05, 0.15]


def delta_height():
    """Of the platform with all arms at 0.3 rad, where the model file starts."""
    across = 0.06 - 0.2 - 0.25 * math.cos(0.3)
    return -0.25 * math.sin(0.3) - math.sqrt(0.25 - across ** 2)


def delta_compliance(centre):
    """The platform stays level; an arm lies in the plane of its leg, where the rods' middle must be one rod away from the platform."""
    arm, rod, base, top, half = 0.25, 0.5, 0.2, 0.06, 0.04
    tube, round_bar = ring(70e9, 0.33, 0.012, 0.010, shear=False), ring(120e9, 0.3, 0.004, 0.0, shear=False)
    frame = Frame()
    platform = frame.node(centre)
    for i in range(3):
        leg = turned(Z, 2 * math.pi / 3 * i)
        start, swing = leg @ np.array([base, 0, 0]), leg @ Y
        wrist = centre + leg @ np.array([top, 0, 0])
        # |start + arm (cos a, 0, -sin a) - wrist| = rod in the axes of the leg: p cos a + q sin a = r; the elbow that is outside.
        x, y, z = leg.T @ (wrist - start)
        r = (x * x + y * y + z * z + arm ** 2 - rod ** 2) / (2 * arm)
        angle = math.atan2(-z, x) - math.acos(r / math.hypot(x, z))
        way = leg @ np.array([math.cos(angle), 0, -math.sin(angle)])
        on = (wrist - start - arm * way) / rod
        assert abs(np.linalg.norm(on) - 1) < 1e-12
        side = np.cross(on, swing)  # the second axis of the universal joint: square to the first one and to the rod
        upper = frame.link(start, way, [0, arm], tube, swing)
        frame.join(None, upper[0], start)
        for offset in (half, -half):
            elbow = start + arm * way + offset * swing
            lower = frame.link(elbow, on, [0, rod], round_bar, side)
            frame.join(upper[1], lower[0], elbow, [swing, side / np.linalg.norm(side)])
            frame.join(lower[1], platform, elbow + rod * on, np.eye(3))
    frame.solve()
    return frame.compliance(platform, centre)


if __name__ == "__main__":
    found = {"x": PLACES_X, "y": PLACES_Y,
             "compliance": [compliance(np.array([x, y, 0.0])).tolist() for y in PLACES_Y for x in PLACES_X]}
    height = delta_height()
    found["delta"] = {"x": DELTA_X, "y": DELTA_Y, "z": height,
                      "compliance": [delta_compliance(np.array([x, y, height])).tolist() for y in DELTA_Y for x in DELTA_X]}
    known = recorded(FILE, found)
    if known is not None:
        ours, theirs = (x["compliance"] + x["delta"]["compliance"] for x in (found, known))
        for a, b in zip(np.array(ours), np.array(theirs)):
            size = np.sqrt(np.outer(np.diag(b), np.diag(b))) + 1e-30
            assert (np.abs(a - b) <= 1e-8 * size + 1e-16).all()
