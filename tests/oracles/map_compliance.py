"""Compliance of four robots at twenty places of their tools each, motors locked, by the direct stiffness method: the five-bar of tubes, the 3-RRR
and the Delta robot of frame_stiffness.py, and a Stewart platform with elastic legs. The elbows of the five-bar are outside; the arms
follow from the place of the tool by the law of cosines. No load.

Writes map_compliance.json: "x", "y" (m) and "compliance", per place in the order of x within y, 6 x 6 (turn, displacement) per
(moment, force), ground axes; the same of the others as "delta" and "stewart", in the height "z", and "3rrr", its platform not
turned. `--check` compares instead. Needs numpy.
"""
import math
import os

import numpy as np

from frame_stiffness import Frame, Section, X, Y, Z, ring, turned
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


RRR_X = [0.4, 0.45, 0.5, 0.55, 0.6]
RRR_Y = [0.2, 0.25, 0.3, 0.35]


def three_rrr_compliance(centre):
    """Crank and rod are of one length, so the knee stands square to the middle of the line from motor to ankle: on its left, seen from the motor."""
    l = 0.45
    strip = Section(2e5, 7.815, 7.815, 1.0)
    frame = Frame(plane=True)
    platform = frame.node(centre)
    for base, place in (((0, 0, 0), (-0.1, -0.0577, 0)), ((1, 0, 0), (0.1, -0.0577, 0)), ((0.5, 0.866, 0), (0, 0.1155, 0))):
        start, ankle = np.array(base, dtype=float), centre + np.array(place)
        line = ankle - start
        distance = np.linalg.norm(line)
        knee = (start + ankle) / 2 + math.sqrt(l ** 2 - distance ** 2 / 4) * np.cross(Z, line / distance)
        way, on = (knee - start) / l, (ankle - knee) / l
        crank = frame.link(start, way, [0, l], strip, np.cross(Z, way))
        frame.join(None, crank[0], start)
        rod = frame.link(knee, on, [0, l], strip, np.cross(Z, on))
        frame.join(crank[1], rod[0], knee, [Z])
        frame.join(rod[1], platform, ankle, [Z])
    frame.solve()
    return frame.compliance(platform, centre)


STEWART_X = [-0.1, -0.05, 0.0, 0.05, 0.1]
STEWART_Y = [-0.09, -0.03, 0.03, 0.09]
STEWART_Z = 0.85


def stewart_compliance(centre):
    """The platform is level. Between tube and piston the stroke is rigid, as the motor is locked; what the leg leaves free at its foot is a turn
    about any line square to it."""
    base, top, part = 0.6, 0.35, 0.4
    tube, bar = ring(70e9, 0.33, 0.03, 0.027, shear=False), ring(210e9, 0.3, 0.012, 0.0, shear=False)
    frame = Frame()
    platform = frame.node(centre)
    for i in range(1, 7):
        foot = base * (turned(Z, math.radians(60 * i + 16 * (-1) ** i)) @ X)
        head = centre + top * (turned(Z, math.radians(60 * i - 18 * (-1) ** i)) @ X)
        leg = head - foot
        length = np.linalg.norm(leg)
        way = leg / length
        across = np.cross(way, X)
        lower = frame.link(foot, way, [0, part], tube, across)
        frame.join(None, lower[0], foot, [across, np.cross(way, across)])
        upper = frame.link(head - part * way, way, [0, part], bar, across)
        frame.join(lower[1], upper[0], foot + part * way)
        frame.join(upper[1], platform, head, np.eye(3))
    frame.solve()
    return frame.compliance(platform, centre)


if __name__ == "__main__":
    found = {"x": PLACES_X, "y": PLACES_Y,
             "compliance": [compliance(np.array([x, y, 0.0])).tolist() for y in PLACES_Y for x in PLACES_X]}
    height = delta_height()
    found["delta"] = {"x": DELTA_X, "y": DELTA_Y, "z": height,
                      "compliance": [delta_compliance(np.array([x, y, height])).tolist() for y in DELTA_Y for x in DELTA_X]}
    found["3rrr"] = {"x": RRR_X, "y": RRR_Y,
                     "compliance": [three_rrr_compliance(np.array([x, y, 0.0])).tolist() for y in RRR_Y for x in RRR_X]}
    found["stewart"] = {"x": STEWART_X, "y": STEWART_Y, "z": STEWART_Z, "compliance": [
        stewart_compliance(np.array([x, y, STEWART_Z])).tolist() for y in STEWART_Y for x in STEWART_X]}
    known = recorded(FILE, found)
    if known is not None:
        ours, theirs = (x["compliance"] + x["delta"]["compliance"] + x["3rrr"]["compliance"] + x["stewart"]["compliance"]
                        for x in (found, known))
        for a, b in zip(np.array(ours), np.array(theirs)):
            size = np.sqrt(np.outer(np.diag(b), np.diag(b))) + 1e-30
            assert (np.abs(a - b) <= 1e-8 * size + 1e-16).all()
