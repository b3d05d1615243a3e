#!/usr/bin/env python3
"""Makes the meshes of cast-arm.yaml, one in each format that Lithe reads.

Every part is a loft: rounded rectangles set one behind the other along an axis, closed at both ends. Metres.
"""
import json
import math
import struct
from pathlib import Path

FOLDER = Path(__file__).parent
SIDES = 20


def ring(half_width, half_height, roundness):
    """Corners of a rounded rectangle, counter-clockwise: a superellipse; roundness 2 is an ellipse, more is squarer."""
    points = []
    for k in range(SIDES):
        angle = 2 * math.pi * k / SIDES
        c, s = math.cos(angle), math.sin(angle)
        points.append((math.copysign(abs(c) ** (2 / roundness), c) * half_width,
                       math.copysign(abs(s) ** (2 / roundness), s) * half_height))
    return points


def loft(stations, axis, roundness=3.0):
    """Points and outward triangles through (place, half width, half height) along the axis 'x' or 'z'."""
    points, triangles = [], []
    for place, width, height in stations:
        for u, v in ring(width, height, roundness):
            points.append((place, u, v) if axis == "x" else (u, v, place))
    for r in range(len(stations) - 1):
        for k in range(SIDES):
            a, b = r * SIDES + k, r * SIDES + (k + 1) % SIDES
            triangles += [(a, b, b + SIDES), (a, b + SIDES, a + SIDES)]
    for first, turned in ((0, True), ((len(stations) - 1) * SIDES, False)):
        x = [sum(points[first + k][i] for k in range(SIDES)) / SIDES for i in range(3)]
        points.append(tuple(x))
        for k in range(SIDES):
            a, b = first + k, first + (k + 1) % SIDES
            triangles.append((len(points) - 1, b, a) if turned else (len(points) - 1, a, b))
    return points, triangles


def write_stl(name, mesh):
    points, triangles = mesh
    data = b"Lithe, examples/meshes/make_meshes.py".ljust(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *[x for corner in triangle for x in points[corner]], 0)
    (FOLDER / name).write_bytes(data)


def write_obj(name, mesh, unit):
    points, triangles = mesh
    lines = [f"# made by make_meshes.py; unit {unit} m"]
    lines += ["v " + " ".join(f"{x / unit:.3f}" for x in point) for point in points]
    lines += ["f " + " ".join(str(corner + 1) for corner in triangle) for triangle in triangles]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def write_glb(name, parts):
    """Parts with their colours, shares of light (linear)."""
    binary, views, accessors, meshes, materials = b"", [], [], [], []
    for (points, triangles), colour in parts:
        flat = [x for point in points for x in point]
        for data, component, kind, count, more in (
                (struct.pack(f"<{len(flat)}f", *flat), 5126, "VEC3", len(points),
                 {"min": [min(p[i] for p in points) for i in range(3)], "max": [max(p[i] for p in points) for i in range(3)]}),
                (struct.pack(f"<{3 * len(triangles)}H", *[c for t in triangles for c in t]), 5123, "SCALAR", 3 * len(triangles), {})):
            views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
            accessors.append({"bufferView": len(views) - 1, "componentType": component, "type": kind, "count": count, **more})
            binary += data + b"\0" * (-len(data) % 4)
        materials.append({"pbrMetallicRoughness": {"baseColorFactor": [*colour, 1]}})
        meshes.append({"primitives": [{"attributes": {"POSITION": len(accessors) - 2}, "indices": len(accessors) - 1,
                                       "material": len(materials) - 1}]})
    tree = {"asset": {"version": "2.0", "generator": "make_meshes.py"}, "scene": 0, "scenes": [{"nodes": list(range(len(meshes)))}],
            "nodes": [{"mesh": k} for k in range(len(meshes))], "meshes": meshes, "materials": materials,
            "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(binary)}]}
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    (FOLDER / name).write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)


def main():
    # Pedestal: a flange and a foot that narrows; the z axis is that of the waist.
    flange = loft([(0, 0.2, 0.2), (0.03, 0.2, 0.2)], "z", 2.0)
    foot = loft([(0.03, 0.15, 0.15), (0.08, 0.125, 0.125), (0.24, 0.11, 0.11), (0.3, 0.13, 0.13)], "z", 2.0)
    write_glb("pedestal.glb", [(flange, (0.05, 0.05, 0.06)), (foot, (0.16, 0.17, 0.19))])
    # Turret, on top of the pedestal; the shoulder is 0.16 m up.
    write_stl("turret.stl", loft([(0, 0.13, 0.13), (0.06, 0.13, 0.12), (0.1, 0.1, 0.075), (0.16, 0.085, 0.07),
                                  (0.21, 0.06, 0.065), (0.235, 0.03, 0.055)], "z"))
    # Upper arm: along x from the shoulder to the elbow, 0.45 m.
    write_stl("upper-arm.stl", loft([(-0.07, 0.04, 0.035), (-0.05, 0.055, 0.06), (0.0, 0.06, 0.07), (0.08, 0.055, 0.06),
                                     (0.35, 0.045, 0.042), (0.42, 0.05, 0.052), (0.48, 0.05, 0.05), (0.505, 0.035, 0.03)], "x"))
    # Forearm, in millimetres: 0.55 m along x, a cast tube with a thick root.
    write_obj("forearm.obj", loft([(-0.05, 0.03, 0.03), (-0.03, 0.045, 0.048), (0.04, 0.043, 0.045), (0.1, 0.03, 0.03), (0.17, 0.026, 0.026),
                                   (0.24, 0.0245, 0.0245), (0.31, 0.023, 0.023), (0.38, 0.0215, 0.0215), (0.45, 0.02, 0.02),
                                   (0.51, 0.02, 0.02), (0.53, 0.027, 0.027), (0.56, 0.027, 0.027)], "x"), 0.001)


if __name__ == "__main__":
    main()
