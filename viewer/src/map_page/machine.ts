// Where the points of the mechanism are at a drawn point of the map, at rest or in a natural mode.

import { Scene, Triple, Turn, unpack } from '../contract';
import type { MapData } from './contract';

const largestSwing = 0.09; // of the radius of the picture

function multiply(a: Turn, b: Turn): Turn {
  return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
}

/** Turn about a vector by its length. */
function turnBy(v: Triple): Turn {
  const angle = Math.hypot(...v), part = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), v[0] * part, v[1] * part, v[2] * part];
}

export function turned([w, x, y, z]: Turn, v: Triple): Triple {
  const t: Triple = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

export interface Body {
  place: Triple;
  turn: Turn;
}

export class Machine {
  /** Bodies of all links (ground first) and places of their points after pose(). */
  readonly bodies: Body[];
  readonly points: Triple[][];
  private readonly poses: Float32Array;
  private readonly shapes: (Float32Array | null)[];
  private readonly firstEta: number[] = [];
  private readonly etas: number;
  private readonly twists: Float32Array;
  private readonly elastic: Float32Array;

  constructor(readonly scene: Scene, private readonly modes: MapData['modes']) {
    this.poses = unpack(scene.poses);
    this.shapes = scene.links.map((link) => (link.shapes ? unpack(link.shapes) : null));
    let count = 0;
    for (const link of scene.links) {
      this.firstEta.push(count);
      count += link.coordinates?.length ?? 0;
    }
    this.etas = count;
    this.twists = modes ? unpack(modes.twists) : new Float32Array(0);
    this.elastic = modes ? unpack(modes.elastic) : new Float32Array(0);
    this.bodies = scene.links.map(() => ({ place: [0, 0, 0], turn: [1, 0, 0, 0] }));
    this.points = scene.links.map((link) => link.points.map((point) => [...point] as Triple));
  }

  /** Whether the shape of a mode (index among the columns of modes) is known at a drawn point. */
  knows(drawn: number, mode: number): boolean {
    const at = this.twistAt(drawn, mode);
    return at < this.twists.length && !Number.isNaN(this.twists[at]);
  }

  /** Puts the mechanism into the pose of a drawn point; in a mode, `swing` from -1 to 1 of the size for the eye. */
  pose(drawn: number, mode = -1, swing = 0): void {
    const swings = mode >= 0 && this.knows(drawn, mode);
    this.move(drawn, swings ? mode : -1, swings ? swing * this.amplitude(drawn, mode) : 0);
  }

  private twistAt(drawn: number, mode: number): number { return (drawn * (this.modes?.columns.length ?? 0) + mode) * 6 * (this.scene.links.length - 1); }

  private move(drawn: number, mode: number, amplitude: number): void {
    const { scene, bodies } = this, moving = scene.links.length - 1, twist = this.twistAt(drawn, mode);
    for (let l = 1; l <= moving; ++l) {
      const at = 7 * (drawn * moving + l - 1), p = this.poses, body = bodies[l];
      body.place = [p[at], p[at + 1], p[at + 2]];
      body.turn = [p[at + 3], p[at + 4], p[at + 5], p[at + 6]];
      if (amplitude === 0) continue;
      const w = this.twists.subarray(twist + 6 * (l - 1), twist + 6 * l);
      body.turn = multiply(turnBy([amplitude * w[0], amplitude * w[1], amplitude * w[2]]), body.turn);
      body.place = [body.place[0] + amplitude * w[3], body.place[1] + amplitude * w[4], body.place[2] + amplitude * w[5]];
    }
    scene.links.forEach((link, l) => link.points.forEach((point, k) => (this.points[l][k] = this.bent(l, k, point, drawn, mode, amplitude))));
  }

  /** To first order in the amplitude, as modes are: what a joint holds together stays together however far the mode swings. */
  private bent(l: number, k: number, point: Triple, drawn: number, mode: number, amplitude: number): Triple {
    if (l === 0) return [...point];
    const moving = this.scene.links.length - 1, at = 7 * (drawn * moving + l - 1), p = this.poses;
    const turn = [p[at + 3], p[at + 4], p[at + 5], p[at + 6]] as Body['turn'], arm = turned(turn, point);
    const rest: Triple = [arm[0] + p[at], arm[1] + p[at + 1], arm[2] + p[at + 2]];
    if (amplitude === 0) return rest;
    const shapes = this.shapes[l], count = this.scene.links[l].coordinates?.length ?? 0, bend: Triple = [0, 0, 0];
    const first = (drawn * this.modes!.columns.length + mode) * this.etas + this.firstEta[l];
    for (let e = 0; shapes && e < count; ++e)
      for (let axis = 0; axis < 3; ++axis) bend[axis] += this.elastic[first + e] * shapes[3 * (k * count + e) + axis];
    const start = this.twistAt(drawn, mode) + 6 * (l - 1), [wx, wy, wz, vx, vy, vz] = this.twists.subarray(start, start + 6), own = turned(turn, bend);
    return [
      rest[0] + amplitude * (vx + wy * arm[2] - wz * arm[1] + own[0]),
      rest[1] + amplitude * (vy + wz * arm[0] - wx * arm[2] + own[1]),
      rest[2] + amplitude * (vz + wx * arm[1] - wy * arm[0] + own[2]),
    ];
  }

  /** So that the point that goes farthest goes as far as reads well. */
  private amplitude(drawn: number, mode: number): number {
    this.move(drawn, -1, 0);
    const rest = this.points.map((list) => list.map((point) => [...point] as Triple)), small = 1e-4;
    this.move(drawn, mode, small);
    let largest = 0;
    this.points.forEach((list, l) => list.forEach((point, k) => {
      largest = Math.max(largest, Math.hypot(point[0] - rest[l][k][0], point[1] - rest[l][k][1], point[2] - rest[l][k][2]) / small);
    }));
    return largest > 0 ? (largestSwing * this.scene.radius) / largest : 0;
  }
}
