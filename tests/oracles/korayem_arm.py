"""The planar arm of Korayem and Shafei (2009), two links with any shapes, as mass points along its links: equations of motion,
frequencies, runs. Used by korayem_gibbs_appell.py. numpy only.
"""
import numpy as np


def clamped_free(mode, x):
    """Mode of the clamped-free beam of length one, its slope and curvature; scaled so that int phi^2 = 1."""
    low, high = (mode - 0.5) * np.pi - 0.5, (mode - 0.5) * np.pi + 0.5
    def end(b):
        return np.cos(b) + 1 / np.cosh(b)
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if end(low) * end(middle) > 0 else (low, middle)
    b = 0.5 * (low + high)
    k = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    x = np.asarray(x, dtype=float)
    ch, c, sh, s = np.cosh(b * x), np.cos(b * x), np.sinh(b * x), np.sin(b * x)
    return (ch - c - k * (sh - s), b * (sh + s - k * (ch - c)), b * b * (ch + c - k * (sh + s)))


def hermite(elements, index, x):
    """Cubic function of one nodal deflection or slope, root clamped; value, slope, curvature."""
    x = np.asarray(x, dtype=float)
    node, kind, h = index // 2 + 1, index % 2, 1.0 / elements
    value, slope, curve = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)
    for element, left in ((node - 1, False), (node, True)):
        if element >= elements:
            continue
        inside = (x >= element * h) & ((x < (element + 1) * h) | ((element == elements - 1) & (x <= 1.0)))
        u = x[inside] / h - element
        powers = {(True, 0): [1, 0, -3, 2], (False, 0): [0, 0, 3, -2],
                  (True, 1): [0, h, -2 * h, h], (False, 1): [0, 0, -h, h]}[(left, kind)]
        p = np.polynomial.Polynomial(powers)
        value[inside], slope[inside], curve[inside] = p(u), p.deriv()(u) / h, p.deriv(2)(u) / h**2
    return value, slope, curve


class PlanarArm:
    """Two links of 1 m, 5 kg/m, EI 1000 N m^2; the same shapes on both. Points along the length; no modal integral."""

    length_density, stiffness = 5.0, 1000.0

    def __init__(self, shapes, elements, up):
        """shapes: functions x -> (value, slope, curvature); smooth within each of so many elements."""
        nodes, weights = np.polynomial.legendre.leggauss(24 if elements == 1 else 6)
        self.x = np.concatenate([(0.5 * (nodes + 1) + e) / elements for e in range(elements)])
        self.mass = self.length_density * np.tile(0.5 * weights / elements, elements)
        self.m = len(shapes)
        values = [shape(self.x) for shape in shapes]
        self.phi = np.array([v[0] for v in values])
        curves = np.array([v[2] for v in values])
        self.K = self.stiffness / self.length_density * (curves * self.mass) @ curves.T
        ends = [shape(np.array([0.5, 1.0])) for shape in shapes]
        self.middle, self.tip = np.array([e[0][0] for e in ends]), np.array([e[0][1] for e in ends])
        self.middle_slope, self.tip_slope = np.array([e[1][0] for e in ends]), np.array([e[1][1] for e in ends])
        self.up = np.array(up)
        self.count = 2 + 2 * self.m

    def points(self, theta, speed):
        """Complex numbers are the plane. Per mass point: place, derivatives by theta, acceleration at Theta'' = 0."""
        m, n = self.m, self.count
        q1, d1, q2, d2 = theta[0], theta[1:1 + m], theta[1 + m], theta[2 + m:]
        p1, e1, p2, e2 = speed[0], speed[1:1 + m], speed[1 + m], speed[2 + m:]
        turn1 = np.exp(1j * q1)
        local, rate = self.x + 1j * (d1 @ self.phi), 1j * (e1 @ self.phi)
        place = [turn1 * local]
        slopes = [np.zeros((n, len(self.x)), complex)]
        slopes[0][0], slopes[0][1:1 + m] = 1j * turn1 * local, 1j * turn1 * self.phi
        bias = [turn1 * (2j * p1 * rate - p1**2 * local)]
        tip, tip_rate = 1 + 1j * (d1 @ self.tip), 1j * (e1 @ self.tip)
        psi_rate = p1 + p2 + e1 @ self.tip_slope
        turn2 = np.exp(1j * (q1 + q2 + d1 @ self.tip_slope))
        local, rate = self.x + 1j * (d2 @ self.phi), 1j * (e2 @ self.phi)
        place.append(turn1 * tip + turn2 * local)
        second = np.zeros((n, len(self.x)), complex)
        second[0] = 1j * turn1 * tip + 1j * turn2 * local
        second[1:1 + m] = (1j * turn1 * self.tip)[:, None] + self.tip_slope[:, None] * (1j * turn2 * local)[None, :]
        second[1 + m] = 1j * turn2 * local
        second[2 + m:] = 1j * turn2 * self.phi
        slopes.append(second)
        bias.append(turn1 * (2j * p1 * tip_rate - p1**2 * tip) + turn2 * (2j * psi_rate * rate - psi_rate**2 * local))
        return np.concatenate(place), np.concatenate(slopes, axis=1), np.concatenate(bias)

    def equations(self, theta, speed):
        place, slopes, bias = self.points(theta, speed)
        mass = np.tile(self.mass, 2)
        weighted = slopes * mass
        inertia = (weighted @ slopes.conj().T).real
        right = -(weighted @ (bias + complex(*self.up)).conj()).real
        m = self.m
        right[1:1 + m] -= self.K @ theta[1:1 + m]
        right[2 + m:] -= self.K @ theta[2 + m:]
        return inertia, right

    def potential(self, theta):
        place, _, _ = self.points(theta, np.zeros(self.count))
        m = self.m
        strain = 0.5 * (theta[1:1 + m] @ self.K @ theta[1:1 + m] + theta[2 + m:] @ self.K @ theta[2 + m:])
        return strain + np.sum(np.tile(self.mass, 2) * (place * complex(*self.up).conjugate()).real)

    def energy(self, theta, speed):
        return 0.5 * speed @ self.equations(theta, speed)[0] @ speed + self.potential(theta)

    def frequencies(self, theta):
        """At an equilibrium; joints free. The right side at rest is minus the gradient of the potential."""
        zero, step = np.zeros(self.count), 1e-4
        curvature = np.array([(self.equations(theta - step * u, zero)[1] - self.equations(theta + step * u, zero)[1])
                              / (2 * step) for u in np.eye(self.count)])
        factor = np.linalg.inv(np.linalg.cholesky(self.equations(theta, zero)[0]))
        squares = np.linalg.eigvalsh(factor @ (0.5 * (curvature + curvature.T)) @ factor.T)
        return np.sqrt(np.maximum(squares, 0.0))

    def run(self, theta, until, step, every):
        def rate(y):
            inertia, right = self.equations(y[:self.count], y[self.count:])
            return np.concatenate([y[self.count:], np.linalg.solve(inertia, right)])
        y = np.concatenate([theta, np.zeros(self.count)])
        rows = [y]
        for k in range(1, round(until / step) + 1):
            y = extrapolated_step(rate, y, step)
            if k % round(every / step) == 0:
                rows.append(y)
        return np.array(rows)


def extrapolated_step(rate, y, step):
    """Midpoint rules with 2, 4, ..., 12 parts, extrapolated to infinitely many (Gragg, Bulirsch, Stoer): order 12."""
    start, columns = rate(y), []
    for index, parts in enumerate(range(2, 14, 2)):
        h = step / parts
        before, now = y, y + h * start
        for _ in range(parts - 1):
            before, now = now, before + 2 * h * rate(now)
        row = [0.5 * (before + now + h * rate(now))]
        for j in range(1, index + 1):
            ratio = (parts / (parts - 2 * j)) ** 2
            row.append(row[j - 1] + (row[j - 1] - columns[j - 1]) / (ratio - 1))
        columns = row
    return columns[-1]


def modes_arm(count, up):
    return PlanarArm([lambda x, r=r: clamped_free(r, x) for r in range(1, count + 1)], 1, up)


def elements_arm(elements, up):
    return PlanarArm([lambda x, i=i: hermite(elements, i, x) for i in range(2 * elements)], elements, up)


CASES = {"A": [0, 9.81], "B": [9.81, 0]}


def start_of(arm):
    theta = np.zeros(arm.count)
    theta[0], theta[1 + arm.m] = np.radians(-90), np.radians(5)
    return theta


def example_states():
    answers = {}
    for name, up in CASES.items():
        arm = modes_arm(1, up)
        theta, zero = start_of(arm), np.zeros(4)
        inertia, right = arm.equations(theta, zero)
        answers["start " + name] = {"inertia": inertia.tolist(), "right": right.tolist(),
                                    "acceleration": np.linalg.solve(inertia, right).tolist(),
                                    "energy": arm.energy(theta, zero)}
    arm = modes_arm(1, CASES["A"])
    theta, speed = np.array([-1.2, 0.01, 0.4, -0.02]), np.array([0.7, 0.3, -1.1, 0.5])
    inertia, right = arm.equations(theta, speed)
    answers["state S"] = {"inertia": inertia.tolist(), "right": right.tolist(),
                          "acceleration": np.linalg.solve(inertia, right).tolist(),
                          "kinetic": 0.5 * speed @ inertia @ speed, "potential": arm.potential(theta)}
    return answers


def example_frequencies():
    answers = {}
    models = {f"m={m}": (lambda up, m=m: modes_arm(m, up)) for m in (1, 2, 3)}
    models |= {f"FEM {e}": (lambda up, e=e: elements_arm(e, up)) for e in (2, 8)}
    for name, make in models.items():
        hanging = make(CASES["A"])
        theta = np.zeros(hanging.count)
        theta[0] = np.radians(-90)
        weightless = make([0, 0])
        answers[name] = {"hanging": hanging.frequencies(theta)[:6].tolist(),
                         "straight": weightless.frequencies(np.zeros(weightless.count))[2:6].tolist()}
    return answers


def pinned_beam_frequencies():
    """One beam on a free pin, without weight: first elastic frequency with one to four clamped-free modes."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x, w = 0.5 * (nodes + 1), 0.5 * weights
    found = []
    for count in range(1, 5):
        shapes = [clamped_free(r, x) for r in range(1, count + 1)]
        rows = np.array([x] + [s[0] for s in shapes])
        curves = np.array([0 * x] + [s[2] for s in shapes])
        inertia, stiffness = 5.0 * (rows * w) @ rows.T, 1000.0 * (curves * w) @ curves.T
        factor = np.linalg.inv(np.linalg.cholesky(inertia))
        found.append(float(np.sqrt(np.linalg.eigvalsh(factor @ stiffness @ factor.T)[1])))
    return found


def example_runs():
    """Case A to 3 s, B to 1.5 s. Rows every 0.25 s, and the largest deflections among rows every 5 ms."""
    answers = {}
    for name, until in (("A", 3.0), ("B", 1.5)):
        makes = {f"m={m}": (lambda up, m=m: modes_arm(m, up)) for m in (1, 2, 3)} | {
            "FEM 2": lambda up: elements_arm(2, up)}
        for model, make in makes.items():
            arm = make(CASES[name])
            rows = arm.run(start_of(arm), until, {"m=1": 1e-3, "m=2": 1e-3}.get(model, 5e-4), 0.005)
            m = arm.m
            first, second = rows[:, 1:1 + m], rows[:, 2 + m:2 + 2 * m]
            u = {"u3": first @ arm.middle, "u5": first @ arm.tip, "u6": first @ arm.tip_slope,
                 "w3": second @ arm.middle, "w5": second @ arm.tip, "w6": second @ arm.tip_slope}
            tip = np.array([arm_tip(arm, row) for row in rows])
            answers[f"{name} {model}"] = {
                "largest": {key: float(np.abs(value).max()) for key, value in u.items()},
                "rows": [[0.25 * k, np.degrees(rows[50 * k, 0]), np.degrees(rows[50 * k, 1 + m]),
                          tip[50 * k].real, tip[50 * k].imag, u["u5"][50 * k], u["w5"][50 * k]]
                         for k in range(round(until / 0.25) + 1)],
                "energy change": float(arm.energy(rows[-1, :arm.count], rows[-1, arm.count:])
                                       - arm.energy(rows[0, :arm.count], rows[0, arm.count:]))}
    return answers


def arm_tip(arm, row):
    m = arm.m
    turn1 = np.exp(1j * row[0])
    turn2 = np.exp(1j * (row[0] + row[1 + m] + row[1:1 + m] @ arm.tip_slope))
    return turn1 * (1 + 1j * (row[1:1 + m] @ arm.tip)) + turn2 * (1 + 1j * (row[2 + m:2 + 2 * m] @ arm.tip))
