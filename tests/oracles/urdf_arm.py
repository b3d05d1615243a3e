#!/usr/bin/python3
"""Torques of tests/io/urdf/arm.urdf, from the URDF itself: usage urdf_arm.py [--check].

Lagrange's equations in ground axes: M(q) from the Jacobians of all mass centres, the Coriolis terms from derivatives of M and
the gravity terms from the derivative of the potential, both by the complex step (exact to rounding). Shares no code and no
algorithm with Lithe, whose inverse dynamics is recursive and in link axes.
"""

import json
import os
import sys
import xml.etree.ElementTree as xml

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
URDF = os.path.join(HERE, "..", "io", "urdf", "arm.urdf")
ANSWER = os.path.join(HERE, "urdf_arm.json")
GRAVITY = np.array([0.0, 0.0, -9.81])


def vector(element, attribute, default=(0.0, 0.0, 0.0)):
    text = None if element is None else element.get(attribute)
    return np.array(default if text is None else [float(x) for x in text.split()])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(axis, angle):
    """Rodrigues' formula; complex angles allowed."""
    k = cross(np.asarray(axis, float))
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def placed(element):
    """Rotation and position of an origin; rpy about fixed axes."""
    origin = element.find("origin")
    r, p, y = vector(origin, "rpy")
    return turn([0, 0, 1], y) @ turn([0, 1, 0], p) @ turn([1, 0, 0], r), vector(origin, "xyz")


class Arm:
    def __init__(self):
        robot = xml.parse(URDF).getroot()
        self.links = {each.get("name"): each for each in robot.findall("link")}
        self.joints = robot.findall("joint")  # parents stand before children in this file
        self.moving = [j for j in self.joints if j.get("type") != "fixed"]

    def axis(self, joint):
        axis = vector(joint.find("axis"), "xyz", (1.0, 0.0, 0.0))
        return axis / np.linalg.norm(axis)

    def poses(self, q):
        """Rotation and position of every link in ground axes, and of every moving joint's frame."""
        poses = {"world": (np.eye(3, dtype=q.dtype), np.zeros(3, dtype=q.dtype))}
        frames = {}
        for joint in self.joints:
            R, p = poses[joint.find("parent").get("link")]
            turned, offset = placed(joint)
            R, p = R @ turned, p + R @ offset
            if joint in self.moving:
                value = q[self.moving.index(joint)]
                frames[joint.get("name")] = (R, p)
                if joint.get("type") == "prismatic":
                    p = p + R @ self.axis(joint) * value
                else:
                    R = R @ turn(self.axis(joint), value)
            poses[joint.find("child").get("link")] = (R, p)
        return poses, frames

    def ancestors(self, link):
        """Moving joints between the ground and a link."""
        found = []
        while link != "world":
            joint = next(j for j in self.joints if j.find("child").get("link") == link)
            if joint in self.moving:
                found.append(joint)
            link = joint.find("parent").get("link")
        return found

    def mass_matrix(self, q):
        poses, frames = self.poses(q)
        n = len(self.moving)
        M = np.zeros((n, n), dtype=q.dtype)
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is None:
                continue
            R, p = poses[name]
            own, centre = placed(inertial)
            centre = p + R @ centre
            I = inertial.find("inertia")
            tensor = np.array([[float(I.get("i" + "".join(sorted(a + b)))) for b in "xyz"] for a in "xyz"])
            tensor = (R @ own) @ tensor @ (R @ own).T
            Jv, Jw = np.zeros((3, n), dtype=q.dtype), np.zeros((3, n), dtype=q.dtype)
            for joint in self.ancestors(name):
                k = self.moving.index(joint)
                Rj, pj = frames[joint.get("name")]
                axis = Rj @ self.axis(joint)
                if joint.get("type") == "prismatic":
                    Jv[:, k] = axis
                else:
                    Jv[:, k] = np.cross(axis, centre - pj)
                    Jw[:, k] = axis
            M += float(inertial.find("mass").get("value")) * Jv.T @ Jv + Jw.T @ tensor @ Jw
        return M

    def potential(self, q):
        poses, _ = self.poses(q)
        energy = 0.0
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is not None:
                R, p = poses[name]
                energy -= float(inertial.find("mass").get("value")) * GRAVITY @ (p + R @ placed(inertial)[1])
        return energy

    def torques(self, q, v, a):
        n, h = len(q), 1e-30
        steps = [q.astype(complex) + 1j * h * np.eye(n)[k] for k in range(n)]
        dM = [self.mass_matrix(step).imag / h for step in steps]
        dV = np.array([np.imag(self.potential(step)) / h for step in steps])
        Mdot = sum(dM[k] * v[k] for k in range(n))
        coriolis = Mdot @ v - 0.5 * np.array([v @ dM[k] @ v for k in range(n)])
        damping = np.array([vector(j.find("dynamics"), "damping", (0.0,))[0] for j in self.moving])
        return self.mass_matrix(q.astype(float)) @ a + coriolis + dV + damping * v


def answer():
    arm, rng = Arm(), np.random.default_rng(5)
    names = [j.get("name") for j in arm.moving]
    states = []
    for _ in range(5):
        q, v, a = rng.uniform(-1, 1, 3), rng.uniform(-2, 2, 3), rng.uniform(-5, 5, 3)
        q[1] *= 0.2
        tau = arm.torques(q, v, a)
        states.append({key: dict(zip(names, value.tolist())) for key, value in
                       (("q", q), ("v", v), ("a", a), ("tau", tau))})
    return {"about": "inverse dynamics of tests/io/urdf/arm.urdf by urdf_arm.py", "states": states}


def main():
    found = answer()
    if "--check" not in sys.argv:
        with open(ANSWER, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
        return
    with open(ANSWER, encoding="utf-8") as file:
        recorded = json.load(file)
    for ours, theirs in zip(found["states"], recorded["states"], strict=True):
        for joint, value in ours["tau"].items():
            if abs(value - theirs["tau"][joint]) > 1e-10:
                sys.exit(f"{joint}: {value} is recorded as {theirs['tau'][joint]}")


if __name__ == "__main__":
    main()
