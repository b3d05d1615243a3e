// Meshes that say what links look like. On a rigid link they move as they are; on an elastic one every vertex is held by the place of
// the centre lines that is nearest to it: it shifts with that place and turns with the tangent there, as the drawn sections do.

import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3,
} from 'three';
import { Paint } from './bars';
import { Link, LinkMesh, unpackBytes } from './contract';
import { Motion } from './motion';
import { Palette, sight } from './theme';

/** The mesh as it is unpacked: points in link axes, and which of them the triangles join. */
interface Surface {
  points: Float32Array;
  corners: Uint16Array | Uint32Array;
}

/** Where a vertex of a bending mesh is held. */
interface Hold {
  line: Int32Array; // of the link
  share: Float32Array; // of the way along it
}

interface Part {
  mesh: Mesh;
  link: number;
  surface: Surface;
  normals: Float32Array; // per corner, undeformed
  hold: Hold | null; // null: a rigid link
  colour: Color;
  places: Float32Array; // of the points now, link axes
  quaternions: Float32Array; // by which they are turned now
}

const crease = Math.cos((40 * Math.PI) / 180), steps = 65535;
const a = new Vector3(), b = new Vector3(), c = new Vector3(), n = new Vector3(), offset = new Vector3(), way = new Vector3();
const turn = new Quaternion();

export function surfaceOf(mesh: LinkMesh): Surface {
  const numbers = new Uint16Array(unpackBytes(mesh.points)), points = new Float32Array(numbers.length);
  for (let k = 0; k < numbers.length; ++k) points[k] = mesh.low[k % 3] + (mesh.size[k % 3] * numbers[k]) / steps;
  const bytes = unpackBytes(mesh.triangles);
  return { points, corners: mesh.wide ? new Uint32Array(bytes) : new Uint16Array(bytes) };
}

/** The eight corners of the box around a mesh, link axes. */
export function boxCorners(mesh: LinkMesh): Vector3[] {
  return Array.from({ length: 8 }, (_, k) => new Vector3(...mesh.low.map((low, axis) => low + (k & (1 << axis) ? mesh.size[axis] : 0)) as [number, number, number]));
}

/** Per corner the mean normal of those triangles around it that do not stand across an edge. */
function creasedNormals({ points, corners }: Surface): Float32Array {
  const triangles = corners.length / 3, flat = new Float32Array(corners.length), around: number[][] = Array.from({ length: points.length / 3 }, () => []);
  for (let t = 0; t < triangles; ++t) {
    a.fromArray(points, 3 * corners[3 * t]);
    b.fromArray(points, 3 * corners[3 * t + 1]).sub(a);
    c.fromArray(points, 3 * corners[3 * t + 2]).sub(a);
    n.crossVectors(b, c).toArray(flat, 3 * t); // as long as twice the area: large triangles count more
    for (let k = 0; k < 3; ++k) around[corners[3 * t + k]].push(t);
  }
  const normals = new Float32Array(3 * corners.length);
  for (let k = 0; k < corners.length; ++k) {
    a.fromArray(flat, 3 * Math.floor(k / 3)).normalize();
    n.set(0, 0, 0);
    for (const t of around[corners[k]]) {
      b.fromArray(flat, 3 * t);
      if (b.dot(a) >= crease * b.length()) n.add(b);
    }
    n.normalize().toArray(normals, 3 * k);
  }
  return normals;
}

/** The nearest place on the centre lines for every point; nothing where the link does not bend. */
function holdOf(link: Link, points: Float32Array): Hold | null {
  if (!link.coordinates || link.lines.length === 0) return null;
  const count = points.length / 3, hold: Hold = { line: new Int32Array(count), share: new Float32Array(count) };
  const starts = link.lines.map(([from]) => new Vector3(...link.points[from]));
  const ways = link.lines.map(([from, to]) => new Vector3(...link.points[to]).sub(new Vector3(...link.points[from])));
  for (let k = 0; k < count; ++k) {
    let nearest = Infinity;
    a.fromArray(points, 3 * k);
    ways.forEach((along, line) => {
      b.copy(a).sub(starts[line]);
      const share = Math.min(1, Math.max(0, b.dot(along) / Math.max(along.lengthSq(), 1e-30)));
      const away = b.addScaledVector(along, -share).lengthSq();
      if (away >= nearest) return;
      nearest = away;
      hold.line[k] = line;
      hold.share[k] = share;
    });
  }
  return hold;
}

/** How the tangents of the centre lines of an elastic link turn as it bends. */
export class BentAxis {
  private readonly ways: Vector3[]; // undeformed tangents at the points, link axes
  readonly turns: Quaternion[]; // of the tangents at the points, now, link axes

  constructor(private readonly link: Link) {
    this.ways = this.tangents((point, out) => out.set(...link.points[point]));
    this.turns = this.ways.map(() => new Quaternion());
  }

  /** Mean direction of the lines at each point. */
  private tangents(place: (point: number, out: Vector3) => Vector3): Vector3[] {
    const sums = this.link.points.map(() => new Vector3());
    for (const [from, to] of this.link.lines) {
      place(to, way).sub(place(from, offset)).normalize();
      sums[from].add(way);
      sums[to].add(way);
    }
    return sums.map((sum) => (sum.lengthSq() > 1e-12 ? sum.normalize() : sum.set(1, 0, 0)));
  }

  /** After motion.update(). */
  update(place: (point: number, out: Vector3) => Vector3): void {
    this.tangents(place).forEach((now, k) => this.turns[k].setFromUnitVectors(this.ways[k], now));
  }
}

export class Meshes extends Group {
  private readonly parts: Part[] = [];
  private readonly axes = new Map<number, BentAxis>();

  constructor(motion: Motion, palette: Palette, tint: Color | undefined, opacity: number) {
    super();
    motion.scene.links.forEach((link, k) => {
      for (const mesh of link.meshes ?? []) {
        const surface = surfaceOf(mesh), normals = creasedNormals(surface), hold = holdOf(link, surface.points);
        const plain = k === 0 ? palette.ground : link.coordinates ? palette.elastic : palette.rigid;
        const colour = tint ?? (mesh.colour ? new Color(mesh.colour) : plain);
        const part: Part = {
          mesh: new Mesh(geometryOf(surface, normals), lookOf(colour, hold !== null, opacity)), link: k, surface, normals, hold, colour, places: new Float32Array(surface.points.length), quaternions: new Float32Array((4 * surface.points.length) / 3),
        };
        part.mesh.frustumCulled = false;
        part.mesh.name = `mesh of ${link.name}`;
        if (hold && !this.axes.has(k)) this.axes.set(k, new BentAxis(link));
        this.parts.push(part);
        this.add(part.mesh);
        if (hold) paintPart(part, motion.scene.links[k], undefined);
      }
    });
  }

  paint(motion: Motion, paint: Paint | undefined): void {
    for (const part of this.parts) if (part.hold) paintPart(part, motion.scene.links[part.link], paint);
  }

  follow(motion: Motion): void {
    for (const [link, axis] of this.axes) axis.update((point, out) => motion.bentPoint(link, point, out));
    for (const part of this.parts) {
      part.mesh.position.copy(motion.origins[part.link]);
      part.mesh.quaternion.copy(motion.turns[part.link]);
      if (part.hold) this.bend(part, part.hold, motion);
    }
  }

  /** Vertices at the shifted and turned places of the centre lines, link axes. */
  private bend({ mesh, link, surface, normals, places, quaternions }: Part, hold: Hold, motion: Motion): void {
    const { points, corners } = surface, { lines, points: still } = motion.scene.links[link], { turns } = this.axes.get(link)!;
    for (let k = 0; k < hold.line.length; ++k) {
      const [from, to] = lines[hold.line[k]], share = hold.share[k];
      turn.copy(turns[from]).slerp(turns[to], share).toArray(quaternions, 4 * k);
      a.set(...still[from]).lerp(b.set(...still[to]), share); // the place on the line, undeformed
      offset.fromArray(points, 3 * k).sub(a).applyQuaternion(turn);
      motion.bentPoint(link, from, a).lerp(motion.bentPoint(link, to, b), share).add(offset).toArray(places, 3 * k);
    }
    const position = mesh.geometry.getAttribute('position') as BufferAttribute, normal = mesh.geometry.getAttribute('normal') as BufferAttribute;
    for (let k = 0; k < corners.length; ++k) {
      const point = corners[k];
      for (let axis = 0; axis < 3; ++axis) position.array[3 * k + axis] = places[3 * point + axis];
      n.fromArray(normals, 3 * k).applyQuaternion(turn.fromArray(quaternions, 4 * point)).toArray(normal.array, 3 * k);
    }
    position.needsUpdate = normal.needsUpdate = true;
  }
}

function geometryOf({ points, corners }: Surface, normals: Float32Array): BufferGeometry {
  const positions = new Float32Array(3 * corners.length);
  for (let k = 0; k < corners.length; ++k) for (let axis = 0; axis < 3; ++axis) positions[3 * k + axis] = points[3 * corners[k] + axis];
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
  geometry.setAttribute('normal', new BufferAttribute(normals.slice(), 3).setUsage(DynamicDrawUsage));
  return geometry;
}

function lookOf(colour: Color, painted: boolean, opacity: number): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color: painted ? new Color(1, 1, 1) : colour, vertexColors: painted, roughness: 0.6, metalness: 0.1, ...sight(opacity),
  });
}

/** Colours of stress and forces run on from the centre lines to the mesh around them. */
function paintPart({ mesh, surface, hold, colour, link }: Part, { lines }: Link, paint: Paint | undefined): void {
  const { corners } = surface, known = mesh.geometry.getAttribute('color') as BufferAttribute | undefined;
  const colours = known ?? new BufferAttribute(new Float32Array(3 * corners.length), 3).setUsage(DynamicDrawUsage);
  const ends = lines.map((_, line) => [0, 1].map((end) => paint?.(link, line, end)?.clone() ?? colour)), mixed = new Color();
  for (let k = 0; k < corners.length; ++k) {
    const [from, to] = ends[hold!.line[corners[k]]];
    mixed.copy(from).lerp(to, hold!.share[corners[k]]).toArray(colours.array, 3 * k);
  }
  colours.needsUpdate = true;
  if (!known) mesh.geometry.setAttribute('color', colours);
}
