#!/usr/bin/python3
"""Accelerations of robots in tests/io/urdf/corpus, from the URDF itself: usage urdf_corpus.py [--check].

Lagrange's equations in the coordinates of the URDF's tree, in ground axes: M(q) from the Jacobians of all mass centres, Coriolis
terms from derivatives of M and gravity from the derivative of the potential, both by the complex step (exact to rounding). Loops
are equations on the speeds of their two frames, J v = 0; accelerations are a = -J^+ J' v + N y with N the null space of J. Reads
the XML with Python's own parser. Shares no code and no algorithm with Lithe.
"""

import json
import os
import sys
import xml.etree.ElementTree as xml

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "io", "urdf", "corpus")
ANSWER = os.path.join(HERE, "urdf_corpus.json")
GRAVITY = np.array([0.0, 0.0, -9.81])
STEP = 1e-30
# What a robot needs besides its file: how an impossible inertia is settled.
ROBOTS = {
    "plain-arm": {}, "spaces-in-numbers": {}, "forms-of-numbers": {}, "quaternion": {}, "zero-axis-on-fixed": {},
    "products-left-out": {}, "link-called-ground": {}, "joint-named-like-a-frame": {}, "missing-limits": {},
    "urdf-plus-loop": {}, "drake-loop-joint": {}, "loop-on-a-bare-link": {}, "sliding-loop": {},
    "rounded-inertia": {"repair": True}, "impossible-inertia-repaired": {"repair": True},
    "impossible-inertia-accepted": {},
}


def numbers(element, attribute, default):
    text = None if element is None else element.get(attribute)
    return np.array(default if text is None else [float(x) for x in text.split()])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(axis, angle):
    """Rodrigues' formula; complex angles allowed."""
    k = cross(np.asarray(axis, float))
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def of_origin(origin):
    """Rotation and position; rpy about fixed axes, or a quaternion with its scalar last."""
    position = numbers(origin, "xyz", (0.0, 0.0, 0.0))
    if origin is not None and origin.get("quat_xyzw"):
        q = numbers(origin, "quat_xyzw", None)
        q = q / np.linalg.norm(q)
        k = cross(q[:3])
        return np.eye(3) + 2 * q[3] * k + 2 * k @ k, position
    r, p, y = numbers(origin, "rpy", (0.0, 0.0, 0.0))
    return turn([0, 0, 1], y) @ turn([0, 1, 0], p) @ turn([1, 0, 0], r), position


def axis_of(element):
    axis = numbers(element.find("axis"), "xyz", (1.0, 0.0, 0.0))
    return axis / np.linalg.norm(axis)


def repaired(tensor):
    """Second moments of mass that are negative become zero."""
    second = 0.5 * np.trace(tensor) * np.eye(3) - tensor
    values, vectors = np.linalg.eigh(second)
    second = vectors @ np.diag(np.maximum(values, 0.0)) @ vectors.T
    return np.trace(second) * np.eye(3) - second


class Robot:
    def __init__(self, name, repair=False):
        robot = xml.parse(os.path.join(CORPUS, name + ".urdf")).getroot()
        self.repair = repair
        self.links = {each.get("name"): each for each in robot.findall("link")}
        self.joints = robot.findall("joint")  # parents stand before children in these files
        self.moving = [j for j in self.joints if j.get("type") != "fixed"]
        self.loops = robot.findall("loop") + robot.findall("loop_joint")
        self.n = len(self.moving)
        children = {self.end(j, "child") for j in self.joints}
        self.base = next(each for each in self.links if each not in children)

    @staticmethod
    def end(joint, tag):
        return joint.find(tag).get("link").strip()

    def poses(self, q):
        """Rotation and position of every link in ground axes, and of every moving joint's frame."""
        poses = {self.base: (np.eye(3, dtype=q.dtype), np.zeros(3, dtype=q.dtype))}
        frames = {}
        for joint in self.joints:
            R, p = poses[self.end(joint, "parent")]
            turned, offset = of_origin(joint.find("origin"))
            R, p = R @ turned, p + R @ offset
            if joint in self.moving:
                value = q[self.moving.index(joint)]
                frames[joint.get("name")] = (R, p)
                if joint.get("type") == "prismatic":
                    p = p + R @ axis_of(joint) * value
                else:
                    R = R @ turn(axis_of(joint), value)
            poses[self.end(joint, "child")] = (R, p)
        return poses, frames

    def jacobians(self, q, link, offset):
        """Of a point of a link: speeds to its velocity and to the link's angular velocity, and where it is."""
        poses, frames = self.poses(q)
        R, p = poses[link]
        point = p + R @ offset
        Jv, Jw = np.zeros((3, self.n), dtype=q.dtype), np.zeros((3, self.n), dtype=q.dtype)
        while link != self.base:
            joint = next(j for j in self.joints if self.end(j, "child") == link)
            if joint in self.moving:
                k = self.moving.index(joint)
                Rj, pj = frames[joint.get("name")]
                axis = Rj @ axis_of(joint)
                if joint.get("type") == "prismatic":
                    Jv[:, k] = axis
                else:
                    Jv[:, k] = np.cross(axis, point - pj)
                    Jw[:, k] = axis
            link = self.end(joint, "parent")
        return Jv, Jw, R, point

    def bodies(self):
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is None:
                continue
            own, centre = of_origin(inertial.find("origin"))
            I = inertial.find("inertia")
            tensor = np.array([[float(I.get("i" + "".join(sorted(a + b)), "0")) for b in "xyz"] for a in "xyz"])
            tensor = own @ tensor @ own.T
            yield name, float(inertial.find("mass").get("value")), centre, repaired(tensor) if self.repair else tensor

    def mass_matrix(self, q):
        M = np.zeros((self.n, self.n), dtype=q.dtype)
        for name, mass, centre, tensor in self.bodies():
            Jv, Jw, R, _ = self.jacobians(q, name, centre)
            M += mass * Jv.T @ Jv + Jw.T @ (R @ tensor @ R.T) @ Jw
        return M

    def potential(self, q):
        return -sum(mass * GRAVITY @ self.jacobians(q, name, centre)[3] for name, mass, centre, _ in self.bodies())

    def ends(self, loop):
        """(link, rotation and position of the loop's frame in it), of both ends."""
        if loop.tag == "loop":
            return [(end.get("link"), *of_origin(end.find("origin")))
                    for end in (loop.find("predecessor"), loop.find("successor"))]
        return [(end.get("link"), *of_origin(end)) for end in loop if end.tag.startswith("link")]

    def closure(self, q):
        """Rows that the speeds must fulfil, and errors of position; frames coincide up to the freedom of the joint."""
        rows, errors = [np.zeros((0, self.n), dtype=q.dtype)], [np.zeros(0, dtype=q.dtype)]
        for loop in self.loops:
            (a, Ra, pa), (b, Rb, pb) = self.ends(loop)
            # The predecessor's point stands still in its frame; relative motion is seen from there.
            Jva, Jwa, R1, x1 = self.jacobians(q, a, pa)
            Jvb, Jwb, R2, x2 = self.jacobians(q, b, pb)
            R1, R2, axis = R1 @ Ra, R2 @ Rb, axis_of(loop)
            other = np.linalg.svd(axis[None, :])[2][1:]  # two directions across the axis
            if loop.get("type") == "prismatic":
                apart = x2 - x1
                for e in other:
                    d = R1 @ e
                    rows.append((d @ (Jvb - Jva) + np.cross(d, -apart) @ Jwa)[None, :])
                    errors.append(np.array([d @ apart]))
                rows.append(Jwb - Jwa)
                errors.append(0.5 * sum(np.cross(R1[:, k], R2[:, k]) for k in range(3)))
            else:
                rows.append(Jvb - Jva)
                errors.append(x2 - x1)
                for e in other:
                    rows.append(((R1 @ e) @ (Jwb - Jwa))[None, :])
                    errors.append(np.array([(R1 @ e) @ np.cross(R1 @ axis, R2 @ axis)]))
        return np.concatenate(rows), np.concatenate(errors)

    def project(self, q):
        for _ in range(50):
            J, error = self.closure(q)
            if len(error) == 0 or np.abs(error).max() < 1e-15:
                return q
            q = q - np.linalg.lstsq(J, error, rcond=1e-9)[0]
        if np.abs(self.closure(q)[1]).max() > 1e-14:
            raise ValueError("the loop does not close")
        return q

    def null_space(self, q):
        J, _ = self.closure(q)
        if not self.loops:
            return np.eye(self.n)
        _, values, rows = np.linalg.svd(J)
        return rows[int(np.sum(values > 1e-9)):].T

    def accelerations(self, q, v):
        steps = [q.astype(complex) + 1j * STEP * np.eye(self.n)[k] for k in range(self.n)]
        dM = [self.mass_matrix(step).imag / STEP for step in steps]
        dV = np.array([np.imag(self.potential(step)) / STEP for step in steps])
        coriolis = sum(dM[k] * v[k] for k in range(self.n)) @ v - 0.5 * np.array([v @ dM[k] @ v for k in range(self.n)])
        damping = np.array([numbers(j.find("dynamics"), "damping", (0.0,))[0] for j in self.moving])
        M, force = self.mass_matrix(q), -coriolis - dV - damping * v
        J, _ = self.closure(q)
        Jdot = self.closure(q.astype(complex) + 1j * STEP * v)[0].imag / STEP
        bias = -np.linalg.pinv(J, rcond=1e-9) @ (Jdot @ v) if self.loops else np.zeros(self.n)
        N = self.null_space(q)
        return bias + N @ np.linalg.solve(N.T @ M @ N, N.T @ (force - M @ bias))

    def loop_motion(self, loop, q, v, a):
        """Position, speed and acceleration of the joint that closes a loop."""
        (la, Ra, pa), (lb, Rb, pb) = self.ends(loop)
        axis = axis_of(loop)

        def speed_row(at):
            Jva, Jwa, R1, x1 = self.jacobians(at, la, pa)
            Jvb, Jwb, R2, x2 = self.jacobians(at, lb, pb)
            d = R1 @ Ra @ axis
            if loop.get("type") == "prismatic":
                return d @ (Jvb - Jva) + np.cross(d, x1 - x2) @ Jwa
            return d @ (Jwb - Jwa)

        _, _, R1, x1 = self.jacobians(q, la, pa)
        _, _, R2, x2 = self.jacobians(q, lb, pb)
        relative = (R1 @ Ra).T @ R2 @ Rb
        if loop.get("type") == "prismatic":
            place = (R1 @ Ra @ axis) @ (x2 - x1)
        else:
            across = np.linalg.svd(axis[None, :])[2][1]
            place = np.arctan2(axis @ np.cross(across, relative @ across), across @ relative @ across)
        rate = speed_row(q.astype(complex) + 1j * STEP * v).imag / STEP
        return place, speed_row(q) @ v, speed_row(q) @ a + rate @ v


def answer():
    robots = {}
    for name, options in ROBOTS.items():
        robot, rng = Robot(name, **options), np.random.default_rng(len(robots))
        states = []
        for _ in range(3):
            q = robot.project(rng.uniform(-0.3, 0.3, robot.n))
            N = robot.null_space(q)
            v = N @ (N.T @ rng.uniform(-2, 2, robot.n))
            a = robot.accelerations(q, v)
            state = {j.get("name"): [q[k], v[k], a[k]] for k, j in enumerate(robot.moving)}
            for loop in robot.loops:
                state[loop.get("name")] = [float(x) for x in robot.loop_motion(loop, q, v, a)]
            states.append(state)
        robots[name] = states
    return {"about": "q, v and acceleration of every joint of robots in tests/io/urdf/corpus, by urdf_corpus.py",
            "robots": robots}


def main():
    found = answer()
    if "--check" not in sys.argv:
        with open(ANSWER, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
        return
    with open(ANSWER, encoding="utf-8") as file:
        recorded = json.load(file)["robots"]
    for name, states in found["robots"].items():
        for ours, theirs in zip(states, recorded[name], strict=True):
            scale = max(abs(x) for values in theirs.values() for x in values)
            for joint, values in ours.items():
                if max(abs(np.subtract(values, theirs[joint]))) > 1e-11 * scale:
                    sys.exit(f"{name}, {joint}: {values} is recorded as {theirs[joint]}")


if __name__ == "__main__":
    main()
