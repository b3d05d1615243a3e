"""Tapered tube with a payload at its tip, clamped at its root: CalculiX solid model.

Writes tapered_tube.json: the geometry, the lowest frequencies and the static tip deflection on the finest of MESHES, and
the same numbers on each of them, so that one sees how far they are converged. `--check` compares the coarsest mesh with
its record instead. The payload is a rigid body on the end face: a mass at the centre of the face.
"""
import json
import math
import os
import sys

import calculix

LENGTH = 1.2  # m
ROOT_RADIUS, TIP_RADIUS = 0.05, 0.025  # outer, m
THICKNESS = 0.004  # m
YOUNG, POISSON, DENSITY = 70e9, 0.33, 2700.0
PAYLOAD = 1.5  # kg
FORCE = 100.0  # N, at the tip, across
MESHES = ((24, 12, 1), (48, 24, 1), (96, 48, 1), (96, 48, 2))  # bricks along, around, through the wall
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tapered_tube.json")


def outer(x):
    return ROOT_RADIUS + (TIP_RADIUS - ROOT_RADIUS) * x / LENGTH


def mesh(along, around, through):
    solid = calculix.SolidMesh()
    for i in range(along):
        for j in range(around):
            for k in range(through):
                def place(a, b, c):
                    x = LENGTH * (2 * i + 1 + a) / (2 * along)
                    angle = 2 * math.pi * ((2 * j + 1 + c) % (2 * around)) / (2 * around)
                    r = outer(x) - THICKNESS * (1 - (2 * k + 1 + b) / (2 * through))
                    return x, r * math.cos(angle), r * math.sin(angle)
                solid.brick(place)
    return solid


def solve(along, around, through):
    solid = mesh(along, around, through)
    deck = solid.input("C3D20R", (YOUNG, POISSON, DENSITY))
    deck += calculix.node_set("ROOT", solid.where(lambda x, y, z: abs(x) < 1e-9))
    deck += calculix.node_set("TIP", solid.where(lambda x, y, z: abs(x - LENGTH) < 1e-9))
    reference, turning = len(solid.nodes) + 1, len(solid.nodes) + 2
    deck += ["*NODE, NSET=LOAD", "%d, %g, 0, 0" % (reference, LENGTH), "*NODE, NSET=TURN", "%d, %g, 0, 0" % (turning, LENGTH),
             "*RIGID BODY, NSET=TIP, REF NODE=%d, ROT NODE=%d" % (reference, turning),
             "*ELEMENT, TYPE=MASS, ELSET=PAYLOAD", "%d, %d" % (len(solid.bricks) + 1, reference),
             "*MASS, ELSET=PAYLOAD", "%g" % PAYLOAD, "*BOUNDARY", "ROOT, 1, 3"]
    static = deck + ["*STEP", "*STATIC", "*CLOAD", "%d, 2, %g" % (reference, FORCE), "*NODE PRINT, NSET=LOAD", "U", "*END STEP"]
    modal = deck + ["*STEP", "*FREQUENCY", "8", "*END STEP"]
    text = calculix.run(static, ["dat"])["dat"]
    row = [line.split() for line in text.splitlines() if line.split()[:1] == [str(reference)]][0]
    hertz = calculix.frequencies(calculix.run(modal, ["dat"])["dat"])
    return {"mesh": [along, around, through], "tip_deflection": float(row[2]), "frequencies_hz": hertz}


def answers(result):
    return result["frequencies_hz"] + [result["tip_deflection"]]


if __name__ == "__main__":
    if "--check" in sys.argv:
        with open(FILE) as f:
            recorded = json.load(f)["convergence"][0]
        for a, b in zip(answers(recorded), answers(solve(*MESHES[0]))):
            assert abs(a / b - 1) < 1e-4, (a, b)
    else:
        convergence = [solve(*m) for m in MESHES]
        finest = convergence[-1]
        result = {"length": LENGTH, "root_radius": ROOT_RADIUS, "tip_radius": TIP_RADIUS, "thickness": THICKNESS,
                  "young": YOUNG, "poisson": POISSON, "density": DENSITY, "payload": PAYLOAD, "force": FORCE,
                  "tip_deflection": finest["tip_deflection"], "frequencies_hz": finest["frequencies_hz"],
                  "convergence": convergence}
        with open(FILE, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
        for step in convergence:
            print(step["mesh"], " ".join("%+.2e" % (a / b - 1) for a, b in zip(answers(step), answers(finest))))
