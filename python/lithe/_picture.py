"""A mechanism as a small static picture (SVG), from the scene that the report page draws (docs/report.md)."""

import base64
import html

import numpy as np

WIDTH, HEIGHT, MARGIN = 420, 320, 26  # pixels
LINK, DRIVEN, JOINT, TRACE = "#4878a8", "#e08030", "#707070", "#b05080"


def floats(text):
    """Numbers of a report: 32-bit floats in base64."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(float)


def _rotations(quaternions):
    """Matrices (n, 3, 3) of quaternions w, x, y, z (n, 4)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _unit(vector):
    vector = np.asarray(vector, dtype=float)
    return vector / np.linalg.norm(vector)


class Scene:
    """Places of everything that is drawn, at any recorded instant."""

    def __init__(self, result):
        self.data = result["scene"]
        self.links = self.data["links"]
        moving = max(len(self.links) - 1, 1)
        self.poses = floats(self.data["poses"]).reshape(-1, moving, 7)
        self.rotations = _rotations(self.poses[:, :, 3:])
        series = {each["name"]: each["values"] for each in result["series"]}
        self.amplitudes = [
            [floats(series[each["series"]]) if each["series"] in series else None for each in link.get("coordinates", [])]
            for link in self.links
        ]
        self.project = self._camera()

    @property
    def instants(self):
        return len(self.poses)

    def _camera(self):
        """From places (n, 3) to the plane of the picture (n, 2): straight onto planar mechanisms, else from a corner."""
        up = _unit(self.data["up"])
        if self.data["planar"]:
            towards = _unit(self.data["normal"])
        else:
            aside = _unit(np.cross(up, [0.0, 0.0, 1.0] if abs(up[2]) < 0.9 else [1.0, 0.0, 0.0]))
            towards = _unit(0.8 * aside + 0.55 * np.cross(up, aside) + 0.45 * up)
        right = _unit(np.cross(up, towards))
        return lambda places: np.asarray(places) @ np.column_stack([right, np.cross(towards, right)])

    def placed(self, link, points, instant):
        """Points in link axes (n, 3) as places in ground axes."""
        points = np.asarray(points, dtype=float).reshape(-1, 3)
        if link == 0:
            return points
        pose = self.poses[instant, link - 1]
        return points @ self.rotations[instant, link - 1].T + pose[:3]

    def points(self, link, instant):
        """All points of a link, bent."""
        points = np.array(self.links[link]["points"], dtype=float).reshape(-1, 3)
        amplitudes = self.amplitudes[link]
        if amplitudes and "shapes" in self.links[link] and all(each is not None for each in amplitudes):
            shapes = floats(self.links[link]["shapes"]).reshape(len(points), len(amplitudes), 3)
            points = points + np.einsum("pcx,c->px", shapes, [each[instant] for each in amplitudes])
        return self.placed(link, points, instant)

    def end(self, link, point, instant):
        return self.points(link, instant)[point]


def _hull(points):
    """Convex hull of points in the plane, around."""
    points = sorted(set(map(tuple, np.round(points, 9))))
    if len(points) < 3:
        return points

    def half(ordered):
        chain = []
        for point in ordered:
            while len(chain) > 1 and np.cross(np.subtract(chain[-1], chain[-2]), np.subtract(point, chain[-2])) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return half(points) + half(points[::-1])


def _in_link(solid, points):
    """Points in the axes of a solid as points in those of its link."""
    turn = _rotations(np.array(solid["turn"], dtype=float)[None])[0]
    return np.asarray(points, dtype=float) @ turn.T + np.array(solid["centre"])


def _round_radius(solid):
    """Of a cylinder or a sphere (m); 0: not known."""
    return min(solid["size"][:2]) / 2


def _solid_points(solid):
    """Points whose hull a box, a thick cylinder or a sphere is, in link axes."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    if solid["kind"] == "box":
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return _in_link(solid, corners * solid["size"] / 2)
    radius = _round_radius(solid)
    if solid["kind"] == "cylinder":  # along z
        circle = radius * np.column_stack([np.cos(turn), np.sin(turn)])
        ends = [np.column_stack([circle, np.full(24, side * solid["size"][2] / 2)]) for side in (-1, 1)]
        return _in_link(solid, np.vstack(ends))
    rings = np.linspace(-np.pi / 2, np.pi / 2, 9)
    sphere = [[np.cos(r) * np.cos(a), np.cos(r) * np.sin(a), np.sin(r)] for r in rings for a in turn]
    return _in_link(solid, radius * np.array(sphere))


class _Drawing:
    """Shapes in the plane; scaled when all of them are known."""

    def __init__(self):
        self.shapes = []

    def add(self, kind, points, **style):
        points = np.asarray(points, dtype=float).reshape(-1, 2)
        if len(points) and np.isfinite(points).all():
            self.shapes.append((kind, points, style))

    def svg(self, title):
        if not self.shapes:
            return ""
        everything = np.vstack([points for _, points, _ in self.shapes])
        low, high = everything.min(axis=0), everything.max(axis=0)
        inside = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
        scale = (inside / np.maximum(high - low, 1e-9 * max(1.0, np.abs(everything).max()))).min()
        middle = (low + high) / 2

        def placed(points):
            return (points - middle) * scale * [1, -1] + [WIDTH / 2, HEIGHT / 2]

        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{html.escape(title)}</title>'
        ]
        for kind, points, style in self.shapes:
            at = placed(points)
            text = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
            width = max(style.get("width", 1.0), 2 * style.get("radius", 0.0) * scale)
            opacity = f' opacity="{style["opacity"]}"' if "opacity" in style else ""
            if kind == "line":
                dash = f' stroke-dasharray="{style["dash"]}"' if "dash" in style else ""
                parts.append(
                    f'<polyline points="{text}" fill="none" stroke="{style["colour"]}" stroke-width="{width:.1f}" '
                    f'stroke-linecap="round" stroke-linejoin="round"{dash}{opacity}/>'
                )
            elif kind == "area":
                parts.append(
                    f'<polygon points="{text}" fill="{style["colour"]}" fill-opacity="0.25" '
                    f'stroke="{style["colour"]}" stroke-width="1.2"{opacity}/>'
                )
            elif kind == "foot":
                x, y = at[0]
                lines = "".join(f"M{x + d:.1f},{y + 9:.1f}l-4,5" for d in (-6, 0, 6))
                parts.append(
                    f'<path d="M{x:.1f},{y:.1f}l-7,9h14z{lines}" fill="none" stroke="{JOINT}" stroke-width="1.2"/>'
                )
            else:
                x, y = at[0]
                parts.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{style.get("size", 3.5)}" fill="{style["colour"]}" '
                    f'stroke="white" stroke-width="1"><title>{html.escape(style.get("name", ""))}</title></circle>'
                )
        return "".join(parts) + "</svg>"


def _chains(lines):
    """Lines [from, to, radius, ...] of a link, those that go on from each other joined."""
    chain, radius = [], 0.0
    for first, second, thick, *_ in lines:
        if chain and (chain[-1] != first or thick != radius):
            yield chain, radius
            chain = []
        chain = chain or [first]
        chain.append(second)
        radius = thick
    if chain:
        yield chain, radius


def _draw_links(scene, drawing, instant, **style):
    for index, link in enumerate(scene.links):
        if index == 0:
            continue
        points = scene.project(scene.points(index, instant))
        for face in link.get("faces", []):
            drawing.add("area", points[face], colour=LINK, **style)
        for solid in link.get("solids") or []:
            length = solid["size"][2]
            if solid["kind"] == "cylinder" and _round_radius(solid) < 0.2 * length:
                ends = _in_link(solid, [[0, 0, -length / 2], [0, 0, length / 2]])
                ends = scene.project(scene.placed(index, ends, instant))
                drawing.add("line", ends, colour=LINK, width=4, radius=_round_radius(solid), **style)
                continue
            hull = _hull(scene.project(scene.placed(index, _solid_points(solid), instant)))
            drawing.add("area", hull, colour=LINK, **style)
        for chain, radius in _chains(link.get("lines", [])):
            drawing.add("line", points[chain], colour=LINK, width=4, radius=radius, **style)


def picture(result, title):
    """SVG of the last instant of a result of a report, with the start as a ghost and the paths of traced frames."""
    if not result.get("scene"):
        return ""
    scene = Scene(result)
    if scene.instants == 0:
        return ""
    last = scene.instants - 1
    drawing = _Drawing()
    if last > 0:
        _draw_links(scene, drawing, 0, opacity=0.25)
        steps = np.unique(np.linspace(0, last, 300).astype(int))
        for link, frame in scene.data["traced"]:
            point = scene.links[link]["frames"][frame]["point"]
            path = [scene.end(link, point, k) for k in steps]
            drawing.add("line", scene.project(path), colour=TRACE, width=1.2)
    for joint in scene.data["joints"]:
        end = joint["from"]
        if end["link"] == 0:
            drawing.add("foot", scene.project(scene.end(0, end["point"], last)[None]))
    _draw_links(scene, drawing, last)
    for spring in scene.data["springs"]:
        ends = [scene.end(*spring[side], last) for side in ("a", "b")]
        drawing.add("line", scene.project(ends), colour=JOINT, width=1.6, dash="4 3")
    for rope in scene.data.get("ropes", []):
        drawing.add("line", scene.project([scene.end(*each, last) for each in rope["through"]]), colour=JOINT, width=1.2)
    for joint in scene.data["joints"]:
        place = scene.end(joint["to"]["link"], joint["to"]["point"], last)
        colour = DRIVEN if joint["actuated"] else JOINT
        drawing.add("dot", scene.project(place[None]), colour=colour, name=joint["name"])
    return drawing.svg(title)
