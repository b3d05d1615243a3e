"""The tree of a URDF file in Lagrange's coordinates, for urdf_arm.py and urdf_corpus.py.

M(q) comes from the Jacobians of all mass centres, in ground axes; Coriolis terms from derivatives of M and gravity from the
derivative of the potential, both by the complex step (exact to rounding). Reads the XML with Python's own parser. Shares no code and
no algorithm with Lithe, whose dynamics is recursive and in link axes. Parents stand before children in the files.
"""

import xml.etree.ElementTree as xml

import numpy as np

GRAVITY = np.array([0.0, 0.0, -9.81])
STEP = 1e-30


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


class Tree:
    def __init__(self, path, repair=False):
        self.robot = xml.parse(path).getroot()
        self.repair = repair
        self.links = {each.get("name"): each for each in self.robot.findall("link")}
        self.joints = self.robot.findall("joint")
        self.moving = [j for j in self.joints if j.get("type") != "fixed"]
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

    def forces(self, q, v, a):
        """Joint forces that this motion needs."""
        steps = [q.astype(complex) + 1j * STEP * np.eye(self.n)[k] for k in range(self.n)]
        dM = [self.mass_matrix(step).imag / STEP for step in steps]
        dV = np.array([np.imag(self.potential(step)) / STEP for step in steps])
        coriolis = sum(dM[k] * v[k] for k in range(self.n)) @ v - 0.5 * np.array([v @ dM[k] @ v for k in range(self.n)])
        damping = np.array([numbers(j.find("dynamics"), "damping", (0.0,))[0] for j in self.moving])
        return self.mass_matrix(q) @ a + coriolis + dV + damping * v
