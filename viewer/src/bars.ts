// Many round bars between moving points, in two draw calls: tubes, and balls that close their ends and bends.

import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial,
  SphereGeometry, Vector3,
} from 'three';
import { Motion } from './motion';

export interface Segment {
  a: { link: number; point: number };
  b: { link: number; point: number };
  radius: number; // m, as drawn
  colour: Color;
  line?: number; // index among the lines of link a, for its axial force
}

const sides = 10;
const circle = Array.from({ length: sides }, (_, k) => [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides)]);
const d = new Vector3(), u = new Vector3(), n = new Vector3(), from = new Vector3(), to = new Vector3();
const matrix = new Matrix4(), tension = new Color('#d0443b'), pressure = new Color('#2f6fd6'), calm = new Color('#c9ced4');
const mixed = new Color();

export class Bars extends Group {
  private readonly positions: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly colours: BufferAttribute;
  private readonly ends: { link: number; point: number; radius: number }[] = [];
  private readonly balls: InstancedMesh;
  readonly material: MeshStandardMaterial;

  constructor(private readonly segments: Segment[], opacity: number) {
    super();
    const count = segments.length * 2 * sides;
    const attribute = () => new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    this.positions = attribute();
    this.normals = attribute();
    this.colours = attribute();
    const index: number[] = [];
    segments.forEach((_, s) => {
      for (let k = 0; k < sides; ++k) {
        const a = 2 * sides * s + k, b = 2 * sides * s + ((k + 1) % sides);
        index.push(a, b, a + sides, b, b + sides, a + sides);
      }
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('color', this.colours);
    geometry.setIndex(index);
    const ghostly = opacity < 1;
    this.material = new MeshStandardMaterial({
      vertexColors: true, roughness: 0.55, metalness: 0.1, transparent: ghostly, opacity, depthWrite: !ghostly,
    });
    const tubes = new Mesh(geometry, this.material);
    tubes.frustumCulled = false;
    this.add(tubes);
    this.balls = this.makeBalls(ghostly, opacity);
    this.paint();
  }

  private makeBalls(ghostly: boolean, opacity: number): InstancedMesh {
    const seen = new Map<string, number>(), colours: Color[] = [], uses = new Map<string, number>();
    const keyOf = (end: { link: number; point: number }) => `${end.link} ${end.point}`;
    for (const { a, b } of this.segments) for (const end of [a, b]) uses.set(keyOf(end), (uses.get(keyOf(end)) ?? 0) + 1);
    for (const segment of this.segments) {
      for (const end of [segment.a, segment.b]) {
        const key = keyOf(end), known = seen.get(key);
        // Balls inside bars that are seen through would look like beads.
        if (ghostly && uses.get(key) !== 1) continue;
        if (known === undefined) {
          seen.set(key, this.ends.length);
          this.ends.push({ ...end, radius: segment.radius });
          colours.push(segment.colour);
        } else {
          this.ends[known].radius = Math.min(this.ends[known].radius, segment.radius);
        }
      }
    }
    const material = new MeshStandardMaterial({
      roughness: 0.55, metalness: 0.1, transparent: ghostly, opacity, depthWrite: !ghostly,
    });
    const balls = new InstancedMesh(new SphereGeometry(1, 12, 8), material, this.ends.length);
    balls.frustumCulled = false;
    colours.forEach((colour, k) => balls.setColorAt(k, colour));
    this.add(balls);
    return balls;
  }

  private paint(): void {
    this.segments.forEach((segment, s) => this.paintSegment(s, segment.colour));
    this.colours.needsUpdate = true;
  }

  private paintSegment(s: number, colour: Color): void {
    for (let k = 0; k < 2 * sides; ++k) this.colours.setXYZ(2 * sides * s + k, colour.r, colour.g, colour.b);
  }

  /** Places of the last motion.update(); with `largestForce` the bars show their axial force. */
  follow(motion: Motion, largestForce = 0): void {
    this.segments.forEach((segment, s) => {
      const a = motion.places[segment.a.link], b = motion.places[segment.b.link];
      from.fromArray(a, 3 * segment.a.point);
      to.fromArray(b, 3 * segment.b.point);
      d.subVectors(to, from);
      if (d.lengthSq() > 0) d.normalize(); else d.set(0, 0, 1);
      u.set(Math.abs(d.x) < 0.7 ? 1 : 0, Math.abs(d.x) < 0.7 ? 0 : 1, 0).cross(d).normalize();
      n.crossVectors(d, u);
      for (let k = 0; k < sides; ++k) {
        const [c, sn] = circle[k];
        const x = c * u.x + sn * n.x, y = c * u.y + sn * n.y, z = c * u.z + sn * n.z, r = segment.radius;
        const i = 2 * sides * s + k;
        this.positions.setXYZ(i, from.x + r * x, from.y + r * y, from.z + r * z);
        this.positions.setXYZ(i + sides, to.x + r * x, to.y + r * y, to.z + r * z);
        this.normals.setXYZ(i, x, y, z);
        this.normals.setXYZ(i + sides, x, y, z);
      }
      if (largestForce > 0 && segment.line !== undefined) {
        const force = motion.forces[segment.a.link]?.[segment.line] ?? NaN;
        if (!Number.isNaN(force)) this.paintSegment(s, forceColour(force / largestForce));
      }
    });
    this.positions.needsUpdate = true;
    this.normals.needsUpdate = true;
    if (largestForce > 0) this.colours.needsUpdate = true;
    this.ends.forEach((end, k) => {
      const places = motion.places[end.link];
      matrix.makeScale(end.radius, end.radius, end.radius);
      matrix.setPosition(places[3 * end.point], places[3 * end.point + 1], places[3 * end.point + 2]);
      this.balls.setMatrixAt(k, matrix);
    });
    this.balls.instanceMatrix.needsUpdate = true;
  }

  /** Back to the colours of the links. */
  unpaint(): void { this.paint(); }
}

/** Red in tension, blue in compression; `share` from -1 to 1. */
export function forceColour(share: number): Color {
  const amount = Math.sqrt(Math.min(1, Math.abs(share)));
  return mixed.copy(calm).lerp(share > 0 ? tension : pressure, amount);
}
