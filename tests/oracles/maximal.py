"""Rigid multibody dynamics in maximal coordinates, written to be obviously right rather than fast.

Every body has a position and a quaternion of its own; every joint is kept, with its six-component wrench as unknown.
For each joint (from-frame on body A, to-frame on body B) the relative twist at the to-frame origin,

    X V = [omega_B - omega_A ; v_B(pb) - v_A(pb)]   (ground axes, v_A(pb): the point of A that coincides with pb),

equals S qdot, where the columns of S are the freedoms of the joint. One linear system per instant holds everything:

    M Vdot - X^T W        = f - gyroscopic           Newton and Euler, body by body
    X Vdot       - S qdd  = Sdot qd - Xdot V         the joints, differentiated
           S^T W          = tau  (or qdd_k given)    what acts along the freedoms

It is solved by an SVD least-squares solver, so redundant closures give the joint wrenches of minimum norm.
A mechanism is a plain dictionary; see cases.py for the keys. No code or formula is shared with the library.
"""

import numpy as np

SPEEDS = {"revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3, "fixed": 0,
          "free": 6}


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]], float)


def exp_so3(phi):
    """Rodrigues' formula."""
    phi = np.asarray(phi, float)
    angle = np.linalg.norm(phi)
    k = skew(phi)
    if angle < 1e-8:
        return np.eye(3) + k + k @ k / 2
    return np.eye(3) + np.sin(angle) / angle * k + (1 - np.cos(angle)) / angle**2 * k @ k


def log_so3(r):
    """Rotation vector of a rotation matrix, through the quaternion."""
    w, x, y, z = quaternion(r)
    n = np.linalg.norm([x, y, z])
    if n < 1e-12:
        return 2 * np.array([x, y, z])
    return 2 * np.arctan2(n, w) * np.array([x, y, z]) / n


def quaternion(r):
    """w, x, y, z with w >= 0: the eigenvector of the symmetric 4x4 form of the rotation."""
    k = np.array([
        [r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0],
        [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
        [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], 0],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]]]) / 3
    _, vectors = np.linalg.eigh(k, UPLO="L")
    x, y, z, w = vectors[:, -1]
    return np.array([w, x, y, z]) * (1 if w >= 0 else -1)


def rotation(quat):
    w, x, y, z = np.asarray(quat, float) / np.linalg.norm(quat)
    u = np.array([x, y, z])
    return (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * skew(u)


class Mechanism:
    """Bodies and joints of a description, and their evaluation at a configuration.

    A configuration is a list of (position of the link origin, rotation) per link, ground first, and one coordinate
    vector per joint. Rates are link twists (linear velocity of the mass centre, angular velocity; ground axes) and one
    speed vector per joint.
    """

    def __init__(self, description):
        self.d = description
        self.links = [{"name": "ground", "mass": 0.0, "centre": [0, 0, 0], "inertia": np.zeros((3, 3)).tolist(),
                       "frames": description["ground"]}] + description["links"]
        self.index = {link["name"]: i for i, link in enumerate(self.links)}
        self.joints = description["joints"]
        self.nb = len(self.links) - 1
        self.offsets = np.cumsum([0] + [SPEEDS[j["type"]] for j in self.joints])
        self.nv = int(self.offsets[-1])
        self.joint_index = {j["name"]: i for i, j in enumerate(self.joints)}

    # Where things are ----------------------------------------------------------------------------------------------

    def frame(self, ref):
        """(link, position, rotation) of a frame 'link/frame' in link axes; 'link' alone is its origin."""
        name, _, frame = ref.partition("/")
        link = self.index[name]
        if not frame or frame == "origin":
            return link, np.zeros(3), np.eye(3)
        f = self.links[link]["frames"][frame]
        return link, np.array(f["position"], float), exp_so3(f.get("rotation_vector", [0, 0, 0]))

    def placed(self, config, ref):
        link, p, r = self.frame(ref)
        position, turn = config["poses"][link]
        return link, position + turn @ p, turn @ r

    def slice(self, joint):
        return slice(self.offsets[joint], self.offsets[joint + 1])

    @staticmethod
    def joint_pose(j, q):
        """Placement of the to-frame in the from-frame."""
        axis, zero, one = np.array(j.get("axis", [0, 0, 1]), float), np.zeros(3), np.eye(3)
        kind = j["type"]
        if kind == "revolute":
            return zero, exp_so3(axis * q[0])
        if kind == "prismatic":
            return axis * q[0], one
        if kind == "cylindrical":
            return axis * q[1], exp_so3(axis * q[0])
        if kind == "universal":
            return zero, exp_so3(axis * q[0]) @ exp_so3(np.array(j["axis2"], float) * q[1])
        if kind == "spherical":
            return zero, rotation(q)
        if kind == "planar":  # used with the axis z only: distances along x and y, then the angle
            assert np.allclose(axis, [0, 0, 1])
            return np.array([q[0], q[1], 0.0]), exp_so3(axis * q[2])
        if kind == "free":
            return np.array(q[:3], float), rotation(q[3:])
        return zero, one

    @staticmethod
    def move(j, q, step):
        """q moved by speeds `step` over unit time; exact for scalars, a body-fixed turn for quaternions."""
        q = np.array(q, float)
        kind = j["type"]
        if kind == "spherical":
            return quaternion(rotation(q) @ exp_so3(step))
        if kind == "free":
            return np.concatenate([q[:3] + step[:3], quaternion(rotation(q[3:]) @ exp_so3(step[3:]))])
        return q + step

    def freedoms(self, j, ra, rb):
        """S: columns [angular; linear] in ground axes, and for each the link (0: A, 1: B) that it turns with."""
        axis = np.array(j.get("axis", [0, 0, 1]), float)
        zero = np.zeros(3)
        kind = j["type"]
        rot = lambda u: np.concatenate([u, zero])
        lin = lambda u: np.concatenate([zero, u])
        if kind == "revolute":
            return [rot(ra @ axis)], [0]
        if kind == "prismatic":
            return [lin(ra @ axis)], [0]
        if kind == "cylindrical":
            return [rot(ra @ axis), lin(ra @ axis)], [0, 0]
        if kind == "universal":
            return [rot(ra @ axis), rot(rb @ np.array(j["axis2"], float))], [0, 1]
        if kind == "spherical":
            return [rot(rb[:, i]) for i in range(3)], [1, 1, 1]
        if kind == "planar":
            return [lin(ra[:, 0]), lin(ra[:, 1]), rot(ra @ axis)], [0, 0, 0]
        if kind == "free":
            return [lin(ra[:, i]) for i in range(3)] + [rot(rb[:, i]) for i in range(3)], [0, 0, 0, 1, 1, 1]
        return [], []

    # Assembly ------------------------------------------------------------------------------------------------------

    def grow(self, q):
        """Link poses by walking the joints outwards from the ground, each link placed by the first joint found."""
        poses = [None] * (self.nb + 1)
        poses[0] = (np.zeros(3), np.eye(3))
        config = {"poses": poses, "q": [np.array(x, float) for x in q]}
        progress = True
        while progress:
            progress = False
            for j, qj in zip(self.joints, config["q"]):
                a, pa, ra = self.frame(j["from"])
                b, pb, rb = self.frame(j["to"])
                p, r = self.joint_pose(j, qj)
                if poses[a] is not None and poses[b] is None:
                    position, turn = poses[a]
                    tip, tip_r = position + turn @ (pa + ra @ p), turn @ ra @ r
                    poses[b] = (tip - tip_r @ rb.T @ pb, tip_r @ rb.T)
                    progress = True
                elif poses[b] is not None and poses[a] is None:
                    position, turn = poses[b]
                    root_r = turn @ rb @ r.T
                    root = position + turn @ pb - root_r @ p
                    poses[a] = (root - root_r @ ra.T @ pa, root_r @ ra.T)
                    progress = True
        return config

    def relative_maps(self, config):
        """X (6 per joint x 6 per body) and S (6 per joint x nv)."""
        X = np.zeros((6 * len(self.joints), 6 * self.nb))
        S = np.zeros((6 * len(self.joints), self.nv))
        for i, j in enumerate(self.joints):
            a, _, ra = self.placed(config, j["from"])
            b, pb, rb = self.placed(config, j["to"])
            rows = slice(6 * i, 6 * i + 6)
            for body, sign in ((b, 1.0), (a, -1.0)):
                if body == 0:
                    continue
                c = self.centre(config, body)
                block = np.zeros((6, 6))  # columns: linear velocity of the mass centre, angular velocity
                block[:3, 3:] = np.eye(3)
                block[3:, :3] = np.eye(3)
                block[3:, 3:] = -skew(pb - c)
                X[rows, 6 * (body - 1):6 * body] += sign * block
            columns, _ = self.freedoms(j, ra, rb)
            for k, column in enumerate(columns):
                S[rows, self.offsets[i] + k] = column
        return X, S

    def centre(self, config, body):
        position, turn = config["poses"][body]
        return position + turn @ np.array(self.links[body]["centre"], float)

    def gaps(self, config):
        """Per joint, the small twist (ground axes) from where the joint puts the to-frame to where it is."""
        out = np.zeros(6 * len(self.joints))
        for i, (j, q) in enumerate(zip(self.joints, config["q"])):
            _, pa, ra = self.placed(config, j["from"])
            _, pb, rb = self.placed(config, j["to"])
            p, r = self.joint_pose(j, q)
            wanted = ra @ r
            out[6 * i:6 * i + 3] = wanted @ log_so3(wanted.T @ rb)
            out[6 * i + 3:6 * i + 6] = pb - (pa + ra @ p)
        return out

    def assemble(self, q, held=()):
        """Gauss-Newton on all poses and all joint coordinates; speeds in `held` (joint, k) keep their coordinate."""
        config = self.grow(q)
        free = [k for k in range(self.nv) if k not in {int(self.offsets[self.joint_index[n]]) + i for n, i in held}]
        for _ in range(100):
            gap = self.gaps(config)
            if np.max(np.abs(gap)) < 1e-15:
                break
            X, S = self.relative_maps(config)
            step = np.linalg.lstsq(np.hstack([X, -S[:, free]]), -gap, rcond=1e-9)[0]
            dq = np.zeros(self.nv)
            dq[free] = step[6 * self.nb:]
            for body in range(1, self.nb + 1):
                dv, dw = step[6 * body - 6:6 * body - 3], step[6 * body - 3:6 * body]
                c = self.centre(config, body) + dv
                turn = exp_so3(dw) @ config["poses"][body][1]
                config["poses"][body] = (c - turn @ np.array(self.links[body]["centre"], float), turn)
            config["q"] = [self.move(j, x, dq[self.slice(i)])
                           for i, (j, x) in enumerate(zip(self.joints, config["q"]))]
        gap = np.max(np.abs(self.gaps(config)))
        assert gap < 1e-12, f"not assembled: {gap}"
        return config

    # Motion --------------------------------------------------------------------------------------------------------

    def speeds(self, config, given):
        """All body twists V and joint speeds for given {(joint, k): speed}; they must determine the motion."""
        X, S = self.relative_maps(config)
        n = 6 * self.nb + self.nv
        rows, rhs = [np.hstack([X, -S])], [np.zeros(len(X))]
        for (name, k), value in given.items():
            row = np.zeros((1, n))
            row[0, 6 * self.nb + self.offsets[self.joint_index[name]] + k] = 1.0
            rows.append(row)
            rhs.append(np.array([value]))
        A = np.vstack(rows)
        singular = np.linalg.svd(A, compute_uv=False)
        assert singular[n - 1] > 1e-7 * singular[0], f"the given speeds do not determine the motion: {singular[n-1]}"
        x, *_ = np.linalg.lstsq(A, np.concatenate(rhs), rcond=1e-12)
        assert np.allclose(A @ x, np.concatenate(rhs), atol=1e-11), "the given speeds contradict the loops"
        return x[:6 * self.nb], x[6 * self.nb:]

    def joint_forces(self, config, v, tau):
        """Motor plus spring plus damper along each joint speed."""
        out = np.array(tau, float)
        for i, (j, q) in enumerate(zip(self.joints, config["q"])):
            s = self.slice(i)
            if "damping" in j:
                out[s] -= np.array(j["damping"], float) * v[s]
            if "stiffness" in j:
                k = np.array(j["stiffness"], float)
                if j["type"] == "spherical":
                    out[s] -= k * log_so3(rotation(q))
                else:
                    out[s] -= k * (np.array(q) - np.array(j.get("rest", np.zeros(len(q))), float))
        return out

    def applied(self, config, V, loads):
        """Gravity, point springs and loads on the bodies: [force; moment about the mass centre] stacked."""
        f = np.zeros(6 * self.nb)
        g = np.array(self.d["gravity"], float)

        def push(body, point, force, moment):
            if body == 0:
                return
            f[6 * body - 6:6 * body - 3] += force
            f[6 * body - 3:6 * body] += moment + np.cross(point - self.centre(config, body), force)

        def velocity(body, point):
            if body == 0:
                return np.zeros(3)
            return V[6 * body - 6:6 * body - 3] + np.cross(V[6 * body - 3:6 * body], point - self.centre(config, body))

        for body in range(1, self.nb + 1):
            push(body, self.centre(config, body), self.links[body]["mass"] * g, np.zeros(3))
        for spring in self.d.get("springs", []):
            a, pa, _ = self.placed(config, spring["a"])
            b, pb, _ = self.placed(config, spring["b"])
            length = np.linalg.norm(pb - pa)
            u = (pb - pa) / length
            rate = u @ (velocity(b, pb) - velocity(a, pa))
            pull = spring["stiffness"] * (length - spring["rest"]) + spring["damping"] * rate
            push(a, pa, pull * u, np.zeros(3))
            push(b, pb, -pull * u, np.zeros(3))
        for load in self.d.get("loads", []):
            body, p, r = self.placed(config, load["at"])
            wrench = loads.get(load["name"], np.zeros(6))
            moment, force = np.array(wrench[:3], float), np.array(wrench[3:], float)
            if load.get("in_frame_axes"):
                moment, force = r @ moment, r @ force
            push(body, p, force, moment)
        return f

    def solve(self, config, V, v, tau, loads=None, prescribed=None):
        """Accelerations and joint wrenches. `prescribed` {speed index: acceleration} makes that joint force unknown.

        Returns body accelerations, joint accelerations, joint wrenches [moment; force] on the to-link at the to-frame
        origin in ground axes, and the total joint forces S^T W.
        """
        prescribed = prescribed or {}
        X, S = self.relative_maps(config)
        nb6, nj6 = 6 * self.nb, 6 * len(self.joints)
        M = np.zeros((nb6, nb6))
        f = self.applied(config, V, loads or {})
        for body in range(1, self.nb + 1):
            s = slice(6 * body - 6, 6 * body)
            turn = config["poses"][body][1]
            inertia = turn @ np.array(self.links[body]["inertia"], float) @ turn.T
            M[s, s][:3, :3] = self.links[body]["mass"] * np.eye(3)
            M[s, s][3:, 3:] = inertia
            w = V[6 * body - 3:6 * body]
            f[6 * body - 3:6 * body] -= np.cross(w, inertia @ w)
        beta = np.zeros(nj6)
        for i, j in enumerate(self.joints):
            a, _, ra = self.placed(config, j["from"])
            b, pb, rb = self.placed(config, j["to"])
            va, wa, ca = self.twist(config, V, a)
            vb, wb, cb = self.twist(config, V, b)
            # d/dt (S qd) at constant speeds: each column turns with its link
            columns, owners = self.freedoms(j, ra, rb)
            for k, (column, owner) in enumerate(zip(columns, owners)):
                w = (wa, wb)[owner]
                rate = np.concatenate([np.cross(w, column[:3]), np.cross(w, column[3:])])
                beta[6 * i:6 * i + 6] += rate * v[self.offsets[i] + k]
            # minus d/dt (X V) at constant V
            v_pb = vb + np.cross(wb, pb - cb)
            bias = np.cross(wb, v_pb - vb) - np.cross(wa, v_pb - va)
            beta[6 * i + 3:6 * i + 6] -= bias
        forces = self.joint_forces(config, v, tau)
        rows = nb6 + nj6 + self.nv
        A = np.zeros((rows, nb6 + self.nv + nj6))
        rhs = np.zeros(rows)
        A[:nb6, :nb6], A[:nb6, nb6 + self.nv:] = M, -X.T
        rhs[:nb6] = f
        A[nb6:nb6 + nj6, :nb6], A[nb6:nb6 + nj6, nb6:nb6 + self.nv] = X, -S
        rhs[nb6:nb6 + nj6] = beta
        for k in range(self.nv):
            if k in prescribed:
                A[nb6 + nj6 + k, nb6 + k] = 1.0
                rhs[nb6 + nj6 + k] = prescribed[k]
            else:
                A[nb6 + nj6 + k, nb6 + self.nv:] = S[:, k]
                rhs[nb6 + nj6 + k] = forces[k]
        x, _, rank, singular = np.linalg.lstsq(A, rhs, rcond=1e-10)
        # one step of iterative refinement
        x += np.linalg.lstsq(A, rhs - A @ x, rcond=1e-10)[0]
        assert np.allclose(A @ x, rhs, atol=1e-9 * max(1.0, np.max(np.abs(rhs)))), "inconsistent system"
        W = x[nb6 + self.nv:]
        return {"body": x[:nb6], "joint": x[nb6:nb6 + self.nv], "wrench": W.reshape(-1, 6), "force": S.T @ W,
                "redundant": len(x) - rank}

    def twist(self, config, V, body):
        if body == 0:
            return np.zeros(3), np.zeros(3), np.zeros(3)
        return V[6 * body - 6:6 * body - 3], V[6 * body - 3:6 * body], self.centre(config, body)

    def kinetic(self, config, V):
        total = 0.0
        for body in range(1, self.nb + 1):
            v, w, _ = self.twist(config, V, body)
            turn = config["poses"][body][1]
            total += 0.5 * self.links[body]["mass"] * v @ v
            total += 0.5 * w @ turn @ np.array(self.links[body]["inertia"], float) @ turn.T @ w
        return total

    def potential(self, config):
        g = np.array(self.d["gravity"], float)
        total = -sum(self.links[b]["mass"] * g @ self.centre(config, b) for b in range(1, self.nb + 1))
        for spring in self.d.get("springs", []):
            length = np.linalg.norm(self.placed(config, spring["b"])[1] - self.placed(config, spring["a"])[1])
            total += 0.5 * spring["stiffness"] * (length - spring["rest"])**2
        for j, q in zip(self.joints, config["q"]):
            if "stiffness" in j:
                k = np.array(j["stiffness"], float)
                if j["type"] == "spherical":
                    total += 0.5 * k[0] * log_so3(rotation(q)) @ log_so3(rotation(q))
                else:
                    total += 0.5 * np.sum(k * (np.array(q) - np.array(j.get("rest", np.zeros(len(q)))))**2)
        return total

    def advance(self, config, V, v, h):
        """Configuration after a short time h at constant speeds, first order; for the self-checks."""
        poses = [config["poses"][0]]
        for body in range(1, self.nb + 1):
            dv, dw, c = self.twist(config, V, body)
            turn = exp_so3(dw * h) @ config["poses"][body][1]
            poses.append((c + dv * h - turn @ np.array(self.links[body]["centre"], float), turn))
        q = [self.move(j, x, h * v[self.slice(i)]) for i, (j, x) in enumerate(zip(self.joints, config["q"]))]
        return {"poses": poses, "q": q}
