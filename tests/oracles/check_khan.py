#!/usr/bin/python3
"""Compares the maximal-coordinate model with the tabulated reference numbers of the planar 3-RRR and the 6-UPS.

Prints the largest deviation of each table; exits with 1 when one is larger than its printed rounding allows.
"""

import sys

import numpy as np

import cases
from maximal import Mechanism

# Actuator torques, with gravity and without (N m), Khan reference 6.4
TORQUES = """
0.00 -1.41861659 -20.70723274 44.27619219 0.00000000 0.00000000 0.00000000
0.25 -0.89664525 -21.45092126 44.41954149 0.53975915 -0.57293693 0.08480210
0.50 -0.58492132 -23.04529453 44.89029739 0.96761850 -1.03211044 0.18908115
0.75 -0.63223838 -26.07828717 45.79176323 1.20273010 -1.30699163 0.35341338
1.00 -1.22217978 -30.49296266 46.75904937 1.15563725 -1.30416050 0.53695944
1.25 -2.61732516 -35.33035755 47.14565824 0.79400760 -0.89502448 0.55171311
1.50 -4.94615294 -38.97058441 46.61033092 0.20004724 -0.05403837 0.23701484
1.75 -7.88164503 -40.11702061 45.46623884 -0.50689838 0.90617773 -0.29456314
2.00 -10.53469532 -38.90147085 44.38720635 -1.14469594 1.45933816 -0.74891952
2.25 -12.00500098 -36.75464216 43.82829225 -1.45861383 1.44871323 -0.93729730
2.50 -12.20108044 -35.15637557 43.80877740 -1.31599428 1.10716823 -0.83617412
2.75 -11.67520811 -34.74262110 44.13924680 -0.77084857 0.60440661 -0.48926417
3.00 -10.89999219 -35.20348485 44.62799770 0.00000000 0.00000000 0.00000000"""

# Pin forces at t = 1 s (N), Khan reference 6.6: rows ankle, knee, motor; columns x, y of legs 1, 2, 3
PINS = np.array([[17.114808306, -16.727738065, -27.849999345, 27.305907167, 8.541991212, 69.602732857],
                 [15.908765648, 22.919199755, -28.603322643, 67.362818840, 8.128225076, 109.599437123],
                 [15.496466439, 52.312089008, -28.777333397, 97.168435803, 8.168360872, 139.219588876]])

# 6-UPS, Khan reference 10.5 (N; rad/s, m/s)
UPS_FORCES = [49.1379649512, 22.6631218902, 42.067682119, 40.0853726287, 20.631922546, 27.4597729069]
UPS_STATIC = [39.3802997012, 42.4594428011, 34.2818363332, 20.5582601098, 43.4586911738, 26.5041281529]
UPS_TWIST = [-0.456523794453, -0.474086438948, -0.0333587301179, 0.356390834902, -0.33515136843, 0.0135552185503]
UPS_TWIST_RATE = [-1.32125481412, -0.92911976326, 0.0861251779302, 0.412489047759, -1.2592283769, -0.284132430681]

worst_ratio = 0.0


def report(what, deviation, allowed):
    global worst_ratio
    worst_ratio = max(worst_ratio, deviation / allowed)
    print(f"{what}: {deviation:.2e} (allowed {allowed:.0e})")


def motion(t):
    w = 2 * np.pi / 3
    s, sd, sdd = w * t - np.sin(w * t), w * (1 - np.cos(w * t)), w * w * np.sin(w * t)
    share = np.array([1 / 6, -1 / 6, 1 / 12])
    return np.array([np.pi / 3, 4 * np.pi / 3, 11 * np.pi / 6]) + share * s, share * sd, share * sdd


def check_3rrr():
    rows = np.array([[float(x) for x in line.split()] for line in TORQUES.strip().splitlines()])
    for gravity, columns in ((9.81, slice(1, 4)), (0.0, slice(4, 7))):
        case = cases.khan_3rrr(gravity)
        m = Mechanism(case["mechanism"])
        q = [np.array(case["home"][j["name"]], float) for j in m.joints]
        deviation = 0.0
        for row in rows:
            angle, rate, acceleration = motion(row[0])
            for leg in range(3):
                q[3 * leg] = np.array([angle[leg]])
            config = m.assemble(q, case["driven"])
            q = config["q"]
            V, v = m.speeds(config, dict(zip(case["driven"], rate)))
            result = m.solve(config, V, v, np.zeros(m.nv), {}, {3 * leg: acceleration[leg] for leg in range(3)})
            deviation = max(deviation, np.max(np.abs(result["force"][[0, 3, 6]] - row[columns])))
            if gravity and row[0] == 1.0:
                pins = np.array([[result["wrench"][3 * leg + 2 - i][3 + xy] for leg in range(3) for xy in (0, 1)]
                                 for i in range(3)])
                report("3-RRR pin forces at 1 s (6.6)", np.max(np.abs(pins - PINS)), 2e-9)
        report(f"3-RRR torques, g = {gravity} (6.4)", deviation, 1e-8)


def check_6ups():
    case = cases.khan_6ups()
    m = Mechanism(case["mechanism"])
    config = m.assemble([np.array(case["home"][j["name"]], float) for j in m.joints], case["driven"])
    strokes = [int(m.offsets[m.joint_index[name]]) for name, _ in case["driven"]]
    rates, accelerations = (0.1, -0.2, 0.15, 0.05, -0.1, 0.2), (0.5, -0.4, 0.3, 0.2, -0.6, 0.1)
    V, v = m.speeds(config, dict(zip(case["driven"], rates)))
    result = m.solve(config, V, v, np.zeros(m.nv), {}, dict(zip(strokes, accelerations)))
    order = [3, 4, 5, 0, 1, 2]
    report("6-UPS platform twist", np.max(np.abs(V[-6:][order] - UPS_TWIST)), 2e-12)
    report("6-UPS platform twist rate", np.max(np.abs(result["body"][-6:][order] - UPS_TWIST_RATE)), 2e-11)
    report("6-UPS actuator forces", np.max(np.abs(result["force"][strokes] - UPS_FORCES)), 1e-9)
    still = m.solve(config, 0 * V, 0 * v, np.zeros(m.nv), {}, {k: 0.0 for k in strokes})
    report("6-UPS static forces", np.max(np.abs(still["force"][strokes] - UPS_STATIC)), 1e-9)


check_3rrr()
check_6ups()
sys.exit(1 if worst_ratio > 1.0 else 0)
