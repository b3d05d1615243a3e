"""The mechanisms of the oracle, as dictionaries.

ground: {frame: {position, rotation_vector}}; links: name, mass, centre, inertia (3x3 about the mass centre), frames;
joints: name, type, from and to ("link/frame", or "link" for its origin), axis, axis2, actuated, stiffness, rest, damping;
springs: name, a, b, stiffness, damping, rest; loads: name, at, in_frame_axes. SI units, link axes.
A case adds `home` (coordinates per joint), `driven` (speeds that determine the motion) and `unique_reactions`.
"""

import numpy as np

from maximal import exp_so3, log_so3, quaternion

PI = np.pi
X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def link(name, mass, centre, inertia, **frames):
    inertia = np.array(inertia, float)
    return {"name": name, "mass": float(mass), "centre": list(map(float, centre)),
            "inertia": (np.diag(inertia) if inertia.ndim == 1 else inertia).tolist(),
            "frames": {k: frame(*v) if isinstance(v, tuple) else frame(v) for k, v in frames.items()}}


def frame(position, rotation_vector=(0, 0, 0)):
    return {"position": [float(x) for x in position], "rotation_vector": [float(x) for x in rotation_vector]}


def joint(name, kind, a, b, axis=Z, actuated=None, **more):
    unit = np.array(axis, float) / np.linalg.norm(axis)
    out = {"name": name, "type": kind, "from": a, "to": b, "axis": unit.tolist()}
    if actuated:
        out["actuated"] = actuated
    out.update(more)
    return out


def tilted(a, b, c, turn):
    """Principal inertias a, b, c in axes turned by the rotation vector `turn`."""
    r = exp_so3(turn)
    return r @ np.diag([a, b, c]) @ r.T


def khan_3rrr(gravity=9.81):
    rho = 0.4 / np.sqrt(3)
    beta = [PI / 6, 5 * PI / 6, -PI / 2]
    base = [[0, 0, 0], [1, 0, 0], [0.5, np.sqrt(0.75), 0]]
    links, joints, ground = [], [], {}
    platform = link("platform", 8, [0, 0, 0], [0.0817 / 2, 0.0817 / 2, 0.0817])
    for j in range(3):
        n = j + 1
        ground[f"o{n}"] = frame(base[j])
        platform["frames"][f"p{n}"] = frame([-rho * np.cos(beta[j]), -rho * np.sin(beta[j]), 0], [0, 0, beta[j]])
        links.append(link(f"crank-{n}", 3, [0.2, 0, 0], [0.001, 0.04, 0.04], tip=[0.4, 0, 0]))
        links.append(link(f"rod-{n}", 4, [0.3, 0, 0], [0.001, 0.12, 0.12], tip=[0.6, 0, 0]))
        joints.append(joint(f"motor-{n}", "revolute", f"ground/o{n}", f"crank-{n}", actuated=[True]))
        joints.append(joint(f"knee-{n}", "revolute", f"crank-{n}/tip", f"rod-{n}"))
        joints.append(joint(f"ankle-{n}", "revolute", f"rod-{n}/tip", f"platform/p{n}"))
    return {
        "about": "planar 3-RRR of Khan et al. 2005, Table I; base triangle 1 m, gravity along -Y",
        "mechanism": {"name": "khan_3rrr", "gravity": [0, -gravity, 0], "ground": ground, "links": links + [platform],
                      "joints": joints, "springs": [], "loads": [{"name": "tool", "at": "platform"}]},
        "home": {"motor-1": [PI / 3], "knee-1": [-0.865], "ankle-1": [-2.026], "motor-2": [4 * PI / 3],
                 "knee-2": [-2.102], "ankle-2": [-1.836], "motor-3": [11 * PI / 6], "knee-3": [-0.976],
                 "ankle-3": [-2.439]},
        "driven": [("motor-1", 0), ("motor-2", 0), ("motor-3", 0)],
        "unique_reactions": "in-plane"}


def khan_6ups():
    links, joints, ground, home = [], [], {}, {}
    platform = link("platform", 10, [0, 0, 0], [0.3, 0.35, 0.6])
    pose = exp_so3([0, 0, 0.1]) @ exp_so3([0, 0.15, 0]) @ exp_so3([-0.08, 0, 0])
    centre = np.array([0.05, -0.03, 0.8])
    for k in range(6):
        s = -1 if k % 2 == 0 else 1
        a, b = (k // 2) * 2 * PI / 3 + 0.25 * s, (k // 2) * 2 * PI / 3 + s * PI / 3 - 0.2 * s
        root, top = 0.6 * np.array([np.cos(a), np.sin(a), 0]), np.array([0.3 * np.cos(b), 0.3 * np.sin(b), 0.02 * k])
        ground[f"b-{k}"] = frame(root)
        platform["frames"][f"p-{k}"] = frame(top)
        links.append(link(f"yoke-{k}", 0.1, [0, 0, 0], [0.002, 0.002, 0.0001]))
        links.append(link(f"barrel-{k}", 2, [0, 0, 0.2], [0.02, 0.02, 0.001]))
        links.append(link(f"rod-{k}", 1.5, [0, 0, -0.2], [0.015, 0.015, 0.0008]))
        joints.append(joint(f"tilt-{k}", "revolute", f"ground/b-{k}", f"yoke-{k}", X))
        joints.append(joint(f"lean-{k}", "revolute", f"yoke-{k}", f"barrel-{k}", Y))
        joints.append(joint(f"stroke-{k}", "prismatic", f"barrel-{k}", f"rod-{k}", Z, actuated=[True]))
        joints.append(joint(f"wrist-{k}", "spherical", f"rod-{k}", f"platform/p-{k}"))
        d = centre + pose @ top - root
        length = np.linalg.norm(d)
        tilt, lean = np.arctan2(-d[1], d[2]), np.arcsin(d[0] / length)
        home[f"tilt-{k}"], home[f"lean-{k}"], home[f"stroke-{k}"] = [tilt], [lean], [length]
        home[f"wrist-{k}"] = quaternion((exp_so3([tilt, 0, 0]) @ exp_so3([0, lean, 0])).T @ pose)
    return {
        "about": "6-UPS of the Khan reference, section 10.5, spherical wrists",
        "mechanism": {"name": "khan_6ups", "gravity": [0, 0, -9.81], "ground": ground, "links": links + [platform],
                      "joints": joints, "springs": [], "loads": [{"name": "tool", "at": "platform"}]},
        "home": home, "driven": [(f"stroke-{k}", 0) for k in range(6)], "unique_reactions": "all"}


def spatial_four_bar(name, middle):
    """Crank and rocker turn about skew axes; the coupler hangs on `middle` joints (S-S: it may spin; S-U: it may not)."""
    crank = link("crank", 0.8, [0.1, 0.02, 0.01], tilted(0.002, 0.006, 0.007, [0.2, -0.1, 0.3]), tip=[0.25, 0, 0.05])
    coupler = link("coupler", 1.1, [0.35, 0.01, -0.02], tilted(0.004, 0.03, 0.031, [0.1, 0.2, -0.2]), tip=[0.8, 0, 0])
    rocker = link("rocker", 0.9, [0.2, -0.01, 0.03], tilted(0.003, 0.012, 0.014, [0.0, 0.3, 0.1]), tip=[0.5, 0.0, 0.1])
    second = (joint("far", "spherical", "coupler/tip", "rocker/tip", damping=[0.02, 0.02, 0.02])
              if middle == "spherical" else
              joint("far", "universal", "coupler/tip", "rocker/tip", Z, axis2=Y, damping=[0.02, 0.01]))
    home = {"motor": [0.9], "near": quaternion(exp_so3([0.1, -0.5, -0.8])), "pivot": [1.5],
            "far": quaternion(exp_so3([-0.6, 0.4, 1.0])) if middle == "spherical" else [0.9, 0.6]}
    # The rocker's pivot stands where these joint values close the loop.
    far = exp_so3([-0.6, 0.4, 1.0]) if middle == "spherical" else exp_so3([0, 0, 0.9]) @ exp_so3([0, 0.6, 0])
    turn = exp_so3([0.1, 0.2, 0]) @ exp_so3([0, 0, 0.9])
    tip = turn @ [0.25, 0, 0.05]
    turn = turn @ exp_so3([0.1, -0.5, -0.8])
    tip = tip + turn @ [0.8, 0, 0]
    turn = turn @ far
    pivot, pivot_turn = tip - turn @ [0.5, 0, 0.1], turn @ exp_so3([0, 0, -1.5])
    return {
        "about": f"spatial four-bar R-S-{middle[0].upper()}-R with skew axes, inertia not aligned with the links",
        "mechanism": {"name": name, "gravity": [0.5, -1.0, -9.5],
                      "ground": {"a": frame([0, 0, 0], [0.1, 0.2, 0]), "b": frame(pivot, log_so3(pivot_turn))},
                      "links": [crank, coupler, rocker],
                      "joints": [joint("motor", "revolute", "ground/a", "crank", Z, actuated=[True]),
                                 joint("near", "spherical", "crank/tip", "coupler", damping=[0.01, 0.01, 0.01]),
                                 second,
                                 joint("pivot", "revolute", "ground/b", "rocker", Z, stiffness=[3.0], rest=[1.2],
                                       damping=[0.05])],
                      "springs": [], "loads": [{"name": "push", "at": "coupler/tip", "in_frame_axes": True}]},
        "home": home,
        "driven": [("motor", 0)] + ([("near", 0)] if middle == "spherical" else []),
        "unique_reactions": "all"}


def slider_crank():
    return {
        "about": "slider-crank with joint spring, dampers, a point spring with damper and a load on the slider",
        "mechanism": {"name": "slider_crank", "gravity": [0, -9.81, 0],
                      "ground": {"pivot": frame([0, 0, 0]), "guide": frame([0, 0.05, 0]), "hook": frame([1.2, 0.4, 0])},
                      "links": [link("crank", 1.2, [0.07, 0.01, 0], [0.001, 0.004, 0.005], tip=[0.15, 0, 0]),
                                link("rod", 0.9, [0.22, 0, 0], [0.0005, 0.012, 0.0125], tip=[0.5, 0, 0]),
                                link("slider", 2.3, [0.02, 0.01, 0], [0.003, 0.003, 0.004], pin=[0.01, 0, 0])],
                      "joints": [joint("motor", "revolute", "ground/pivot", "crank", actuated=[True], damping=[0.03]),
                                 joint("big-end", "revolute", "crank/tip", "rod", damping=[0.02]),
                                 joint("gudgeon", "revolute", "rod/tip", "slider/pin", stiffness=[0.4], rest=[0.1]),
                                 joint("guide", "prismatic", "ground/guide", "slider", X, stiffness=[150.0],
                                       rest=[0.6], damping=[4.0])],
                      "springs": [{"name": "stay", "a": "ground/hook", "b": "rod/tip", "stiffness": 80.0,
                                   "damping": 2.5, "rest": 0.5}],
                      "loads": [{"name": "gas", "at": "slider/pin"}]},
        "home": {"motor": [0.8], "big-end": [-0.95], "gudgeon": [0.15], "guide": [0.6]},
        "driven": [("motor", 0)], "unique_reactions": "in-plane"}


def sarrus():
    """Two plates joined by two three-revolute legs in perpendicular planes: the upper plate moves straight up."""
    leg = lambda name: link(name, 0.6, [0.15, 0, 0.01], tilted(0.001, 0.005, 0.0055, [0.1, 0, 0.2]), tip=[0.3, 0, 0])
    # leg A in the x-z plane (axes along y), leg B in the y-z plane (axes along x)
    down, lift_b = [0, PI / 2, 0], [0, 0, PI / 2]
    return {
        "about": "Sarrus linkage: six revolutes, one freedom, one closure too many",
        "mechanism": {"name": "sarrus", "gravity": [0.3, 0.2, -9.81],
                      "ground": {"a": frame([0.2, 0, 0]), "b": frame([0, 0.2, 0], lift_b)},
                      "links": [leg("lower-a"), leg("upper-a"), leg("lower-b"), leg("upper-b"),
                                link("plate", 2.0, [0.01, -0.02, 0.03], tilted(0.02, 0.03, 0.04, [0.3, 0.1, 0]),
                                     a=[0.2, 0, 0], b=([0, 0.2, 0], lift_b))],
                      "joints": [joint("base-a", "revolute", "ground/a", "lower-a", Y, actuated=[True]),
                                 joint("knee-a", "revolute", "lower-a/tip", "upper-a", Y),
                                 joint("top-a", "revolute", "upper-a/tip", "plate/a", Y),
                                 joint("base-b", "revolute", "ground/b", "lower-b", Y, damping=[0.1]),
                                 joint("knee-b", "revolute", "lower-b/tip", "upper-b", Y),
                                 joint("top-b", "revolute", "upper-b/tip", "plate/b", Y)],
                      "springs": [], "loads": [{"name": "weight", "at": "plate"}]},
        "home": {"base-a": [-0.7], "knee-a": [-1.7], "top-a": [2.4], "base-b": [-0.7], "knee-b": [-1.7],
                 "top-b": [2.4]},
        "driven": [("base-a", 0)], "unique_reactions": "no"}


def serial_arm():
    return {
        "about": "open arm with universal, cylindrical and spherical joints, springs and dampers in each",
        "mechanism": {"name": "serial_arm", "gravity": [0, 0, -9.81],
                      "ground": {"post": frame([0.1, -0.2, 0.5], [0.3, 0.1, -0.2])},
                      "links": [link("upper", 2.0, [0.2, 0.01, 0.02], tilted(0.005, 0.03, 0.032, [0.1, 0.2, 0.3]),
                                     tip=([0.45, 0, 0], [0, 0.4, 0])),
                                link("sleeve", 1.5, [0.01, 0.02, 0.15], tilted(0.02, 0.021, 0.004, [-0.2, 0.1, 0.0]),
                                     tip=([0, 0.05, 0.3], [0.2, 0, 0.1])),
                                link("hand", 0.7, [0.03, -0.02, 0.08], tilted(0.002, 0.003, 0.0035, [0.5, 0.1, 0.2]),
                                     root=([0, 0, -0.05], [0, 0, 0.3]), tool=([0.02, 0, 0.2], [0.1, 0.2, 0.3]))],
                      "joints": [joint("shoulder", "universal", "ground/post", "upper", Z, actuated=[True, True],
                                       axis2=Y, stiffness=[5.0, 2.0], rest=[0.1, -0.2], damping=[0.3, 0.2]),
                                 joint("slide", "cylindrical", "upper/tip", "sleeve", [0.6, 0, 0.8],
                                       actuated=[True, True], stiffness=[1.0, 200.0], rest=[0.0, 0.1],
                                       damping=[0.1, 6.0]),
                                 joint("wrist", "spherical", "sleeve/tip", "hand/root", actuated=[True, True, True],
                                       stiffness=[0.8, 0.8, 0.8], damping=[0.05, 0.05, 0.05])],
                      "springs": [{"name": "balance", "a": "ground", "b": "sleeve/tip", "stiffness": 40.0,
                                   "damping": 1.5, "rest": 0.3}],
                      "loads": [{"name": "tool", "at": "hand/tool", "in_frame_axes": True}]},
        "home": {"shoulder": [0.4, -0.3], "slide": [0.2, 0.15], "wrist": quaternion(exp_so3([0.4, -0.3, 0.6]))},
        "driven": [("shoulder", 0), ("shoulder", 1), ("slide", 0), ("slide", 1), ("wrist", 0), ("wrist", 1),
                   ("wrist", 2)],
        "unique_reactions": "all"}


def floating_arm():
    return {
        "about": "free-floating body with an arm of a revolute and a universal joint; no gravity",
        "mechanism": {"name": "floating_arm", "gravity": [0, 0, 0], "ground": {},
                      "links": [link("bus", 40.0, [0.02, -0.01, 0.03], tilted(2.0, 2.5, 3.0, [0.1, 0.2, 0.1]),
                                     mount=([0.4, 0.1, 0.2], [0.2, -0.3, 0.1])),
                                link("boom", 4.0, [0.5, 0.02, 0], tilted(0.01, 0.4, 0.41, [0, 0.1, 0.05]),
                                     tip=[1.0, 0, 0]),
                                link("gripper", 2.5, [0.2, 0, 0.04], tilted(0.01, 0.05, 0.055, [0.2, 0, 0.1]),
                                     tool=[0.5, 0, 0])],
                      "joints": [joint("orbit", "free", "ground", "bus"),
                                 joint("shoulder", "revolute", "bus/mount", "boom", Z, actuated=[True],
                                       damping=[0.2]),
                                 joint("wrist", "universal", "boom/tip", "gripper", Z, actuated=[True, True], axis2=Y,
                                       stiffness=[3.0, 2.0], damping=[0.1, 0.1])],
                      "springs": [], "loads": [{"name": "thruster", "at": "bus/mount", "in_frame_axes": True}]},
        "home": {"orbit": [1.0, -2.0, 0.5, *quaternion(exp_so3([0.3, -0.5, 0.7]))], "shoulder": [0.6],
                 "wrist": [0.4, -0.7]},
        "driven": [("orbit", k) for k in range(6)] + [("shoulder", 0), ("wrist", 0), ("wrist", 1)],
        "unique_reactions": "all"}


def table_arm():
    return {
        "about": "a carriage sliding on a tilted table (planar joint) that carries a prismatic mast and a pendulum",
        "mechanism": {"name": "table_arm", "gravity": [0, 0, -9.81], "ground": {"table": frame([0, 0, 0.3], [0.2, 0.1, 0])},
                      "links": [link("carriage", 6.0, [0.03, 0.02, 0.1], tilted(0.1, 0.12, 0.15, [0.1, 0, 0.3]),
                                     mast=([0.1, 0, 0.2], [0, 0.3, 0])),
                                link("mast", 1.5, [0, 0, 0.2], [0.03, 0.03, 0.002], top=([0, 0, 0.5], [0, PI / 2, 0.2])),
                                link("bob", 1.0, [0.3, 0, 0.02], tilted(0.002, 0.02, 0.021, [0.1, 0.1, 0]))],
                      "joints": [joint("glide", "planar", "ground/table", "carriage", Z, actuated=[True, True, True],
                                       damping=[3.0, 2.0, 0.4], stiffness=[20.0, 10.0, 1.0], rest=[0.1, 0.2, 0.0]),
                                 joint("lift", "prismatic", "carriage/mast", "mast", Z, actuated=[True]),
                                 joint("swing", "revolute", "mast/top", "bob", [0, 0.6, 0.8], damping=[0.02])],
                      "springs": [], "loads": [{"name": "wind", "at": "bob"}]},
        "home": {"glide": [0.2, -0.1, 0.5], "lift": [0.25], "swing": [0.8]},
        "driven": [("glide", 0), ("glide", 1), ("glide", 2), ("lift", 0), ("swing", 0)], "unique_reactions": "all"}


def spatial_3rrs():
    """Three legs R-R-S with tangential revolutes: a platform with three freedoms, no closure redundant."""
    links, joints, ground, home = [], [], {}, {}
    platform = link("platform", 5.0, [0.01, 0.02, 0.03], tilted(0.08, 0.09, 0.15, [0.1, 0.2, 0.0]))
    for j in range(3):
        n, turn = j + 1, 2 * PI * j / 3
        c, s = np.cos(turn), np.sin(turn)
        ground[f"o{n}"] = frame([0.5 * c, 0.5 * s, 0], [0, 0, turn])
        platform["frames"][f"p{n}"] = frame([0.3 * c, 0.3 * s, 0], [0, 0, turn])
        links.append(link(f"thigh-{n}", 1.4, [0.2, 0.01, 0], tilted(0.003, 0.02, 0.021, [0.1, 0.1, 0]),
                          tip=[0.45, 0, 0]))
        links.append(link(f"shin-{n}", 1.1, [0.25, 0, 0.02], tilted(0.002, 0.025, 0.026, [0, 0.1, 0.2]),
                          tip=[0.5, 0, 0]))
        joints.append(joint(f"hip-{n}", "revolute", f"ground/o{n}", f"thigh-{n}", Y, actuated=[True]))
        joints.append(joint(f"knee-{n}", "revolute", f"thigh-{n}/tip", f"shin-{n}", Y, damping=[0.05]))
        joints.append(joint(f"ball-{n}", "spherical", f"shin-{n}/tip", f"platform/p{n}"))
        home[f"hip-{n}"], home[f"knee-{n}"] = [-1.1 - 0.05 * j], [-0.9 + 0.05 * j]
        home[f"ball-{n}"] = quaternion(exp_so3([0.05, 2.0, -0.03]))
    return {
        "about": "spatial 3-RRS: three freedoms, springs none, knees damped, load at the platform",
        "mechanism": {"name": "spatial_3rrs", "gravity": [0, 0.5, -9.81], "ground": ground,
                      "links": links + [platform], "joints": joints, "springs": [],
                      "loads": [{"name": "tool", "at": "platform/p1", "in_frame_axes": True}]},
        "home": home, "driven": [(f"hip-{n}", 0) for n in (1, 2, 3)], "unique_reactions": "all"}


def two_arms():
    """Two six-revolute arms hold one object: six freedoms, twelve motors."""
    links, joints, home, poses = [], [], {}, {}
    axes = [Z, Y, Y, X, Y, X]
    lengths = [[0, 0, 0.3], [0.4, 0, 0], [0.35, 0, 0], [0.1, 0, 0], [0.08, 0, 0], [0.06, 0, 0]]
    start = {"left": [0.4, -0.9, 1.3, 0.3, -0.5, 0.2], "right": [0.5, -0.8, 1.2, -0.2, -0.6, -0.1]}
    grips = {"left": ([-0.15, 0, 0], [0.1, 0.2, 0.3]), "right": ([0.15, 0.02, 0], [0.1, -0.1, PI - 0.2])}
    for side in ("left", "right"):
        parent = f"ground/{side}"
        tip, turn = np.zeros(3), np.eye(3)
        for i in range(6):
            turn = turn @ exp_so3(np.array(axes[i]) * start[side][i])
            name = f"{side}-link-{i + 1}"
            size = 2.5 / (i + 1)
            half = np.array(lengths[i]) / 2 + [0, 0.01, 0]
            if i < 5:
                links.append(link(name, size, half, tilted(0.004 * size, 0.02 * size, 0.021 * size, [0.1, 0.1, i * 0.1]),
                                  tip=lengths[i]))
                child = name
            else:
                child = f"object/{side}"
            joints.append(joint(f"{side}-{i + 1}", "revolute", parent, child, axes[i], actuated=[True],
                                damping=[0.05 * (i + 1)]))
            parent = f"{name}/tip"
            tip = tip + turn @ np.array(lengths[i]) * (i < 5)
            home[f"{side}-{i + 1}"] = [start[side][i]]
        grip_turn = exp_so3(grips[side][1])
        turn = turn @ grip_turn.T
        poses[side] = (tip - turn @ np.array(grips[side][0]), turn)  # of the object in the axes of this arm's base
    # The right arm's base stands where its hand meets the object that the left arm holds.
    base_turn = poses["left"][1] @ poses["right"][1].T
    base = poses["left"][0] - base_turn @ poses["right"][0]
    links.append(link("object", 3.0, [0.05, 0.02, 0.01], tilted(0.03, 0.05, 0.06, [0.2, 0.1, 0.3]),
                      **grips))
    return {
        "about": "two six-revolute arms holding one object",
        "mechanism": {"name": "two_arms", "gravity": [0, 0, -9.81],
                      "ground": {"left": frame([0, 0, 0]), "right": frame(base, log_so3(base_turn))}, "links": links,
                      "joints": joints, "springs": [], "loads": [{"name": "press", "at": "object"}]},
        "home": home, "driven": [(f"left-{i}", 0) for i in range(1, 7)], "unique_reactions": "all", "spread": 0.03}


ALL = {
    "khan_3rrr": khan_3rrr, "khan_6ups": khan_6ups,
    "rssr": lambda: spatial_four_bar("rssr", "spherical"), "rsur": lambda: spatial_four_bar("rsur", "universal"),
    "slider_crank": slider_crank, "sarrus": sarrus, "serial_arm": serial_arm, "floating_arm": floating_arm,
    "table_arm": table_arm, "spatial_3rrs": spatial_3rrs, "two_arms": two_arms}
