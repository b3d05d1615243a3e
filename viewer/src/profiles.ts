// Cross sections of bars as rings of vertices: round, rectangular, I.

import { Profile } from './contract';

export interface Ring {
  vertices: [y: number, z: number, normalY: number, normalZ: number][]; // m; y along `across`
  sides: [number, number][]; // vertices joined by a strip, seen from outside counter-clockwise about the axis
  caps: [number, number, number][]; // triangles that close an end
  round: boolean;
  reach: number; // largest distance from the axis, m
}

/** Fewer `edges` do for what is only a few pixels thick: without a graphics card every corner takes its time. */
export function roundRing(radius: number, edges = 10): Ring {
  const vertices = Array.from({ length: edges }, (_, k): Ring['vertices'][0] => {
    const c = Math.cos((2 * Math.PI * k) / edges), s = Math.sin((2 * Math.PI * k) / edges);
    return [radius * c, radius * s, c, s];
  });
  return { vertices, sides: vertices.map((_, k) => [k, (k + 1) % edges]), caps: [], round: true, reach: radius };
}

/** Flat sides: every corner has a vertex for each of its two sides. */
function cornered(corners: [number, number][], triangles: [number, number, number][]): Ring {
  const vertices: Ring['vertices'] = [], sides: [number, number][] = [];
  corners.forEach(([y, z], k) => {
    const [y1, z1] = corners[(k + 1) % corners.length], length = Math.hypot(y1 - y, z1 - z);
    const ny = (z1 - z) / length, nz = -(y1 - y) / length;
    sides.push([vertices.length, vertices.length + 1]);
    vertices.push([y, z, ny, nz], [y1, z1, ny, nz]);
  });
  const caps = triangles.map((corner) => corner.map((k) => 2 * k) as [number, number, number]);
  return { vertices, sides, caps, round: false, reach: Math.max(...corners.map(([y, z]) => Math.hypot(y, z))) };
}

/** The ring of a section; one that would be too thin to be seen grows as a whole until it reaches `least` from the axis. */
export function ringOf(profile: Profile, least: number): Ring {
  const [first, second, web, flange] = profile.size;
  if (profile.kind === 'circle' || profile.kind === 'tube') return roundRing(Math.max(first, least));
  const grown = Math.max(1, least / (0.5 * Math.max(first, second))), seen = 0.75 * least; // a strip is seen from its edge, too
  const rectangle = profile.kind === 'rectangle', h = Math.max(0.5 * first * grown, rectangle ? seen : 0), w = Math.max(0.5 * second * grown, rectangle ? seen : 0);
  if (rectangle) return cornered([[h, -w], [h, w], [-h, w], [-h, -w]], [[0, 1, 2], [0, 2, 3]]);
  const b = 0.5 * web * grown, f = h - flange * grown;
  return cornered(
    [[h, -w], [h, w], [f, w], [f, b], [-f, b], [-f, w], [-h, w], [-h, -w], [-f, -w], [-f, -b], [f, -b], [f, -w]],
    [[0, 1, 2], [0, 2, 11], [10, 3, 4], [10, 4, 9], [8, 5, 6], [8, 6, 7]],
  );
}
