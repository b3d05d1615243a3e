#!/usr/bin/python3
"""Accelerations of robots in tests/io/urdf/corpus, from the URDF itself: usage urdf_corpus.py [--check].

Lagrange's equations in the coordinates of the URDF's tree (urdf_tree.py). Loops are equations on the speeds of their two frames,
J v = 0; a coupling of URDF+ is ratio (angle of the predecessor) = angle of the successor, each counted from the last link that carries both; accelerations are a = -J^+ J' v + N y with N the null space of J.
"""

import os
import sys

import numpy as np

from recorded_answer import recorded_states
from urdf_tree import STEP, Tree, axis_of, of_origin

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "io", "urdf", "corpus")
ANSWER = os.path.join(HERE, "urdf_corpus.json")
# What a robot needs besides its file: how an impossible inertia is settled.
ROBOTS = {
    "plain-arm": {}, "spaces-in-numbers": {}, "forms-of-numbers": {}, "quaternion": {}, "zero-axis-on-fixed": {},
    "products-left-out": {}, "link-called-ground": {}, "joint-named-like-a-frame": {}, "missing-limits": {},
    "urdf-plus-loop": {}, "drake-loop-joint": {}, "loop-on-a-bare-link": {}, "sliding-loop": {},
    "rounded-inertia": {"repair": True}, "impossible-inertia-repaired": {"repair": True},
    "impossible-inertia-accepted": {}, "urdf-plus-coupling": {},
}


class Robot(Tree):
    def __init__(self, name, repair=False):
        super().__init__(os.path.join(CORPUS, name + ".urdf"), repair)
        self.loops = self.robot.findall("loop") + self.robot.findall("loop_joint")
        self.couplings = self.robot.findall("coupling")

    def joints_to(self, link):
        """Numbers of the moving joints between the root and a link."""
        for joint in self.joints:
            if self.end(joint, "child") == link:
                own = [self.moving.index(joint)] if joint in self.moving else []
                return self.joints_to(self.end(joint, "parent")) + own
        return []

    def coupling_row(self, coupling):
        row = np.zeros(self.n)
        before, behind = (self.joints_to(coupling.find(tag).get("link")) for tag in ("predecessor", "successor"))
        for k in before:
            row[k] += 0.0 if k in behind else float(coupling.find("ratio").get("value"))
        for k in behind:
            row[k] -= 0.0 if k in before else 1.0
        return row

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
        for coupling in self.couplings:
            row = self.coupling_row(coupling)
            rows.append(row[None, :].astype(q.dtype))
            errors.append(np.array([row @ q]))
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
        if len(J) == 0:
            return np.eye(self.n)
        _, values, rows = np.linalg.svd(J)
        return rows[int(np.sum(values > 1e-9)):].T

    def accelerations(self, q, v):
        M, force = self.mass_matrix(q), -self.forces(q, v, np.zeros(self.n))
        J, _ = self.closure(q)
        Jdot = self.closure(q.astype(complex) + 1j * STEP * v)[0].imag / STEP
        bias = -np.linalg.pinv(J, rcond=1e-9) @ (Jdot @ v) if len(J) else np.zeros(self.n)
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
    for name, ours, theirs in recorded_states(ANSWER, answer()):
        scale = max(abs(x) for values in theirs.values() for x in values)
        for joint, values in ours.items():
            if max(abs(np.subtract(values, theirs[joint]))) > 1e-11 * scale:
                sys.exit(f"{name}, {joint}: {values} is recorded as {theirs[joint]}")


if __name__ == "__main__":
    main()
