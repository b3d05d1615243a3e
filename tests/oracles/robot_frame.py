"""Natural frequencies of examples/flexible-3rrr.yaml with its motors locked, as a plane frame by the direct stiffness method.

Every node of a leg has its own displacements and rotation in ground axes; pins share displacements only; the platform is a
rigid body. Bars are made inextensible by a very large EA. Numbers of the model file stand below; the pose is closed here by
Newton's method from the same guesses. No gravity, so the links are straight.

Writes robot_frame.json; `--check` compares instead. Needs numpy.
"""
import json
import math
import os
import sys

import numpy as np

LENGTH, MASS, BENDING, AXIAL, ELEMENTS = 0.45, 0.0623, 7.815, 1e9, 16
PLATFORM_MASS, PLATFORM_INERTIA = 0.0959, 1.28e-3
PLACES = np.array([(-0.1, -0.0577), (0.1, -0.0577), (0, 0.1155)])
BASES = np.array([(0, 0), (1, 0), (0.5, 0.866)])
MOTORS = np.radians([80, 200, 320])
KNEES = np.radians([-100, -100, -100])
COUNT = 12
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "robot_frame.json")


def unit(angle):
    return np.array([math.cos(angle), math.sin(angle)])


def turned(angle, point):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])


def close_loops():
    """Platform pose (x, y, angle) with all rods of the right length, from where the guesses put their ends."""
    elbows = [BASES[i] + LENGTH * unit(MOTORS[i]) for i in range(3)]
    ends = [elbows[i] + LENGTH * unit(MOTORS[i] + KNEES[i]) for i in range(3)]
    pose = np.append(np.mean(ends, axis=0), 0.0)

    def gaps(p):
        return np.array([np.sum((p[:2] + turned(p[2], PLACES[i]) - elbows[i]) ** 2) - LENGTH ** 2 for i in range(3)])

    for _ in range(50):
        slope = np.array([(gaps(pose + h) - gaps(pose - h)) / 2e-6 for h in 1e-6 * np.eye(3)]).T
        pose = pose - np.linalg.solve(slope, gaps(pose))
    assert np.abs(gaps(pose)).max() < 1e-14
    return pose, elbows


def element(length):
    """Stiffness and mass along (u, v, turn) of both ends, bar axes."""
    mu, l = MASS / LENGTH, length
    k, m = np.zeros((6, 6)), np.zeros((6, 6))
    axial, across = [0, 3], [1, 2, 4, 5]
    k[np.ix_(axial, axial)] = AXIAL / l * np.array([[1, -1], [-1, 1]])
    m[np.ix_(axial, axial)] = mu * l / 6 * np.array([[2, 1], [1, 2]])
    k[np.ix_(across, across)] = BENDING / l ** 3 * np.array(
        [[12, 6 * l, -12, 6 * l], [6 * l, 4 * l * l, -6 * l, 2 * l * l], [-12, -6 * l, 12, -6 * l], [6 * l, 2 * l * l, -6 * l, 4 * l * l]])
    m[np.ix_(across, across)] = mu * l / 420 * np.array(
        [[156, 22 * l, 54, -13 * l], [22 * l, 4 * l * l, 13 * l, -3 * l * l], [54, 13 * l, 156, -22 * l], [-13 * l, -3 * l * l, -22 * l, 4 * l * l]])
    return k, m


class Frame:
    def __init__(self, size):
        self.k, self.m = np.zeros((size, size)), np.zeros((size, size))
        self.used = 3  # the platform comes first: x, y, angle

    def fresh(self, count):
        self.used += count
        return [{self.used - count + i: 1.0} for i in range(count)]

    def beam(self, start, end, angle):
        """Along `angle`; start and end are three maps coordinate -> factor for the displacements x, y and the rotation."""
        c, s = math.cos(angle), math.sin(angle)
        turn = np.zeros((6, 6))
        for i in (0, 3):
            turn[i:i + 3, i:i + 3] = [[c, s, 0], [-s, c, 0], [0, 0, 1]]
        k, m = element(LENGTH / ELEMENTS)
        nodes = [start] + [self.fresh(3) for _ in range(ELEMENTS - 1)] + [end]
        for a, b in zip(nodes, nodes[1:]):
            gather = np.zeros((6, len(self.k)))
            for row, motion in enumerate(a + b):
                for coordinate, factor in motion.items():
                    gather[row, coordinate] = factor
            self.k += gather.T @ turn.T @ k @ turn @ gather
            self.m += gather.T @ turn.T @ m @ turn @ gather


def solve():
    pose, elbows = close_loops()
    frame = Frame(3 + 3 * (2 * 3 * (ELEMENTS - 1) + 2 + 3))
    frame.m[0, 0] = frame.m[1, 1] = PLATFORM_MASS
    frame.m[2, 2] = PLATFORM_INERTIA
    for i in range(3):
        arm = turned(pose[2], PLACES[i])
        ankle = pose[:2] + arm
        knee = frame.fresh(2)
        frame.beam([{}, {}, {}], knee + frame.fresh(1), MOTORS[i])
        rod = math.atan2(*(ankle - elbows[i])[::-1])
        frame.beam(knee + frame.fresh(1), [{0: 1.0, 2: -arm[1]}, {1: 1.0, 2: arm[0]}] + frame.fresh(1), rod)
    k, m = frame.k[:frame.used, :frame.used], frame.m[:frame.used, :frame.used]
    inverse = np.linalg.inv(np.linalg.cholesky(m))
    squares = np.linalg.eigvalsh(inverse @ k @ inverse.T)
    return [math.sqrt(x) / (2 * math.pi) for x in squares[:COUNT]]


if __name__ == "__main__":
    result = {"elements": ELEMENTS, "frequencies_hz": solve()}
    if "--check" in sys.argv:
        with open(FILE) as f:
            recorded = json.load(f)
        for a, b in zip(recorded["frequencies_hz"], result["frequencies_hz"]):
            assert abs(a / b - 1) < 1e-5, (a, b)
    else:
        with open(FILE, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
    print(json.dumps(result))
