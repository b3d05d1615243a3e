#!/usr/bin/env python3
"""When the rigid planar 3-RRR of examples/flexible-3rrr.yaml runs into a singular pose at swing = 0.6.

With the motors on their laws the pose (x, y, psi) of the platform solves |corner_i - knee_i| = l. The three rods then are
the rows of the Jacobian; it is singular when their lines meet in one point, and beyond that moment there is no pose. The
pose is followed along its arc, with time as a fourth unknown, to the time at which the time turns back.

Prints the time (s).
"""
import numpy as np
from scipy.optimize import brentq, fsolve

l, swing, duration = 0.45, 0.6, 0.5
ground = np.array([[0, 0], [1, 0], [0.5, 0.866]])
corners = np.array([[-0.1, -0.0577], [0.1, -0.0577], [0, 0.1155]])
starts = np.radians([80, 200, 320])
signs = np.array([1, -1, 1])


def knees(t):
    share = t / duration - np.sin(2 * np.pi * t / duration) / (2 * np.pi)
    angles = starts + signs * swing * share
    return ground + l * np.stack([np.cos(angles), np.sin(angles)], axis=1), angles


def rods(pose, t):
    x, y, psi = pose
    turn = np.array([[np.cos(psi), -np.sin(psi)], [np.sin(psi), np.cos(psi)]])
    return np.array([x, y]) + corners @ turn.T - knees(t)[0], corners @ turn.T


def closure(pose, t):
    r, _ = rods(pose, t)
    return (r**2).sum(axis=1) - l**2


def jacobian(pose, t):
    r, arms = rods(pose, t)
    return np.stack([r[:, 0], r[:, 1], r[:, 1] * arms[:, 0] - r[:, 0] * arms[:, 1]], axis=1)


# The assembly of the file: knees bent by -100 degrees from their cranks.
k, angles = knees(0)
directions = angles + np.radians(-100)
tips = k + l * np.stack([np.cos(directions), np.sin(directions)], axis=1)
edge = tips[1] - tips[0]
pose = fsolve(closure, [*tips.mean(axis=0), np.arctan2(edge[1], edge[0])], args=(0.0,), xtol=1e-12)

# Along the arc: the side of the determinant tells on which side of the turn a point lies.
z = np.array([*pose, 0.0])
tangent = np.array([0, 0, 0, 1.0])
h, before = 2e-3, None
while True:
    full = np.zeros((4, 4))
    eps = 1e-7
    full[:3, :3] = 2 * jacobian(z[:3], z[3])
    full[:3, 3] = (closure(z[:3], z[3] + eps) - closure(z[:3], z[3] - eps)) / (2 * eps)
    full[3] = tangent
    tangent = np.linalg.solve(full, [0, 0, 0, 1.0])
    tangent /= np.linalg.norm(tangent)
    guess = z + h * tangent
    nxt = fsolve(lambda w: [*closure(w[:3], w[3]), tangent @ (w - guess)], guess, xtol=1e-12)
    a, b = np.linalg.det(jacobian(z[:3], z[3])), np.linalg.det(jacobian(nxt[:3], nxt[3]))
    if a * b < 0:
        break
    z = nxt


def beyond(s):
    g = z + s * tangent
    w = fsolve(lambda w: [*closure(w[:3], w[3]), tangent @ (w - g)], g, xtol=1e-12)
    return np.linalg.det(jacobian(w[:3], w[3])), w


s = brentq(lambda s: beyond(s)[0], 0, h, xtol=1e-12)
print("%.6f" % beyond(s)[1][3])
