// Many bars between moving points, in two draw calls: skins with the cross sections of the bars, and balls that close round
// ends and corners. Bars that continue each other share the ring between them, so that a bent beam has no cracks.

import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial,
  SphereGeometry, Vector3,
} from 'three';
import { Motion } from './motion';
import { Ring } from './profiles';
import { sight } from './theme';

export interface Segment {
  a: { link: number; point: number };
  b: { link: number; point: number };
  ring: Ring;
  across?: Vector3; // y axis of the ring, axes of link a
  way?: Vector3; // undeformed direction, axes of link a: bars that run on in each other are joined
  colour: Color;
  line?: number; // index among the lines of link a, for its paint
}

/** Colour at an end (0 or 1) of a line of a link; null: that of the link. */
export type Paint = (link: number, line: number, end: number) => Color | null;

/** A segment with what follows from its neighbours. */
interface Piece extends Segment {
  before: number; // the piece that ends where this one starts and runs on in it, or -1
  after: number;
  first: number; // vertex
  capA: number; // first vertex of its caps, or -1
  capB: number;
}

const d = new Vector3(), u = new Vector3(), n = new Vector3(), from = new Vector3(), to = new Vector3();
const matrix = new Matrix4(), straight = 0.9; // cosine

const keyOf = (end: { link: number; point: number }) => `${end.link} ${end.point}`;

export class Bars extends Group {
  private readonly pieces: Piece[];
  private readonly ways: Float32Array; // direction of each piece now
  private readonly positions: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly colours: BufferAttribute;
  private readonly ends: { link: number; point: number; radius: number; colour: Color; line?: number; end: number }[] = [];
  private readonly balls: InstancedMesh;

  constructor(segments: Segment[], opacity: number) {
    super();
    this.pieces = chained(segments);
    this.ways = new Float32Array(3 * segments.length);
    const index: number[] = [];
    let count = 0;
    for (const piece of this.pieces) {
      const size = piece.ring.vertices.length;
      piece.first = count;
      count += 2 * size;
      for (const [k, l] of piece.ring.sides) {
        const a = piece.first + k, b = piece.first + l;
        index.push(a, b, a + size, b, b + size, a + size);
      }
      for (const end of ['capA', 'capB'] as const) {
        if (piece.ring.caps.length === 0 || piece[end === 'capA' ? 'before' : 'after'] >= 0) continue;
        piece[end] = count;
        for (const [k, l, m] of piece.ring.caps) index.push(count + k, count + (end === 'capB' ? l : m), count + (end === 'capB' ? m : l));
        count += size;
      }
    }
    const attribute = () => new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    this.positions = attribute();
    this.normals = attribute();
    this.colours = attribute();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('color', this.colours);
    geometry.setIndex(index);
    const ghostly = opacity < 1;
    const look = { roughness: 0.55, metalness: 0.1, ...sight(opacity) };
    const skins = new Mesh(geometry, new MeshStandardMaterial({ ...look, vertexColors: true }));
    skins.frustumCulled = false;
    skins.visible = count > 0; // what has nothing to draw wants a program all the same
    this.add(skins);
    this.balls = this.makeBalls(ghostly, look);
    this.paint();
  }

  private makeBalls(ghostly: boolean, look: object): InstancedMesh {
    const seen = new Map<string, number>(), uses = new Map<string, number>();
    for (const { a, b } of this.pieces) for (const end of [a, b]) uses.set(keyOf(end), (uses.get(keyOf(end)) ?? 0) + 1);
    for (const piece of this.pieces) {
      if (!piece.ring.round) continue;
      for (const end of [piece.a, piece.b]) {
        const key = keyOf(end), known = seen.get(key);
        if ((end === piece.a ? piece.before : piece.after) >= 0) continue;
        // Balls inside bars that are seen through would look like beads.
        if (ghostly && uses.get(key) !== 1) continue;
        if (known === undefined) {
          seen.set(key, this.ends.length);
          this.ends.push({ ...end, radius: piece.ring.reach, colour: piece.colour, line: piece.line, end: end === piece.a ? 0 : 1 });
        } else {
          this.ends[known].radius = Math.min(this.ends[known].radius, piece.ring.reach);
        }
      }
    }
    const balls = new InstancedMesh(new SphereGeometry(1, 10, 6), new MeshStandardMaterial(look), this.ends.length);
    balls.frustumCulled = false;
    balls.visible = this.ends.length > 0;
    this.ends.forEach(({ colour }, k) => balls.setColorAt(k, colour));
    this.add(balls);
    return balls;
  }

  /** The colours of the links, or those of a paint where it has one. */
  paint(paint?: Paint): void {
    for (const piece of this.pieces) {
      for (const end of [0, 1]) {
        const colour = (piece.line !== undefined && paint?.(piece.a.link, piece.line, end)) || piece.colour;
        this.paintEnd(piece, end, colour);
      }
    }
    this.colours.needsUpdate = true;
    this.ends.forEach(({ link, line, end, colour }, k) => {
      this.balls.setColorAt(k, (line !== undefined && paint?.(link, line, end)) || colour);
    });
    if (this.balls.instanceColor) this.balls.instanceColor.needsUpdate = true;
  }

  private paintEnd(piece: Piece, end: number, colour: Color): void {
    const size = piece.ring.vertices.length, { array } = this.colours;
    for (const first of [piece.first + end * size, end === 0 ? piece.capA : piece.capB]) {
      if (first >= 0) for (let k = 3 * first; k < 3 * (first + size); k += 3) colour.toArray(array, k);
    }
  }

  /** Places of the last motion.update(). */
  follow(motion: Motion): void {
    this.pieces.forEach(({ a, b }, k) => {
      d.fromArray(motion.places[b.link], 3 * b.point).sub(from.fromArray(motion.places[a.link], 3 * a.point));
      if (d.lengthSq() > 0) d.normalize(); else d.set(0, 0, 1);
      d.toArray(this.ways, 3 * k);
    });
    this.pieces.forEach((piece, k) => {
      from.fromArray(motion.places[piece.a.link], 3 * piece.a.point);
      to.fromArray(motion.places[piece.b.link], 3 * piece.b.point);
      this.ringAt(motion, piece, k, piece.before, from, piece.first, piece.capA, -1);
      this.ringAt(motion, piece, k, piece.after, to, piece.first + piece.ring.vertices.length, piece.capB, 1);
    });
    this.positions.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.ends.forEach((end, k) => {
      const places = motion.places[end.link];
      matrix.makeScale(end.radius, end.radius, end.radius);
      matrix.setPosition(places[3 * end.point], places[3 * end.point + 1], places[3 * end.point + 2]);
      this.balls.setMatrixAt(k, matrix);
    });
    this.balls.instanceMatrix.needsUpdate = true;
  }

  /** One end of a piece: its ring stands halfway between the directions of the piece and of the next one. */
  private ringAt(motion: Motion, piece: Piece, k: number, next: number, place: Vector3, first: number, cap: number, sign: number): void {
    d.fromArray(this.ways, 3 * k);
    const steep = Math.abs(d.x) < 0.7; // the same at both ends: a round ring that jumps would pinch the bar
    if (next >= 0) {
      d.set(d.x + this.ways[3 * next], d.y + this.ways[3 * next + 1], d.z + this.ways[3 * next + 2]);
      if (d.lengthSq() > 1e-6) d.normalize(); else d.fromArray(this.ways, 3 * k);
    }
    if (piece.across) u.copy(piece.across).applyQuaternion(motion.turns[piece.a.link]);
    else u.set(steep ? 1 : 0, steep ? 0 : 1, 0).cross(d);
    u.addScaledVector(d, -u.dot(d));
    if (u.lengthSq() < 1e-12) u.set(d.y, d.z, d.x).cross(d);
    u.normalize();
    n.crossVectors(d, u);
    const position = this.positions.array, normal = this.normals.array, { vertices } = piece.ring;
    for (let v = 0; v < vertices.length; ++v) {
      const [y, z, ny, nz] = vertices[v], i = 3 * (first + v);
      position[i] = place.x + y * u.x + z * n.x;
      position[i + 1] = place.y + y * u.y + z * n.y;
      position[i + 2] = place.z + y * u.z + z * n.z;
      normal[i] = ny * u.x + nz * n.x;
      normal[i + 1] = ny * u.y + nz * n.y;
      normal[i + 2] = ny * u.z + nz * n.z;
      if (cap < 0) continue;
      const c = 3 * (cap + v);
      for (let axis = 0; axis < 3; ++axis) position[c + axis] = position[i + axis];
      normal[c] = sign * d.x;
      normal[c + 1] = sign * d.y;
      normal[c + 2] = sign * d.z;
    }
  }
}

/** Finds for every segment the one that it continues: same link, same kind of ring, no third one at the point between. */
function chained(segments: Segment[]): Piece[] {
  const starts = new Map<string, number[]>(), ends = new Map<string, number[]>();
  const note = (map: Map<string, number[]>, key: string, k: number) => map.set(key, [...(map.get(key) ?? []), k]);
  segments.forEach((segment, k) => {
    note(starts, keyOf(segment.a), k);
    note(ends, keyOf(segment.b), k);
  });
  const next = (key: string, segment: Segment, of: Map<string, number[]>) => {
    const [here, there] = [starts.get(key) ?? [], ends.get(key) ?? []];
    if (here.length !== 1 || there.length !== 1) return -1;
    const other = of.get(key)![0], same = segments[other];
    const runsOn = segment.way && same.way && segment.a.link === same.a.link && segment.way.dot(same.way) > straight;
    return runsOn && same.ring.round === segment.ring.round ? other : -1;
  };
  return segments.map((segment) => ({
    ...segment, before: next(keyOf(segment.a), segment, ends), after: next(keyOf(segment.b), segment, starts), first: 0, capA: -1, capB: -1,
  }));
}
