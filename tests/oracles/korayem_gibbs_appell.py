"""Serial chains of slender beams, after M. H. Korayem and A. M. Shafei (2009), summed up over the length of the links.

No recursion and no modal integral: every link is a row of mass points (Gauss points along its length, exact for the
polynomial shapes used here), and the equations of motion are sums over these points.

  by_positions    p(Theta) of each point in ground axes, elastic rotations as exponentials of the rotation vector, with
                  first and second derivatives by automatic differentiation (Lagrange): the `consistent` model
  by_rates        accelerations of the points from those of their frames, link by link, as the source writes them:
                  elastic rotation first-order (`paper`) or exponential (`exact`), its rate taken as angular velocity

korayem_arm.py has the worked example in the plane: accelerations, frequencies, runs.

Order of unknowns: q_1, shapes of link 1, q_2, ... Writes korayem.json; `--check` compares with it instead, without the
runs (minutes; `--check --runs` does all). numpy only.
"""
import os
import sys

import numpy as np

import korayem_arm as arm
from recorded_answer import recorded

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "korayem.json")
GAUSS = 12


class Shape:
    """A polynomial of x = eta/l: deflection along y or z, or the twist."""

    def __init__(self, kind, powers):
        self.kind, self.powers = kind, np.polynomial.Polynomial(powers)

    def displacement(self, x):
        axis = {"y": 1, "z": 2, "torsion": None}[self.kind]
        r = np.zeros(3)
        if axis is not None:
            r[axis] = self.powers(x)
        return r

    def rotation(self, x, length):
        turn = np.zeros(3)
        if self.kind == "torsion":
            turn[0] = self.powers(x)
        else:
            slope = self.powers.deriv()(x) / length
            turn[2 if self.kind == "y" else 1] = slope if self.kind == "y" else -slope
        return turn


class Link:
    def __init__(self, data):
        self.length, self.mu, self.twist = data["length"], data["mu"], data["twist"]
        self.stiffness = {"y": data["EI"], "z": data["EI"], "torsion": data["GJ"]}
        self.shapes = [Shape(kind, powers) for kind, powers in data["shapes"]]
        nodes, weights = np.polynomial.legendre.leggauss(GAUSS)
        self.x, self.weight = 0.5 * (nodes + 1), 0.5 * weights * self.length
        self.tip_shapes = [s.displacement(1.0) for s in self.shapes]
        self.tip_turns = [s.rotation(1.0, self.length) for s in self.shapes]

    def strain_stiffness(self):
        k = np.zeros((len(self.shapes),) * 2)
        for i, a in enumerate(self.shapes):
            for j, b in enumerate(self.shapes):
                if a.kind != b.kind:
                    continue
                order, power = (1, 2) if a.kind == "torsion" else (2, 4)
                product = a.powers.deriv(order)(self.x) * b.powers.deriv(order)(self.x)
                k[i, j] = self.stiffness[a.kind] * np.sum(self.weight * product) / self.length**power
        return k


class Jet:
    """A number with its gradient and Hessian."""

    def __init__(self, value, gradient, hessian):
        self.value, self.gradient, self.hessian = value, gradient, hessian

    @staticmethod
    def variable(value, index, count):
        gradient = np.zeros(count)
        gradient[index] = 1.0
        return Jet(value, gradient, np.zeros((count, count)))

    def of(self, f, df, ddf):
        return Jet(f, df * self.gradient, df * self.hessian + ddf * np.outer(self.gradient, self.gradient))

    def __add__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.gradient, self.hessian)
        return Jet(self.value + other.value, self.gradient + other.gradient, self.hessian + other.hessian)

    __radd__ = __add__

    def __mul__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.value * other, self.gradient * other, self.hessian * other)
        cross = np.outer(self.gradient, other.gradient)
        return Jet(self.value * other.value, self.value * other.gradient + other.value * self.gradient,
                   self.value * other.hessian + other.value * self.hessian + cross + cross.T)

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-other if isinstance(other, Jet) else -other)


def product(a, b):
    return [[sum((a[i][k] * b[k][j] for k in range(3)), 0.0) for j in range(len(b[0]))] for i in range(3)]


def series(square, first_factorial):
    """sum (-s)^k / (2k + first)!, and its first two derivatives by s: sin x/x (1), (1 - cos x)/x^2 (2)."""
    value = slope = curve = 0.0
    factorial = float(np.prod(range(1, first_factorial + 1)))
    for k in range(12):
        sign = (-1.0) ** k / factorial
        value += sign * square**k
        slope += sign * k * square ** max(k - 1, 0) if k else 0.0
        curve += sign * k * (k - 1) * square ** max(k - 2, 0) if k > 1 else 0.0
        factorial *= (2 * k + first_factorial + 1) * (2 * k + first_factorial + 2)
    return value, slope, curve


def exponential(theta):
    """Rotation by a rotation vector of jets or numbers."""
    s = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]
    if isinstance(s, Jet):
        a, b = s.of(*series(s.value, 1)), s.of(*series(s.value, 2))
    else:
        a, b = series(s, 1)[0], series(s, 2)[0]
    skew = [[0.0, -theta[2], theta[1]], [theta[2], 0.0, -theta[0]], [-theta[1], theta[0], 0.0]]
    square = product(skew, skew)
    return [[a * skew[i][j] + b * square[i][j] + (1.0 if i == j else 0.0) for j in range(3)] for i in range(3)]


def cross(a, b):
    """Of two vectors, a fifth of the time of numpy's."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


class Chain:
    def __init__(self, data):
        self.links = [Link(each) for each in data["links"]]
        self.up = np.array(data["up"])  # minus gravity
        self.first = np.concatenate([[0], np.cumsum([1 + len(link.shapes) for link in self.links])]).astype(int)
        self.count = int(self.first[-1])

    def strain_force(self, theta):
        force = np.zeros(self.count)
        for i, link in enumerate(self.links):
            own = slice(self.first[i] + 1, self.first[i + 1])
            force[own] = link.strain_stiffness() @ theta[own]
        return force

    def by_positions(self, state):
        theta, speed = np.array(state["theta"]), np.array(state["rate"])
        jets = [Jet.variable(theta[i], i, self.count) for i in range(self.count)]
        inertia, right = np.zeros((self.count,) * 2), np.zeros(self.count)
        right[self.first[:-1]] = state["tau"]
        right -= self.strain_force(theta)
        axes = [[1.0 * (i == j) for j in range(3)] for i in range(3)]
        origin = [[0.0], [0.0], [0.0]]
        for i, link in enumerate(self.links):
            q = jets[self.first[i]]
            c, s = q.of(np.cos(q.value), -np.sin(q.value), -np.cos(q.value)), q.of(
                np.sin(q.value), np.cos(q.value), -np.sin(q.value))
            ct, st = np.cos(link.twist), np.sin(link.twist)
            axes = product(axes, product([[1.0, 0, 0], [0, ct, -st], [0, st, ct]],
                                         [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
            amplitudes = jets[self.first[i] + 1:self.first[i + 1]]

            def place(x, shapes):
                local = [[link.length * x + 0.0 * q], [0.0 * q], [0.0 * q]]
                for amplitude, r in zip(amplitudes, shapes):
                    for a in range(3):
                        local[a][0] = local[a][0] + amplitude * r[a]
                moved = product(axes, local)
                return [[moved[a][0] + origin[a][0]] for a in range(3)]

            for x, weight in zip(link.x, link.weight):
                point = place(x, [shape.displacement(x) for shape in link.shapes])
                for a in range(3):
                    jet = point[a][0]
                    mass = link.mu * weight
                    inertia += mass * np.outer(jet.gradient, jet.gradient)
                    bias = speed @ jet.hessian @ speed + self.up[a]
                    right -= mass * bias * jet.gradient
            origin = place(1.0, link.tip_shapes)
            turn = [0.0 * q] * 3
            for amplitude, t in zip(amplitudes, link.tip_turns):
                turn = [turn[a] + amplitude * t[a] for a in range(3)]
            axes = product(axes, exponential(turn))
        return inertia, right

    def by_rates(self, state, first_order=False, printed_bias=False):
        """Accelerations are affine in the second derivatives: with these zero, and one of them one at a time."""
        theta, speed = np.array(state["theta"]), np.array(state["rate"])

        def accelerations(second, rate, up):
            points = []
            omega, alpha, a = np.zeros(3), np.zeros(3), np.array(up)
            carrier = np.eye(3)
            for i, link in enumerate(self.links):
                index, own = self.first[i], slice(self.first[i] + 1, self.first[i + 1])
                c, s = np.cos(theta[index]), np.sin(theta[index])
                ct, st = np.cos(link.twist), np.sin(link.twist)
                into = (carrier @ np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
                        @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])).T
                z = np.array([0, 0, 1.0])
                omega, alpha, a = into @ omega, into @ alpha, into @ a
                alpha = alpha + cross(omega, z * rate[index]) + z * second[index]
                omega = omega + z * rate[index]

                def point(x, shapes):
                    r = np.array([link.length * x, 0, 0])
                    v, b = np.zeros(3), np.zeros(3)
                    for shape, d, dd, ddd in zip(shapes, theta[own], rate[own], second[own]):
                        r, v, b = r + d * shape, v + dd * shape, b + ddd * shape
                    return (a + b + 2 * cross(omega, v) + cross(alpha, r) + cross(omega, cross(omega, r)))

                for x, weight in zip(link.x, link.weight):
                    points.append((link.mu * weight, point(x, [shape.displacement(x) for shape in link.shapes])))
                turn, turn_rate, turn_second = np.zeros(3), np.zeros(3), np.zeros(3)
                for t, d, dd, ddd in zip(link.tip_turns, theta[own], rate[own], second[own]):
                    turn, turn_rate, turn_second = turn + d * t, turn_rate + dd * t, turn_second + ddd * t
                a = point(1.0, link.tip_shapes)
                # The source's recursion of the bias forgets the cross product that its own (65) has.
                alpha = alpha + turn_second + (0 if printed_bias else cross(omega, turn_rate))
                omega = omega + turn_rate
                if first_order:
                    carrier = np.array([[1, -turn[2], turn[1]], [turn[2], 1, -turn[0]], [-turn[1], turn[0], 1]])
                else:
                    carrier = np.array(exponential(turn))
            return np.sqrt([m for m, _ in points])[:, None] * np.array([b for _, b in points])

        zero = np.zeros(self.count)
        bias = accelerations(zero, speed, self.up)
        columns = [accelerations(unit, zero, np.zeros(3)) for unit in np.eye(self.count)]
        inertia = np.array([[np.sum(a * b) for a in columns] for b in columns])
        right = -np.array([np.sum(a * bias) for a in columns]) - self.strain_force(theta)
        right[self.first[:-1]] += state["tau"]
        return inertia, right


def spatial_test_s3():
    def link(length, mu, stiffness, torsion, twist, shapes):
        return {"length": length, "mu": mu, "EI": stiffness, "GJ": torsion, "twist": twist, "shapes": shapes}
    square = [0, 0, 1]
    return {"name": "S3", "up": [0, 0, 9.81],
            "links": [link(1, 5, 1000, 800, 0, [("y", square), ("z", square)]),
                      link(0.8, 3, 500, 400, np.pi / 2, [("y", square), ("torsion", [0, 1])]),
                      link(0.5, 2, 200, 150, -np.pi / 3, [("z", square)])],
            "state": {"theta": [0.3, 0.02, -0.01, -0.7, 0.015, 0.03, 1.1, 0.01],
                      "rate": [0.5, 0.1, 0.2, -0.8, -0.3, 0.25, 1.2, 0.4], "tau": [1, 2, 3]}}


def random_chain(name, n, seed, planar=False, bending=0.02):
    random = np.random.default_rng(seed)
    links = []
    for i in range(n):
        # A twist without inertia behind it would make the inertia matrix singular: not on the last link.
        pool = [("y", [0, 0, 1]), ("y", [0, 0, 0, 1])]
        if not planar:
            pool += [("z", [0, 0, 1.5, -0.5])] + ([("torsion", [0, 1])] if i < n - 1 else [])
        shapes = [shape for shape in pool if random.random() < 0.7]
        if n > 1 and i == n // 2:
            shapes = []  # a rigid link inside the chain
        links.append({"length": round(random.uniform(0.4, 1.2), 3), "mu": round(random.uniform(1, 6), 3),
                      "EI": round(random.uniform(100, 1000), 1), "GJ": round(random.uniform(100, 800), 1),
                      "twist": 0.0 if planar else round(random.uniform(-1.5, 1.5), 3), "shapes": shapes})
    theta, rate = [], []
    for link in links:
        theta += [random.uniform(-2, 2)] + list(bending * random.uniform(-1, 1, len(link["shapes"])))
        rate += [random.uniform(-2, 2)] + list(random.uniform(-0.5, 0.5, len(link["shapes"])))
    up = [0, 9.81, 0] if planar else list(random.uniform(-9, 9, 3))
    return {"name": name, "up": up, "links": links,
            "state": {"theta": theta, "rate": rate, "tau": list(random.uniform(-5, 5, n))}}


def solved(data):
    chain, answers = Chain(data), {}
    for name, (inertia, right) in {"consistent": chain.by_positions(data["state"]),
                                   "exact": chain.by_rates(data["state"]),
                                   "paper": chain.by_rates(data["state"], first_order=True),
                                   "exact-printed-bias": chain.by_rates(data["state"], printed_bias=True)}.items():
        answers[name] = {"inertia": inertia.tolist(), "right": right.tolist()}
    return {**data, "answers": answers}


def solve(with_runs):
    chains = [spatial_test_s3()]
    chains += [random_chain(f"random {n}", n, 100 + n) for n in (1, 2, 3, 6)]
    chains += [random_chain(f"planar {n}", n, 200 + n, planar=True) for n in (1, 2, 3, 6)]
    # The same chain with its bending made smaller, decade by decade.
    chains += [random_chain(f"decade {d}", 3, 301, bending=0.1 * 10.0**-d) for d in (1, 2, 3)]
    answers = {"chains": [solved(chain) for chain in chains], "states": arm.example_states(),
               "frequencies": arm.example_frequencies(), "pinned beam": arm.pinned_beam_frequencies()}
    if with_runs:
        answers["runs"] = arm.example_runs()
    return answers


def compare(path, old, new):
    if isinstance(old, dict):
        for key in new:
            compare(f"{path}/{key}", old[key], new[key])
    elif isinstance(old, (list, tuple)) and old and isinstance(old[0], (int, float)):
        scale = max(1e-3, np.abs(old).max())
        assert np.abs(np.array(old) - np.array(new)).max() < 1e-9 * scale, (path, old, new)
    elif isinstance(old, (list, tuple)):
        for k, (a, b) in enumerate(zip(old, new)):
            compare(f"{path}/{k}", a, b)
    elif isinstance(old, float):
        assert abs(old - new) < 1e-9 * max(1.0, abs(old)), (path, old, new)


if __name__ == "__main__":
    found = solve("--check" not in sys.argv or "--runs" in sys.argv)
    before = recorded(FILE, found)
    if before is not None:
        compare("", before, found)
    print("pinned beam", found["pinned beam"])
