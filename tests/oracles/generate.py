#!/usr/bin/python3
"""Writes NAME.json for every mechanism of cases.py: states, and what the maximal-coordinate model says there.

Usage: /usr/bin/python3 generate.py [--check] [NAME ...]
With --check nothing is written; exits with 1 when a file on disk is not what would be written.
"""

import json
import os
import sys

import numpy as np

import cases
from maximal import SPEEDS, Mechanism

STATES = 3
HERE = os.path.dirname(os.path.abspath(__file__))


def per_joint(m, values):
    return {j["name"]: np.asarray(values)[m.slice(i)].tolist() for i, j in enumerate(m.joints) if SPEEDS[j["type"]]}


def wrenches(m, result):
    return {j["name"]: result["wrench"][i].tolist() for i, j in enumerate(m.joints)}


def speed_index(m, name, k):
    return int(m.offsets[m.joint_index[name]]) + k


def check(m, config, V, v, loads, result):
    """Power balance, and closure to third order when moving with these accelerations: what a wrong term would break."""
    inertia = 0.0
    for body in range(1, m.nb + 1):
        vb, wb, _ = m.twist(config, V, body)
        a, alpha = result["body"][6 * body - 6:6 * body - 3], result["body"][6 * body - 3:6 * body]
        turn = config["poses"][body][1]
        inertia += m.links[body]["mass"] * vb @ a + wb @ turn @ np.array(m.links[body]["inertia"]) @ turn.T @ alpha
    power = m.applied(config, V, loads) @ V + result["force"] @ v
    assert abs(inertia - power) < 1e-9 * (1 + abs(power)), (inertia, power)
    h = 1e-4
    moved = m.advance(config, V + h / 2 * result["body"], v + h / 2 * result["joint"], h)
    # The third-order remainder is jerk-like: speeds cubed, far below the h^2 of a wrong acceleration.
    scale = 1 + np.max(np.abs(v))**3 + np.max(np.abs(v)) * np.max(np.abs(result["joint"]))
    assert np.max(np.abs(m.gaps(moved))) < 20 * h**3 * scale, np.max(np.abs(m.gaps(moved)))


def state(m, case, rng, number):
    home = [np.array(case["home"][j["name"]], float) if SPEEDS[j["type"]] else np.zeros(0) for j in m.joints]
    if number > 0:
        step = np.zeros(m.nv)
        for name, k in case["driven"]:
            step[speed_index(m, name, k)] = case.get("spread", 0.1) * rng.standard_normal()
        home = [m.move(j, q, step[m.slice(i)]) for i, (j, q) in enumerate(zip(m.joints, home))]
    config = m.assemble(home, held=[(n, k) for n, k in case["driven"]
                                    if m.joints[m.joint_index[n]]["type"] not in ("spherical", "free")])
    V, v = m.speeds(config, {d: rng.standard_normal() for d in case["driven"]})
    tau = np.zeros(m.nv)
    for i, j in enumerate(m.joints):
        for k, on in enumerate(j.get("actuated", [])):
            tau[m.offsets[i] + k] = 5 * rng.standard_normal() if on else 0.0
    loads = {load["name"]: (2 * rng.standard_normal(6)).tolist() for load in m.d["loads"]}

    forward = m.solve(config, V, v, tau, loads)
    check(m, config, V, v, loads, forward)
    wanted = {speed_index(m, n, k): rng.standard_normal() for n, k in case["driven"]}
    inverse = m.solve(config, V, v, np.zeros(m.nv), loads, wanted)
    check(m, config, V, v, loads, inverse)
    # the motor is what remains after spring and damper
    motor = inverse["force"] - m.joint_forces(config, v, np.zeros(m.nv))
    again = m.solve(config, V, v, motor, loads)
    assert np.allclose(again["joint"], inverse["joint"], atol=1e-8 * (1 + np.max(np.abs(inverse["joint"]))))
    return {
        "q": {j["name"]: config["q"][i].tolist() for i, j in enumerate(m.joints) if SPEEDS[j["type"]]},
        "v": per_joint(m, v), "tau": per_joint(m, tau), "loads": loads,
        "kinetic": m.kinetic(config, V), "potential": m.potential(config),
        "forward": {"a": per_joint(m, forward["joint"]), "reactions": wrenches(m, forward)},
        "inverse": {"a": per_joint(m, inverse["joint"]),
                    "tau": [motor[speed_index(m, n, k)] for n, k in case["driven"]],
                    "reactions": wrenches(m, inverse)}}


def same(a, b):
    """Equal up to rounding, which differs between builds of the linear algebra."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, float):
        return abs(a - b) <= 1e-9 * max(1.0, abs(a))
    return a == b


def main():
    names = [x for x in sys.argv[1:] if x != "--check"] or list(cases.ALL)
    good = True
    for name in names:
        case = cases.ALL[name]()
        m = Mechanism(case["mechanism"])
        rng = np.random.default_rng(sum(map(ord, name)))
        out = {"about": case["about"], "mechanism": case["mechanism"], "driven": case["driven"],
               "unique_reactions": case["unique_reactions"], "states": [state(m, case, rng, i) for i in range(STATES)]}
        path = os.path.join(HERE, name + ".json")
        if "--check" in sys.argv:
            with open(path) as file:
                fresh = same(json.loads(json.dumps(out)), json.load(file))
            print(f"{name}: {'as recorded' if fresh else 'DIFFERS from the file'}")
            good = good and fresh
            continue
        with open(path, "w") as file:
            json.dump(out, file, indent=1)
            file.write("\n")
        worst = max(max(abs(x) for xs in s["forward"]["a"].values() for x in xs) for s in out["states"])
        print(f"{name}: {m.nb} bodies, {m.nv} joint speeds, {len(case['driven'])} driven, "
              f"largest acceleration {worst:.3g}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
