"""Solid models for CalculiX (ccx): what the oracles of elastic links share. Needs the Debian package calculix-ccx."""
import os
import re
import subprocess
import tempfile


class SolidMesh:
    """Nodes and 20-node bricks; a node exists once however often it is named by its place."""

    def __init__(self):
        self.nodes = []  # (x, y, z)
        self.bricks = []  # twenty node numbers, from 1
        self._number = {}

    def node(self, x, y, z):
        key = tuple(round(c, 9) for c in (x, y, z))
        if key not in self._number:
            self.nodes.append((x, y, z))
            self._number[key] = len(self.nodes)
        return self._number[key]

    def brick(self, place):
        """place(a, b, c) gives the coordinates of the local point (a, b, c), each in {-1, 0, 1}."""
        corner = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
        edge = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
        local = list(corner)
        for i, j in edge:
            local.append(tuple((corner[i][k] + corner[j][k]) // 2 for k in range(3)))
        self.bricks.append([self.node(*place(*p)) for p in local])

    def where(self, test):
        return [i + 1 for i, p in enumerate(self.nodes) if test(*p)]

    def input(self, kind, material):
        """Deck up to the material: young, poisson, density."""
        lines = ["*NODE, NSET=NALL"]
        lines += ["%d, %.12g, %.12g, %.12g" % (i + 1, *p) for i, p in enumerate(self.nodes)]
        lines.append("*ELEMENT, TYPE=%s, ELSET=EALL" % kind)
        for i, b in enumerate(self.bricks):
            lines.append("%d, " % (i + 1) + ", ".join(str(n) for n in b[:10]) + ",")
            lines.append(", ".join(str(n) for n in b[10:]))
        lines += ["*MATERIAL, NAME=M", "*ELASTIC", "%g, %g" % material[:2], "*DENSITY", "%g" % material[2],
                  "*SOLID SECTION, ELSET=EALL, MATERIAL=M"]
        return lines


def node_set(name, numbers):
    lines = ["*NSET, NSET=%s" % name]
    lines += [", ".join(str(n) for n in numbers[i:i + 8]) for i in range(0, len(numbers), 8)]
    return lines


def run(deck, wanted):
    """Runs ccx on the deck (list of lines); returns the text of the files with the wanted endings."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "job.inp"), "w") as f:
            f.write("\n".join(deck) + "\n")
        done = subprocess.run(["ccx", "-i", "job"], cwd=folder, capture_output=True, text=True,
                              env=dict(os.environ, OMP_NUM_THREADS="1"))
        texts = {}
        for ending in wanted:
            path = os.path.join(folder, "job." + ending)
            if not os.path.exists(path):
                raise SystemExit("ccx wrote no .%s:\n%s" % (ending, done.stdout[-3000:]))
            with open(path) as f:
                texts[ending] = f.read()
        return texts


def frequencies(dat):
    """Hz, from the eigenvalue table of a .dat file: columns number, w^2, w, Hz, imaginary part."""
    table = dat.split("E I G E N V A L U E   O U T P U T")[1].split("P A R T I C I P A T I O N")[0]
    rows = re.findall(r"^\s+\d+\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$", table, re.M)
    return [float(r[2]) for r in rows]
