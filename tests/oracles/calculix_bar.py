"""A short bar of four 20-node bricks, exported by CalculiX: matrices for the import of elastic links.

Writes tests/data/calculix-bar: mass.mtx and stiffness.mtx (MatrixMarket), nodes.txt, and answers.json with what CalculiX
finds for the same mesh: frequencies of the free bar and of the bar clamped at its left face. C3D20 integrates the mass
matrix fully, so it is positive definite; C3D20R does not. `--check` compares the frequencies instead of writing.
"""
import json
import os
import sys

import calculix

LENGTH, HEIGHT, WIDTH = 0.4, 0.03, 0.02  # m, along x, y, z
BRICKS = 4
MATERIAL = (70e9, 0.33, 2700.0)  # young, poisson, density
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "calculix-bar")
EDGES = [(0, 8), (8, 1), (1, 9), (9, 2), (2, 10), (10, 3), (3, 11), (11, 0), (4, 12), (12, 5), (5, 13), (13, 6), (6, 14),
         (14, 7), (7, 15), (15, 4), (0, 16), (16, 4), (1, 17), (17, 5), (2, 18), (18, 6), (3, 19), (19, 7)]


def mesh():
    solid = calculix.SolidMesh()
    for i in range(BRICKS):
        solid.brick(lambda a, b, c: (LENGTH * (2 * i + 1 + a) / (2 * BRICKS), HEIGHT * b / 2, WIDTH * c / 2))
    return solid


def market(text, size):
    entries = [line.split() for line in text.splitlines()]
    kept = [(max(int(i), int(j)), min(int(i), int(j)), v) for i, j, v in entries if float(v) != 0.0]
    lines = ["%%MatrixMarket matrix coordinate real symmetric", "%d %d %d" % (size, size, len(kept))]
    return "\n".join(lines + ["%d %d %s" % e for e in kept]) + "\n"


def solve():
    solid = mesh()
    deck = solid.input("C3D20", MATERIAL)
    left = calculix.node_set("LEFT", solid.where(lambda x, y, z: abs(x) < 1e-9))
    modal = ["*STEP", "*FREQUENCY", "12", "*END STEP"]
    free = calculix.frequencies(calculix.run(deck + modal, ["dat"])["dat"])
    clamped = calculix.frequencies(calculix.run(deck + left + ["*BOUNDARY", "LEFT, 1, 3"] + modal, ["dat"])["dat"])
    return solid, deck, {"length": LENGTH, "height": HEIGHT, "width": WIDTH, "young": MATERIAL[0], "poisson": MATERIAL[1],
                         "density": MATERIAL[2], "free_hz": [f for f in free if f > 1.0], "clamped_hz": clamped,
                         "left": solid.where(lambda x, y, z: abs(x) < 1e-9),
                         "right": solid.where(lambda x, y, z: abs(x - LENGTH) < 1e-9)}


def write(solid, deck, answers):
    texts = calculix.run(deck + ["*STEP", "*FREQUENCY, SOLVER=MATRIXSTORAGE", "10", "*END STEP"], ["sti", "mas", "dof"])
    rows = [row.split(".") for row in texts["dof"].split()]
    os.makedirs(FOLDER, exist_ok=True)
    for name, ending in (("stiffness", "sti"), ("mass", "mas")):
        with open(os.path.join(FOLDER, name + ".mtx"), "w") as f:
            f.write(market(texts[ending], len(rows)))
    lines = ["# bar of four C3D20 bricks, from tests/oracles/calculix_bar.py", "nodes"]
    lines += ["%d %.12g %.12g %.12g" % (i + 1, *p) for i, p in enumerate(solid.nodes)]
    lines += ["rows"] + ["%s %s" % (node, "xyz"[int(direction) - 1]) for node, direction in rows]
    edges = sorted({tuple(sorted((brick[a], brick[b]))) for brick in solid.bricks for a, b in EDGES})
    lines += ["lines"] + ["%d %d" % edge for edge in edges]
    with open(os.path.join(FOLDER, "nodes.txt"), "w") as f:
        f.write("\n".join(lines) + "\n")
    with open(os.path.join(FOLDER, "answers.json"), "w") as f:
        json.dump(answers, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    solid, deck, answers = solve()
    if "--check" in sys.argv:
        with open(os.path.join(FOLDER, "answers.json")) as f:
            recorded = json.load(f)
        for key in ("free_hz", "clamped_hz"):
            for a, b in zip(recorded[key], answers[key]):
                assert abs(a / b - 1) < 1e-5, (key, a, b)
    else:
        write(solid, deck, answers)
    print(json.dumps(answers))
