"""Compliance of three robots with elastic links and locked motors, as plane and space frames by the direct stiffness method.

Every node has three displacements and three rotations in ground axes. Beams between nodes have the stiffness against
stretching, twisting, bending and (Timoshenko) shear of the closed form; joints are linear constraints between the motions of
two places, each rigidly attached to a node; a platform is a node without beams. The constraints are taken out by a basis of
their null space. No load, so this is the linear compliance at the undeformed pose; nodes stand where frames do, and there the
solution of the beam equation is exact.

Writes frame_stiffness.json, compliances as 6 x 6 (turn, displacement) per (moment, force), ground axes; `--check` compares
instead. Needs numpy. tests/analysis/compliance_test.cpp has the same robots as model files.
"""
import json
import math
import os
import sys

import numpy as np

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "frame_stiffness.json")
X, Y, Z = np.eye(3)


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turned(axis, angle):
    """Rodrigues."""
    k = skew(axis)
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


class Section:
    """Zero shear stiffness: rigid in shear."""

    def __init__(self, EA, EI_y, EI_z, GJ, kGA=0.0):
        self.EA, self.EI_y, self.EI_z, self.GJ, self.kGA = EA, EI_y, EI_z, GJ, kGA


def ring(young, poisson, outer, inner, shear=True):
    """A tube, or a full circle with inner = 0; shear factor of Cowper (1966)."""
    area = math.pi * (outer ** 2 - inner ** 2)
    second = math.pi * (outer ** 4 - inner ** 4) / 4
    G = young / (2 * (1 + poisson))
    m = inner / outer
    q = (1 + m ** 2) ** 2
    kappa = 6 * (1 + poisson) * q / ((7 + 6 * poisson) * q + (20 + 12 * poisson) * m ** 2)
    return Section(young * area, young * second, young * second, 2 * G * second, kappa * G * area if shear else 0.0)


def beam_stiffness(section, l):
    """12 x 12 along (u, v, w, turns about x, y, z) of both ends, axis x."""
    k = np.zeros((12, 12))
    pair = np.array([[1, -1], [-1, 1]])
    k[np.ix_([0, 6], [0, 6])] = section.EA / l * pair
    k[np.ix_([3, 9], [3, 9])] = section.GJ / l * pair
    for EI, places, sign in ((section.EI_y, [1, 5, 7, 11], 1), (section.EI_z, [2, 4, 8, 10], -1)):
        p = 12 * EI / (section.kGA * l * l) if section.kGA else 0.0
        s = sign * 6 * l
        k[np.ix_(places, places)] += EI / (l ** 3 * (1 + p)) * np.array(
            [[12, s, -12, s], [s, (4 + p) * l * l, -s, (2 - p) * l * l],
             [-12, -s, 12, -s], [s, (2 - p) * l * l, -s, (4 + p) * l * l]])
    return k


class Frame:
    def __init__(self, plane=False):
        self.places, self.beams, self.rows, self.plane = [], [], [], plane

    def node(self, place):
        self.places.append(np.array(place, dtype=float))
        return len(self.places) - 1

    def beam(self, a, b, section, across):
        """`across` lies in the plane of the section's y axis."""
        self.beams.append((a, b, section, np.array(across, dtype=float)))

    def link(self, root, way, stops, section, across):
        """A straight link along `way` with nodes at these distances; its nodes."""
        nodes = [self.node(root + way * s) for s in stops]
        for a, b in zip(nodes, nodes[1:]):
            self.beam(a, b, section, across)
        return nodes

    def motion(self, node, place):
        """Turn and displacement (6 x all) of a place carried by a node; the ground does not move."""
        m = np.zeros((6, 6 * len(self.places)))
        if node is not None:
            m[0:3, 6 * node + 3:6 * node + 6] = np.eye(3)
            m[3:6, 6 * node:6 * node + 3] = np.eye(3)
            m[3:6, 6 * node + 3:6 * node + 6] = -skew(place - self.places[node])
        return m

    def join(self, a, b, place, free=()):
        """A joint at `place` that leaves relative turns about the directions `free`."""
        self.rows.append((a, b, np.array(place, dtype=float), np.array(free, dtype=float).reshape(-1, 3)))

    def solve(self):
        n = 6 * len(self.places)
        K = np.zeros((n, n))
        for a, b, section, across in self.beams:
            way = self.places[b] - self.places[a]
            l = np.linalg.norm(way)
            x = way / l
            y = across - x * (x @ across)
            y /= np.linalg.norm(y)
            axes = np.array([x, y, np.cross(x, y)])  # rows
            turn = np.kron(np.eye(4), axes)
            dofs = list(range(6 * a, 6 * a + 6)) + list(range(6 * b, 6 * b + 6))
            K[np.ix_(dofs, dofs)] += turn.T @ beam_stiffness(section, l) @ turn
        rows = [np.zeros((0, n))]
        for a, b, place, free in self.rows:
            apart = self.motion(a, place) - self.motion(b, place)
            rows.append(apart[3:6])
            held = np.eye(3) if len(free) == 0 else np.linalg.svd(free)[2][len(free):]
            rows.append(held @ apart[0:3])
        if self.plane:
            rows += [np.eye(n)[6 * i + k] for i in range(len(self.places)) for k in (2, 3, 4)]
        C = np.vstack(rows)
        _, size, Vt = np.linalg.svd(C)
        T = Vt[np.sum(size > 1e-9 * size[0]):].T
        reduced = T.T @ K @ T
        softest, hardest = np.linalg.eigvalsh(reduced)[[0, -1]]
        assert softest > 1e-12 * hardest, "the frame moves without resistance"
        self.flexibility = T @ np.linalg.solve(reduced, T.T)

    def compliance(self, node, place):
        m = self.motion(node, np.array(place, dtype=float))
        return m @ self.flexibility @ m.T


def five_bar():
    """Tubes, in space: revolute joints about z, both arms held by their motors. Frames: where the forearms meet; middle of the left forearm."""
    tube = ring(70e9, 0.33, 0.01, 0.009)
    arm, forearm, half = 0.2, 0.28, 0.08
    frame = Frame()
    left, right = np.array([-half, 0, 0.0]), np.array([half, 0, 0.0])
    ways = [turned(Z, math.radians(110)) @ X, turned(Z, math.radians(50)) @ X]
    elbows = [left + arm * ways[0], right + arm * ways[1]]
    apart = elbows[1] - elbows[0]
    foot, height = (elbows[0] + elbows[1]) / 2, math.sqrt(forearm ** 2 - apart @ apart / 4)
    tool = foot + height * np.cross(Z, apart / np.linalg.norm(apart))
    legs = []
    for start, elbow, way in zip((left, right), elbows, ways):
        upper = frame.link(start, way, [0, arm], tube, np.cross(Z, way))
        frame.join(None, upper[0], start)
        on = (tool - elbow) / forearm
        lower = frame.link(elbow, on, [0, forearm / 2, forearm], tube, np.cross(Z, on))
        frame.join(upper[1], lower[0], elbow, [Z])
        legs.append(lower)
    frame.join(legs[0][2], legs[1][2], tool, [Z])
    frame.solve()
    return {"tool": frame.compliance(legs[0][2], tool), "middle": frame.compliance(legs[0][1], frame.places[legs[0][1]])}


def three_rrr():
    """Plane legs with EI and EA. Frames: platform; middle of rod 1."""
    l = 0.45
    strip = Section(2e5, 7.815, 7.815, 1.0)
    bases = np.array([(0, 0, 0), (1, 0, 0), (0.5, 0.866, 0)])
    places = np.array([(-0.1, -0.0577, 0), (0.1, -0.0577, 0), (0, 0.1155, 0)])
    motors, knees = np.radians([80, 200, 320]), np.radians([-100, -100, -100])
    elbows = [bases[i] + l * turned(Z, motors[i]) @ X for i in range(3)]
    ends = [elbows[i] + l * turned(Z, motors[i] + knees[i]) @ X for i in range(3)]
    pose = np.append(np.mean(ends, axis=0)[:2], 0.0)

    def ankles(p):
        return [np.array([p[0], p[1], 0]) + turned(Z, p[2]) @ place for place in places]

    def gaps(p):
        return np.array([np.sum((a - e) ** 2) - l ** 2 for a, e in zip(ankles(p), elbows)])

    for _ in range(50):
        slope = np.array([(gaps(pose + h) - gaps(pose - h)) / 2e-6 for h in 1e-6 * np.eye(3)]).T
        pose = pose - np.linalg.solve(slope, gaps(pose))
    assert np.abs(gaps(pose)).max() < 1e-14
    frame = Frame(plane=True)
    centre = np.array([pose[0], pose[1], 0])
    platform = frame.node(centre)
    middle = None
    for i, ankle in enumerate(ankles(pose)):
        way = turned(Z, motors[i]) @ X
        crank = frame.link(bases[i], way, [0, l], strip, np.cross(Z, way))
        frame.join(None, crank[0], bases[i])
        on = (ankle - elbows[i]) / np.linalg.norm(ankle - elbows[i])
        rod = frame.link(elbows[i], on, [0, l / 2, l], strip, np.cross(Z, on))
        frame.join(crank[1], rod[0], elbows[i], [Z])
        frame.join(rod[2], platform, ankle, [Z])
        middle = rod[1] if i == 0 else middle
    frame.solve()
    return {"platform": frame.compliance(platform, centre), "middle": frame.compliance(middle, frame.places[middle])}


def delta():
    """Arms of tubes, pairs of round rods with a universal joint at the arm and a ball at the platform. Frames: platform; middle of rod 1."""
    arm, rod, base, top, half, angle = 0.25, 0.5, 0.2, 0.06, 0.04, 0.3
    tube, round_bar = ring(70e9, 0.33, 0.012, 0.010, shear=False), ring(120e9, 0.3, 0.004, 0.0, shear=False)
    across = top - base - arm * math.cos(angle)
    down = math.sqrt(rod ** 2 - across ** 2)
    frame = Frame()
    centre = np.array([0, 0, -arm * math.sin(angle) - down])
    platform = frame.node(centre)
    middle = None
    for i in range(3):
        leg = turned(Z, 2 * math.pi / 3 * i)
        way = leg @ np.array([math.cos(angle), 0, -math.sin(angle)])
        on = leg @ np.array([across, 0, -down]) / rod
        swing, side = leg @ Y, leg @ turned(Y, math.atan2(down, across)) @ Z
        start = leg @ np.array([base, 0, 0])
        upper = frame.link(start, way, [0, arm], tube, swing)
        frame.join(None, upper[0], start)
        for offset in (half, -half):
            elbow = start + arm * way + offset * swing
            lower = frame.link(elbow, on, [0, rod / 2, rod], round_bar, swing)
            frame.join(upper[1], lower[0], elbow, [swing, side])
            frame.join(lower[2], platform, elbow + rod * on, np.eye(3))
            middle = lower[1] if middle is None else middle
    frame.solve()
    return {"platform": frame.compliance(platform, centre), "middle": frame.compliance(middle, frame.places[middle])}


def check_closed_forms():
    """A cantilever with a force and a moment at its end; a clamped beam with a hinge at its other end."""
    section, l = Section(3e5, 7.0, 11.0, 5.0), 0.4
    frame = Frame()
    nodes = frame.link(np.zeros(3), X, [0, 0.1, l], section, Y)
    frame.join(None, nodes[0], np.zeros(3))
    frame.solve()
    c = frame.compliance(nodes[2], l * X)
    for (i, j), value in {(3, 3): l / 3e5, (4, 4): l ** 3 / 21, (5, 5): l ** 3 / 33, (0, 0): l / 5, (2, 2): l / 7,
                          (1, 1): l / 11, (2, 4): l ** 2 / 14, (1, 5): -l ** 2 / 22}.items():
        assert abs(c[i, j] / value - 1) < 1e-9, (i, j, c[i, j], value)
    frame = Frame(plane=True)
    nodes = frame.link(np.zeros(3), X, [0, l / 2, l], section, Y)
    frame.join(None, nodes[0], np.zeros(3))
    frame.join(nodes[2], None, l * X, [Z])
    frame.solve()
    assert abs(frame.compliance(nodes[1], l / 2 * X)[4, 4] / (7 * l ** 3 / (768 * 7.0)) - 1) < 1e-9


if __name__ == "__main__":
    check_closed_forms()
    answers = {name: {place: c.tolist() for place, c in make().items()}
               for name, make in (("five_bar", five_bar), ("three_rrr", three_rrr), ("delta", delta))}
    if "--check" in sys.argv:
        with open(FILE) as f:
            recorded = json.load(f)
        for name, places in answers.items():
            for place, matrix in places.items():
                a, b = np.array(matrix), np.array(recorded[name][place])
                size = np.sqrt(np.outer(np.diag(b), np.diag(b))) + 1e-30
                assert (np.abs(a - b) <= 1e-8 * size + 1e-16).all(), (name, place)
    else:
        with open(FILE, "w") as f:
            json.dump(answers, f, indent=1)
            f.write("\n")
    for name, places in answers.items():
        for place, matrix in places.items():
            print(name, place, *("%.6e" % matrix[i][i] for i in range(6)))
