#!/usr/bin/python3
"""Accelerations of the robots in tests/io/mjcf, from the MJCF files themselves: usage mjcf_robots.py [--check].

Own reader of the few elements that these files have; masses of shapes by quadrature over their volume; joints applied one after the
other as MuJoCo's documentation describes them; equations of motion in joint coordinates with multipliers for <connect>. Rates of
Jacobians by the complex step, which has no rounding error of differences.
"""

import os
import sys
import xml.etree.ElementTree as ET

import numpy as np

from recorded_answer import recorded_states

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "io", "mjcf")
ANSWER = os.path.join(HERE, "mjcf_robots.json")
STEP = 1e-40


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(axis, angle):
    k = skew(np.asarray(axis, float) / np.linalg.norm(axis))
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def turn_of_quaternion(q):
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.eye(3) + 2 * w * skew([x, y, z]) + 2 * skew([x, y, z]) @ skew([x, y, z])


def from_z(z):
    """Any rotation that takes the z axis to this direction; shapes are round about it."""
    z = z / np.linalg.norm(z)
    x = np.cross([0, 1, 0] if abs(z[1]) < 0.9 else [1, 0, 0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def solid(kind, size):
    """Volume, and second moments of the volume about its centre, by Gauss quadrature along z of known sections."""
    g, w = np.polynomial.legendre.leggauss(40)

    def layers(z0, z1, section):
        z = 0.5 * (z0 + z1) + 0.5 * (z1 - z0) * g
        weights = 0.5 * (z1 - z0) * w
        total = np.zeros(4)  # volume, xx, yy, zz
        for zi, wi in zip(z, weights):
            area, xx, yy = section(zi)
            total += wi * np.array([area, xx, yy, area * zi * zi])
        return total

    def disc(r2):
        return np.pi * r2, np.pi * r2 * r2 / 4, np.pi * r2 * r2 / 4

    if kind == "sphere":
        r = size[0]
        return layers(-r, r, lambda z: disc(r * r - z * z))
    if kind == "cylinder":
        return layers(-size[1], size[1], lambda z: disc(size[0] ** 2))
    if kind == "capsule":
        r, h = size[:2]
        return layers(-h, h, lambda z: disc(r * r)) + layers(h, h + r, lambda z: disc(r * r - (z - h) ** 2)) * 2
    if kind == "box":
        a, b, c = size
        return layers(-c, c, lambda z: (4 * a * b, 4 * a ** 3 * b / 3, 4 * a * b ** 3 / 3))
    raise ValueError(kind)


class Robot:
    def __init__(self, path):
        root = ET.parse(path).getroot()
        compiler = root.find("compiler")
        self.unit = 1.0 if compiler is not None and compiler.get("angle") == "radian" else np.pi / 180
        option = root.find("option")
        self.gravity = self.floats(option.get("gravity")) if option is not None and option.get("gravity") else np.array([0, 0, -9.81])
        self.defaults = {}
        for each in root.findall("default"):
            self.read_default(each, {})
        self.joints, self.bodies, self.loops = [], [], []
        for body in root.find("worldbody").findall("body"):
            self.read_body(body, -1, None)
        names = [b["name"] for b in self.bodies]
        for connect in root.iterfind("equality/connect"):
            second = connect.get("body2")
            self.loops.append((names.index(connect.get("body1")), -1 if second is None else names.index(second),
                               self.floats(connect.get("anchor"))))
        self.fix_anchors()

    @staticmethod
    def floats(text):
        return np.array([float(word) for word in text.split()])

    def read_default(self, element, inherited):
        values = {tag: dict(v) for tag, v in inherited.items()}
        for child in element:
            if child.tag != "default":
                values.setdefault(child.tag, {}).update(child.attrib)
        self.defaults[element.get("class", "main")] = values
        for child in element.findall("default"):
            self.read_default(child, values)

    def attributes(self, element, childclass):
        name = element.get("class", childclass or "main")
        return {**self.defaults.get(name, {}).get(element.tag, {}), **element.attrib}

    def rotation(self, a):
        if "quat" in a:
            return turn_of_quaternion(self.floats(a["quat"]))
        if "axisangle" in a:
            v = self.floats(a["axisangle"])
            return turn(v[:3], v[3] * self.unit)
        if "euler" in a:
            x, y, z = self.floats(a["euler"]) * self.unit
            return turn([1, 0, 0], x) @ turn([0, 1, 0], y) @ turn([0, 0, 1], z)
        return np.eye(3)

    def read_body(self, element, parent, childclass):
        childclass = element.get("childclass", childclass)
        body = {"name": element.get("name"), "parent": parent, "R": self.rotation(element.attrib),
                "p": self.floats(element.get("pos", "0 0 0")), "joints": []}
        for each in element.findall("joint"):
            a = self.attributes(each, childclass)
            joint = {"name": a["name"], "kind": a.get("type", "hinge"), "axis": self.floats(a.get("axis", "0 0 1")),
                     "pos": self.floats(a.get("pos", "0 0 0")), "damping": float(a.get("damping", 0)),
                     "stiffness": float(a.get("stiffness", 0)), "rest": float(a.get("springref", 0))}
            joint["axis"] = joint["axis"] / np.linalg.norm(joint["axis"])
            if joint["kind"] == "hinge":
                joint["rest"] *= self.unit
            body["joints"].append(len(self.joints))
            self.joints.append(joint)
        self.read_mass(element, childclass, body)
        index = len(self.bodies)
        self.bodies.append(body)
        for each in element.findall("body"):
            self.read_body(each, index, childclass)

    def read_mass(self, element, childclass, body):
        """Mass, first moment and second moments, about the origin of the body."""
        mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        inertial = element.find("inertial")
        if inertial is not None:
            R, c, mass = self.rotation(inertial.attrib), self.floats(inertial.get("pos")), float(inertial.get("mass"))
            J = R @ np.diag(self.floats(inertial.get("diaginertia"))) @ R.T
            body.update(mass=mass, centre=c, inertia=J)
            return
        for geom in element.findall("geom"):
            a = self.attributes(geom, childclass)
            kind, size = a.get("type", "sphere"), self.floats(a["size"])
            R, p = self.rotation(a), self.floats(a.get("pos", "0 0 0"))
            if "fromto" in a:
                ends = self.floats(a["fromto"])
                p, along = (ends[:3] + ends[3:]) / 2, ends[3:] - ends[:3]
                R, size = from_z(along), np.array([size[0], np.linalg.norm(along) / 2])
            volume, xx, yy, zz = solid(kind, size)
            m = float(a["mass"]) if "mass" in a else float(a.get("density", 1000)) * volume
            mass += m
            first += m * p
            second += m / volume * R @ np.diag([xx, yy, zz]) @ R.T + m * np.outer(p, p)
        c = first / mass
        second -= mass * np.outer(c, c)
        body.update(mass=mass, centre=c, inertia=np.trace(second) * np.eye(3) - second)

    def place(self, q):
        """Poses of the bodies, and for each the columns of its Jacobian: (joint, axis, anchor or None for a slide)."""
        places = []
        for body in self.bodies:
            if body["parent"] < 0:
                R, p, columns = np.eye(3), np.zeros(3), []
            else:
                R, p, columns = places[body["parent"]]
            R, p, columns = R @ body["R"], p + R @ body["p"], list(columns)
            for k in body["joints"]:
                joint = self.joints[k]
                axis = R @ joint["axis"]
                if joint["kind"] == "slide":
                    p = p + axis * q[k]
                    columns.append((k, axis, None))
                else:
                    anchor = p + R @ joint["pos"]
                    K = skew(joint["axis"])
                    R = R @ (np.eye(3) + np.sin(q[k]) * K + (1 - np.cos(q[k])) * K @ K)
                    p = anchor - R @ joint["pos"]
                    columns.append((k, axis, anchor))
            places.append((R, p, columns))
        return places

    def jacobian(self, place, point):
        """Of a point (world) of a body, and of its rotation."""
        linear = np.zeros((3, len(self.joints)), dtype=complex)
        angular = np.zeros((3, len(self.joints)), dtype=complex)
        for k, axis, anchor in place[2]:
            if anchor is None:
                linear[:, k] = axis
            else:
                linear[:, k] = np.cross(axis, point - anchor)
                angular[:, k] = axis
        return linear, angular

    def fix_anchors(self):
        """The second body's anchor: where the first one's is in the pose of the file."""
        places = self.place(np.zeros(len(self.joints)))
        fixed = []
        for first, second, anchor in self.loops:
            world = places[first][0] @ anchor + places[first][1]
            other = world if second < 0 else places[second][0].T @ (world - places[second][1])
            fixed.append((first, second, anchor, other))
        self.loops = fixed

    def closure(self, q):
        """Gaps and their Jacobian."""
        places, gaps, rows = self.place(q), [], []
        for first, second, anchor, other in self.loops:
            R, p, _ = places[first]
            at = p + R @ anchor
            jacobian = self.jacobian(places[first], at)[0]
            to = other
            if second >= 0:
                R, p, _ = places[second]
                to = p + R @ other
                jacobian = jacobian - self.jacobian(places[second], to)[0]
            gaps.append(at - to)
            rows.append(jacobian)
        return np.concatenate(gaps), np.vstack(rows)

    def close(self, q, v, free):
        """The state near (q, v) that keeps the loops, with the joints in `free` as they are."""
        rest = [k for k in range(len(q)) if k not in free]
        q, v = q.astype(complex), v.astype(complex)
        for _ in range(50):
            gap, J = self.closure(q)
            q[rest] -= np.linalg.lstsq(J[:, rest], gap, rcond=None)[0]
        _, J = self.closure(q)
        v[rest] = np.linalg.lstsq(J[:, rest], -J[:, free] @ v[free], rcond=None)[0]
        return q.real, v.real

    def inertial_jacobians(self, q):
        out = []
        for body, place in zip(self.bodies, self.place(q)):
            R, p, _ = place
            out.append((*self.jacobian(place, p + R @ body["centre"]), R @ body["inertia"] @ R.T))
        return out

    def accelerations(self, q, v):
        n = len(q)
        stepped = q + 1j * STEP * v
        M, force = np.zeros((n, n)), np.zeros(n)
        for body, (L, W, J), (Ls, Ws, _) in zip(self.bodies, self.inertial_jacobians(q), self.inertial_jacobians(stepped)):
            L, W, J = L.real, W.real, J.real
            rate_L, rate_W = Ls.imag / STEP, Ws.imag / STEP
            omega = W @ v
            M += body["mass"] * L.T @ L + W.T @ J @ W
            force += L.T @ (body["mass"] * (self.gravity - rate_L @ v)) - W.T @ (J @ rate_W @ v + np.cross(omega, J @ omega))
        for k, joint in enumerate(self.joints):
            force[k] += joint["stiffness"] * (joint["rest"] - q[k]) - joint["damping"] * v[k]
        if not self.loops:
            return np.linalg.solve(M, force)
        A = self.closure(q)[1].real
        drift = (self.closure(stepped)[1].imag / STEP) @ v
        whole = np.block([[M, A.T], [A, np.zeros((len(A), len(A)))]])
        return np.linalg.lstsq(whole, np.concatenate([force, -drift]), rcond=1e-12)[0][:n]

    def anchors(self, q, v, a):
        """Acceleration of each body at the anchor of its last joint, and its angular acceleration."""
        stepped, found = q + 1j * STEP * v, {}
        now, later = self.place(q), self.place(stepped)
        for i, body in enumerate(self.bodies):
            joint = self.joints[body["joints"][-1]]
            at = joint["pos"]
            L, W = self.jacobian(now[i], now[i][1] + now[i][0] @ at)
            Ls, Ws = self.jacobian(later[i], later[i][1] + later[i][0] @ at)
            found[body["name"]] = {"acc": (L.real @ a + Ls.imag / STEP @ v).tolist(),
                                   "alpha": (W.real @ a + Ws.imag / STEP @ v).tolist()}
        return found


def answer():
    rng, robots = np.random.default_rng(11), {}
    for name, free in (("arm", None), ("four-bar", [0]), ("crossed", None)):
        robot = Robot(os.path.join(FOLDER, name + ".xml"))
        names, states = [j["name"] for j in robot.joints], []
        for _ in range(3):
            q, v = rng.uniform(-0.4, 0.4, len(names)), rng.uniform(-2, 2, len(names))
            if free is not None:
                q[1:] = 0
                q, v = robot.close(q, v, free)
            a = robot.accelerations(q, v)
            states.append({"q": dict(zip(names, q.tolist())), "v": dict(zip(names, v.tolist())),
                           "bodies": robot.anchors(q, v, a)})
        robots[name] = states
    return {"about": "accelerations of tests/io/mjcf/*.xml by mjcf_robots.py", "robots": robots}


def main():
    for name, ours, theirs in recorded_states(ANSWER, answer()):
        for body, values in ours["bodies"].items():
            for key, value in values.items():
                if np.max(np.abs(np.array(value) - theirs["bodies"][body][key])) > 1e-8:
                    sys.exit(f"{name}, {body}: {key} {value} is recorded as {theirs['bodies'][body][key]}")


if __name__ == "__main__":
    main()
