"""Brillarelli's five-bar and 2-PRR robots by the principle of virtual work, with the elastic work in weak form: one vector of motor angles,
shape amplitudes and strip angles, whose strip angles are eliminated by the loop. Shape integrals in closed form; classical Runge-Kutta steps.

Motor, strip and tool coordinates are those of the thesis: absolute angles q, theta; eta in clamped-free shapes of unit modal mass, or
sines. `shortens` moves the tip along the chord by -1/2 eta^T G eta; in this model only in the loop, not in inertia and weight.

Writes brillarelli.json; `--check` compares the quick part, `--check --runs` all (some minutes). Needs numpy.
"""
import math
import os
import sys

import numpy as np

from recorded_answer import recorded

A, B, C = 0.13, 0.13, 0.3
DENSITY, YOUNG, HEIGHT, WIDTH, SQUARE = 7800.0, 2e11, 0.5e-3, 10e-3, 0.025
MU, EI = DENSITY * HEIGHT * WIDTH, YOUNG * WIDTH * HEIGHT ** 3 / 12
M = MU * C
ARM = DENSITY * SQUARE ** 2 * B
ARM_INERTIA = ARM * (B ** 2 + SQUARE ** 2) / 12
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "brillarelli.json")


def unit(angle):
    return np.array([math.cos(angle), math.sin(angle)])


def across(angle):
    return np.array([-math.sin(angle), math.cos(angle)])


def closed(loop, theta):
    """Strip angles with which loop(theta) -> f, f_theta closes, by Newton's method."""
    for _ in range(50):
        f, by_theta = loop(theta)[:2]
        step = np.linalg.solve(by_theta, f)
        theta = theta - step
        if np.abs(step).max() < 1e-15:
            break
    return theta


class Shapes:
    """omega (rad/s), tip deflection, first and second moment, slopes G of n shapes of unit modal mass on a strip of length c."""

    def __init__(self, n, kind="clamped-free"):
        self.n, m, j = n, M, np.arange(1, n + 1)
        if kind == "sine":
            self.omega = (j * math.pi / C) ** 2 * math.sqrt(EI / MU)
            self.tip = np.zeros(n)
            self.p = math.sqrt(2 * m) * (1 - np.cos(j * math.pi)) / (j * math.pi)
            self.h = -math.sqrt(2 * m) * C * np.cos(j * math.pi) / (j * math.pi)
            self.G = np.diag((j * math.pi) ** 2 / (m * C))
            return
        roots = [self.root(k) for k in j]
        beta = np.array(roots) / C
        self.omega = beta ** 2 * math.sqrt(EI / MU)
        sigma = np.array([(math.sin(x) + math.sinh(x)) / (math.cos(x) + math.cosh(x)) for x in roots])
        a0 = 1 / (sigma * math.sqrt(m))
        self.tip = 2 / math.sqrt(m) * (-1.0) ** (j + 1)
        self.p = 2 * MU * a0 / beta
        self.h = 2 * MU / (math.sqrt(m) * beta ** 2)
        nodes, weights = np.polynomial.legendre.leggauss(16)
        slopes, ends = [], np.linspace(0, C, 8 * n + 1)
        places = np.concatenate([(ends[i] + ends[i + 1]) / 2 + (ends[i + 1] - ends[i]) / 2 * nodes for i in range(8 * n)])
        weight = np.concatenate([(ends[i + 1] - ends[i]) / 2 * weights for i in range(8 * n)])
        for k in range(n):
            # cos - cosh + sigma (sin + sinh), the growing part written so that nothing large cancels
            x, l = beta[k] * places, roots[k]
            less = (math.sin(l) - math.cos(l) - math.exp(-l)) / (math.cos(l) + math.cosh(l))
            slopes.append(a0[k] * beta[k] * (np.cos(x) + sigma[k] * np.sin(x) + (less * np.exp(x) - (sigma[k] + 1) * np.exp(-x)) / 2))
        slopes = np.array(slopes)
        self.G = (slopes * weight) @ slopes.T

    @staticmethod
    def root(i):
        x = (i - 0.5) * math.pi
        for _ in range(60):
            x -= (math.cos(x) + 1 / math.cosh(x)) / (-math.sin(x) - math.tanh(x) / math.cosh(x))
        return x


class FiveBar:
    def __init__(self, shapes, shortens=False, damping=0.0, gravity=(0.0, 0.0), printed=False):
        self.s, self.n, self.shortens, self.damping, self.printed = shapes, shapes.n, shortens, damping, printed
        self.gravity = np.array(gravity)

    def tips(self, eta):
        """Deflection and length of both strips, and their slopes by eta."""
        v = [self.s.tip @ e for e in eta]
        if not self.shortens:
            return v, [C, C], [np.zeros(self.n)] * 2
        return v, [C - e @ self.s.G @ e / 2 for e in eta], [-self.s.G @ e for e in eta]

    def loop(self, q, eta, theta):
        """f, A (by theta), B (by q and eta)."""
        v, c, slope = self.tips(eta)
        f, by_theta, by_rest = np.array([2 * A, 0.0]), np.zeros((2, 2)), np.zeros((2, 2 + 2 * self.n))
        for i, sign in enumerate((1, -1)):
            f = f + sign * (B * unit(q[i]) + c[i] * unit(theta[i]) + v[i] * across(theta[i]))
            by_theta[:, i] = sign * (c[i] * across(theta[i]) - v[i] * unit(theta[i]))
            by_rest[:, i] = sign * B * across(q[i])
            own = slice(2 + i * self.n, 2 + (i + 1) * self.n)
            by_rest[:, own] = sign * (np.outer(across(theta[i]), self.s.tip) + np.outer(unit(theta[i]), slope[i]))
        return f, by_theta, by_rest

    def split(self, x):
        return x[:2], [x[2:2 + self.n], x[2 + self.n:2 + 2 * self.n]]

    def close(self, x, theta):
        q, eta = self.split(x)
        return closed(lambda t: self.loop(q, eta, t), theta)

    def equations(self, x, rate, theta, tau):
        """M, Gamma of M x'' = Gamma, and the strip rates."""
        n, s, b = self.n, self.s, B
        (q, eta), (dq, deta) = self.split(x), self.split(rate)
        size = 2 + 2 * n
        _, by_theta, by_rest = self.loop(q, eta, theta)
        T = -np.linalg.solve(by_theta, by_rest)
        dtheta = T @ rate
        v, c, slope = self.tips(eta)
        M_y, force = np.zeros((size + 2, size + 2)), np.zeros(size + 2)
        g_c = np.zeros(2)
        for i, sign in enumerate((1, -1)):
            own, at = slice(2 + i * n, 2 + (i + 1) * n), size + i
            D = q[i] - theta[i]
            pe, dpe = s.p @ eta[i], s.p @ deta[i]
            M_y[i, i] = ARM_INERTIA + ARM * b * b / 4 + M * b * b
            M_y[at, at] = M * C * C / 3 + eta[i] @ eta[i]
            M_y[own, own] = np.eye(n)
            both = b * (M * C / 2 * math.cos(D) + pe * math.sin(D))
            by_D = b * (-M * C / 2 * math.sin(D) + pe * math.cos(D))
            M_y[i, at] = M_y[at, i] = both
            M_y[i, own] = M_y[own, i] = b * s.p * math.cos(D)
            M_y[at, own] = M_y[own, at] = s.h
            g = self.gravity
            elastic = s.omega ** 2 * (eta[i] + self.damping * deta[i])
            force[i] = tau[i] + (ARM * b / 2 + M * b) * across(q[i]) @ g + by_D * dtheta[i] ** 2 - 2 * b * dtheta[i] * math.sin(D) * dpe
            force[at] = M * C / 2 * across(theta[i]) @ g - pe * unit(theta[i]) @ g - by_D * dq[i] ** 2 - 2 * (eta[i] @ deta[i]) * dtheta[i]
            force[own] = s.p * (across(theta[i]) @ g) - elastic + b * s.p * math.sin(D) * dq[i] ** 2 + eta[i] * dtheta[i] ** 2
            if self.printed:  # the work that the printed elastic force also does on rigid motion
                force[i] -= b * math.cos(D) * s.p @ elastic
                force[at] -= s.h @ elastic
            dv, dc = s.tip @ deta[i], slope[i] @ deta[i]
            bend = -deta[i] @ s.G @ deta[i] if self.shortens else 0.0
            g_c += sign * (-b * dq[i] ** 2 * unit(q[i]) + (bend - 2 * dtheta[i] * dv - dtheta[i] ** 2 * c[i]) * unit(theta[i])
                           + (2 * dtheta[i] * dc - dtheta[i] ** 2 * v[i]) * across(theta[i]))
        gamma = np.zeros(size + 2)
        gamma[size:] = -np.linalg.solve(by_theta, g_c)
        P = np.vstack([np.eye(size), T])
        return P.T @ M_y @ P, P.T @ (force - M_y @ gamma), dtheta

    def tool(self, x, theta):
        q, eta = self.split(x)
        v, c, _ = self.tips(eta)
        return np.array([A, 0]) + B * unit(q[0]) + c[0] * unit(theta[0]) + v[0] * across(theta[0])

    def energy(self, x, rate, theta):
        M_x, _, _ = self.equations(x, rate, theta, (0, 0))
        q, eta = self.split(x)
        weight = sum(-self.gravity @ (ARM * B / 2 * unit(q[i]) + M * (B * unit(q[i]) + C / 2 * unit(theta[i]))
                                      + self.s.p @ eta[i] * across(theta[i])) for i in range(2))
        return rate @ M_x @ rate / 2 + sum((self.s.omega * e) @ (self.s.omega * e) for e in eta) / 2 + weight

    def run(self, x, rate, theta, torque, until, step, watch):
        """Classical Runge-Kutta steps; watch(t, x, rate, theta) after each."""
        size = len(x)

        def slope(t, y, theta):
            theta = self.close(y[:size], theta)
            M_x, force, _ = self.equations(y[:size], y[size:], theta, torque(t))
            return np.concatenate([y[size:], np.linalg.solve(M_x, force)])

        y = np.concatenate([x, rate])
        watch(0.0, x, rate, theta)
        for k in range(round(until / step)):
            t = k * step
            k1 = slope(t, y, theta)
            k2 = slope(t + step / 2, y + step / 2 * k1, theta)
            k3 = slope(t + step / 2, y + step / 2 * k2, theta)
            k4 = slope(t + step, y + step * k3, theta)
            y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            theta = self.close(y[:size], theta)
            watch(t + step, y[:size], y[size:], theta)
        return y[:size], y[size:], theta

    def frequencies(self, place, locked):
        """Eigenvalues over 2 pi at rest in a pose with straight strips, Hz; complex where the equations are not those of a structure."""
        q, theta = pose(place)
        x = np.concatenate([q, np.zeros(2 * self.n)])
        theta = self.close(x, np.array(theta))
        zero = np.zeros(len(x))
        M_x, _, _ = self.equations(x, zero, theta, (0, 0))
        K = np.zeros_like(M_x)
        for j in range(2, len(x)):
            step = np.zeros(len(x))
            step[j] = 1e-7
            ahead = self.equations(x + step, zero, self.close(x + step, theta), (0, 0))[1]
            back = self.equations(x - step, zero, self.close(x - step, theta), (0, 0))[1]
            K[:, j] = -(ahead - back) / 2e-7
        if locked:
            M_x, K = M_x[2:, 2:], K[2:, 2:]
        found = np.sqrt(np.linalg.eigvals(np.linalg.solve(M_x, K)).astype(complex)) / (2 * math.pi)
        return found[np.argsort(found.real + 1e-9 * found.imag)]


def pose(place, v=(0.0, 0.0), signs=(-1, 1)):
    """Motor and strip angles with the tool at a place, by the thesis (4.5), (4.6); elbows outwards."""
    q, theta = [], []
    for i in range(2):
        X, Y = place[0] - (A if i == 0 else -A), place[1]
        a, b = -2 * X * C - 2 * Y * v[i], 2 * X * v[i] - 2 * Y * C
        c = X * X + Y * Y + C * C + v[i] ** 2 - B * B
        t = math.atan2(b, a) + signs[i] * math.acos(-c / math.hypot(a, b))
        theta.append(t)
        q.append(math.atan2(Y - C * math.sin(t) - v[i] * math.cos(t), X - C * math.cos(t) + v[i] * math.sin(t)))
    return np.array(q), np.array(theta)


def law(t):
    """Fifth-order time law on [0, 1], its first and second rate."""
    t = min(max(t, 0.0), 1.0)
    return t ** 3 * (10 - 15 * t + 6 * t * t), 30 * t * t * (1 - t) ** 2, 60 * t * (1 - t) * (1 - 2 * t)


class Circle:
    """The planned motion, and torques of the rigid robot on it."""

    def __init__(self, turns):
        self.turns, self.rigid = turns, FiveBar(Shapes(0, "sine"))

    def place(self, t):
        s, ds, dds = (2 * math.pi * self.turns * x for x in law(t))
        e, n = unit(s), across(s)
        return np.array([0.025, 0.25]) + 0.025 * e, 0.025 * ds * n, 0.025 * (dds * n - ds * ds * e)

    def motion(self, t):
        p, dp, ddp = self.place(t)
        q, theta = pose(p)
        # e_theta . (p - B) = c and its rates
        dq, ddq, dtheta = np.zeros(2), np.zeros(2), np.zeros(2)
        for i in range(2):
            e, n = unit(theta[i]), across(theta[i])
            dq[i] = e @ dp / (B * e @ across(q[i]))
            dtheta[i] = n @ (dp - B * dq[i] * across(q[i])) / C
            ddq[i] = (e @ (ddp + B * dq[i] ** 2 * unit(q[i])) + C * dtheta[i] ** 2) / (B * e @ across(q[i]))
        return q, dq, ddq, theta

    def torque(self, t):
        if t <= 0.0 or t >= 1.0:
            return np.zeros(2)
        q, dq, ddq, theta = self.motion(t)
        M_x, force, _ = self.rigid.equations(q, dq, theta, (0, 0))
        return M_x @ ddq - force


class TwoSliders:
    """The 2-PRR: sliders A on x and C on y follow a law, strips AB and CB; unknown are the shape amplitudes."""

    def __init__(self, shapes, shortens=False):
        self.s, self.n, self.shortens = shapes, shapes.n, shortens
        self.start, self.end = np.array([0.05, 0.05]), np.array([0.15, 0.10])

    def sliders(self, t):
        s = law(t)
        p, dp, ddp = (self.start + (self.end - self.start) * s[0], (self.end - self.start) * s[1], (self.end - self.start) * s[2])
        P, dP, ddP = np.zeros(2), np.zeros(2), np.zeros(2)
        for i in range(2):
            along, side = p[i], p[1 - i]
            root = math.sqrt(C * C - side * side)
            droot = -side * dp[1 - i] / root
            ddroot = -(dp[1 - i] ** 2 + side * ddp[1 - i] + droot ** 2) / root
            P[i], dP[i], ddP[i] = along + root, dp[i] + droot, ddp[i] + ddroot
        return P, dP, ddP, p

    tips = FiveBar.tips

    def loop(self, P, eta, theta):
        v, c, slope = self.tips(eta)
        f, by_theta, by_eta = np.array([P[0], -P[1]]), np.zeros((2, 2)), np.zeros((2, 2 * self.n))
        for i, sign in enumerate((1, -1)):
            f = f + sign * (c[i] * unit(theta[i]) + v[i] * across(theta[i]))
            by_theta[:, i] = sign * (c[i] * across(theta[i]) - v[i] * unit(theta[i]))
            by_eta[:, i * self.n:(i + 1) * self.n] = sign * (np.outer(across(theta[i]), self.s.tip) + np.outer(unit(theta[i]), slope[i]))
        return f, by_theta, by_eta

    def close(self, P, eta, theta):
        return closed(lambda t: self.loop(P, eta, t), theta)

    def run(self, step, watch):
        n, s = self.n, self.s
        P, _, _, p = self.sliders(0.0)
        theta = np.array([math.atan2(p[1], p[0] - P[0]), math.atan2(p[1] - P[1], p[0])])

        def slope(t, y, theta):
            P, dP, ddP, _ = self.sliders(t)
            eta, deta = [y[:n], y[n:2 * n]], [y[2 * n:3 * n], y[3 * n:]]
            theta = self.close(P, eta, theta)
            v, c, bent = self.tips(eta)
            _, by_theta, by_eta = self.loop(P, eta, theta)
            T = -np.linalg.solve(by_theta, by_eta)
            moved = np.array([dP[0], -dP[1]])
            dtheta = T @ y[2 * n:] - np.linalg.solve(by_theta, moved)
            M_y, force, g_c = np.zeros((2 * n + 2, 2 * n + 2)), np.zeros(2 * n + 2), np.array([ddP[0], -ddP[1]])
            for i, sign in enumerate((1, -1)):
                own, at, d = slice(i * n, (i + 1) * n), 2 * n + i, np.eye(2)[i]
                e, nn = unit(theta[i]), across(theta[i])
                M_y[own, own], M_y[own, at], M_y[at, own] = np.eye(n), s.h, s.h
                M_y[at, at] = M * C * C / 3 + eta[i] @ eta[i]
                force[own] = eta[i] * dtheta[i] ** 2 - s.omega ** 2 * eta[i] - s.p * (d @ nn) * ddP[i]
                force[at] = -2 * (eta[i] @ deta[i]) * dtheta[i] - ddP[i] * (M * C / 2 * d @ nn - s.p @ eta[i] * d @ e)
                dv, dc = s.tip @ deta[i], bent[i] @ deta[i]
                bend = -deta[i] @ s.G @ deta[i] if self.shortens else 0.0
                g_c = g_c + sign * ((bend - 2 * dtheta[i] * dv - dtheta[i] ** 2 * c[i]) * e + (2 * dtheta[i] * dc - dtheta[i] ** 2 * v[i]) * nn)
            gamma = np.concatenate([np.zeros(2 * n), -np.linalg.solve(by_theta, g_c)])
            N = np.vstack([np.eye(2 * n), T])
            return np.concatenate([y[2 * n:], np.linalg.solve(N.T @ M_y @ N, N.T @ (force - M_y @ gamma))]), theta

        y = np.zeros(4 * n)
        for k in range(round(1 / step)):
            t = k * step
            k1, theta = slope(t, y, theta)
            k2, _ = slope(t + step / 2, y + step / 2 * k1, theta)
            k3, _ = slope(t + step / 2, y + step / 2 * k2, theta)
            k4, _ = slope(t + step, y + step * k3, theta)
            y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            P, _, _, p = self.sliders(t + step)
            eta = [y[:n], y[n:2 * n]]
            theta = self.close(P, eta, theta)
            v, c, _ = self.tips(eta)
            watch(t + step, eta, np.array([P[0], 0]) + c[0] * unit(theta[0]) + v[0] * across(theta[0]) - p)


def rounded(x):
    if isinstance(x, dict):
        return {key: rounded(value) for key, value in x.items()}
    if isinstance(x, (list, tuple, np.ndarray)):
        return [rounded(value) for value in x]
    return float(f"{x:.12g}")


def poses():
    found = []
    for place in [(0, 0.25), (0.025, 0.25), (0.05, 0.25), (-0.08, 0.3)]:
        q, theta = pose(place)
        found.append({"tool": place, "q": q, "theta": theta})
    return found


def dexterity():
    found = []
    for place in [(0, 0.15), (0, 0.20), (0, 0.25), (0, 0.3129), (0, 0.35), (0.05, 0.25), (0.10, 0.25), (0.15, 0.30), (-0.15, 0.30)]:
        q, theta = pose(place)
        bars = np.array([C * unit(t) for t in theta])
        drives = B * C * np.diag([math.sin(theta[i] - q[i]) for i in range(2)])
        stiffness = YOUNG * HEIGHT * WIDTH / C ** 3 * bars.T @ bars

        def index(x):
            return 2 / (np.linalg.norm(x) * np.linalg.norm(np.linalg.inv(x)))

        found.append({"tool": place, "stiffness": stiffness, "stiffness index": index(bars.T @ bars), "bars": index(bars),
                      "jacobian": index(np.linalg.solve(bars, drives))})
    return found


def torques(turns):
    circle = Circle(turns)
    times = [k / 10 for k in range(1, 10)]
    found = {"t": times, "q": [circle.motion(t)[0] for t in times], "tau": [circle.torque(t) for t in times]}
    dense = np.array([circle.torque(t) for t in np.linspace(0, 1, 4001)])
    peaks = []
    for i in range(2):
        k = np.abs(dense[:, i]).argmax()
        a, b, c = dense[k - 1:k + 2, i]
        shift = (a - c) / (2 * (a - 2 * b + c))
        peaks.append([b - (a - c) * shift / 4, (k + shift) / 4000])
    found["peaks"] = peaks
    work = 0.0
    # Work against kinetic energy halfway: Simpson's rule.
    n = 2000
    for k in range(n + 1):
        _, dq, _, _ = circle.motion(0.5 * k / n)
        work += (1 if k in (0, n) else 4 if k % 2 else 2) * dense[k] @ dq
    work *= 0.5 / n / 3
    q, dq, _, theta = circle.motion(0.5)
    M_x, _, _ = circle.rigid.equations(q, dq, theta, (0, 0))
    found["work minus kinetic energy"] = work - dq @ M_x @ dq / 2
    found["inertia"] = M_x
    return found


def frequencies():
    found = {}
    for n in (1, 2, 3, 4, 8):
        weak, printed = FiveBar(Shapes(n)), FiveBar(Shapes(n), printed=True)
        place = (0, 0.25)
        found[str(n)] = {"locked": weak.frequencies(place, True).real, "free": weak.frequencies(place, False).real[2:],
                         "printed, locked": [[x.real, x.imag] for x in printed.frequencies(place, True)]}
    found["4 at the start"] = FiveBar(Shapes(4)).frequencies((0.05, 0.25), False).real[2:]
    return found


def load_cases(step=2e-5):
    found = {}
    for name, damping in (("undamped", 0.0), ("damped", 3e-4)):
        for case in (1, 2):
            shapes = Shapes(4)
            robot = FiveBar(shapes, damping=damping, gravity=(0, -9.81 if case == 2 else 0))
            q, theta = pose((0, 0.25))
            x = np.concatenate([q, np.zeros(8)])
            if case == 1:
                x[2] = x[6] = 1e-3 / shapes.tip[0]
            theta = robot.close(x, theta)
            begin = robot.energy(x, np.zeros(10), theta)
            x, rate, theta = robot.run(x, np.zeros(10), theta, lambda t: np.zeros(2), 0.1, step, lambda *_: None)
            _, eta = robot.split(x)
            found[f"{case} {name}"] = {"q": x[:2], "tool": robot.tool(x, theta), "v": [shapes.tip @ e for e in eta],
                                       "energy": [begin, robot.energy(x, rate, theta)]}
    return found


def circle_run(shapes, shortens=False, turns=1, damping=0.0, step=1e-4):
    """Largest error of the tool against the plan, tip deflections and amplitudes, and some instants."""
    robot, circle = FiveBar(shapes, shortens, damping), Circle(turns)
    q, theta = pose((0.05, 0.25))
    n = shapes.n
    found = {"error": 0.0, "tip": 0.0, "eta": np.zeros((2, n))}

    def watch(t, x, rate, theta):
        _, eta = robot.split(x)
        error = robot.tool(x, theta) - circle.place(t)[0]
        found["error"] = max(found["error"], np.linalg.norm(error))
        found["tip"] = max(found["tip"], max(abs(shapes.tip @ e) for e in eta))
        found["eta"] = np.maximum(found["eta"], np.abs(eta))
        for instant in (0.5, 1.0):
            if abs(t - instant) < step / 2:
                found[f"eta at {instant:g}"] = np.array(eta)
                found[f"error at {instant:g}"] = error

    robot.run(np.concatenate([q, np.zeros(2 * n)]), np.zeros(2 + 2 * n), theta, circle.torque, 1.0, step, watch)
    return found


def sliders_run(shapes, shortens, step):
    robot = TwoSliders(shapes, shortens)
    peaks = {"error": 0.0, "eta": np.zeros(2)}

    def watch(t, eta, error):
        peaks["error"] = max(peaks["error"], np.linalg.norm(error))
        peaks["eta"] = np.maximum(peaks["eta"], np.abs([e[0] for e in eta]))
        if abs(t - 0.5) < step / 2:
            peaks["error at 0.5"] = error

    robot.run(step, watch)
    return peaks


def long_runs():
    return {
        "load cases": load_cases(),
        "circle, 1 shape": circle_run(Shapes(1)),
        "circle, 2 shapes": circle_run(Shapes(2)),
        "circle": circle_run(Shapes(4)),
        "circle, shortening": circle_run(Shapes(4), True),
        "circle, sines, shortening": circle_run(Shapes(4, "sine"), True),
        "circle, damped": circle_run(Shapes(4), damping=3e-4),
        "half circle": circle_run(Shapes(4), turns=0.5),
        "sliders, 2 shapes": sliders_run(Shapes(2), False, 1e-4),
        "sliders, 4 shapes": sliders_run(Shapes(4), False, 1e-4),
        "sliders, sines, shortening": sliders_run(Shapes(4, "sine"), True, 1e-4),
    }


def difference(ours, theirs):
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), ours.keys() ^ theirs.keys()
        return max((difference(ours[key], theirs[key]) for key in ours), default=0.0)
    if isinstance(ours, list):
        assert len(ours) == len(theirs)
        return max((difference(a, b) for a, b in zip(ours, theirs)), default=0.0)
    return abs(ours - theirs) / max(1e-9, abs(theirs))


def main():
    quick = rounded({"poses": poses(), "dexterity": dexterity(), "torques": torques(1), "torques, half circle": torques(0.5),
                     "frequencies": frequencies()})
    runs = rounded(long_runs()) if "--check" not in sys.argv or "--runs" in sys.argv else {}
    before = recorded(FILE, {**quick, "runs": runs})
    if before is None:
        return 0
    worst = difference(quick, {key: before[key] for key in quick})
    if runs:
        worst = max(worst, difference(runs, before["runs"]))
    # Eigenvalues and slopes by differences have about eight digits.
    print(f"largest relative difference {worst:.1e}")
    return 0 if worst < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
