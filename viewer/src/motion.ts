// Where the points of a mechanism are at a time, with the deformation drawn at a scale.

import { Quaternion, Vector3 } from 'three';
import { Closing } from './closing';
import { Link, Mode, Result, Scene, unpack } from './contract';

/** Which state of the mechanism is asked for. */
export interface Query {
  t: number;
  /** Deformation as computed is 1; 0 is the rigid twin. */
  scale: number;
  /** A mode added on top, with its amplitude at this instant. */
  mode?: { mode: ModeShape; amplitude: number };
}

/** A mode ready to be drawn: motion of all links per unit amplitude. */
export interface ModeShape {
  name: string;
  frequency: number;
  damping?: number;
  t?: number; // the pose that it belongs to; absent: any
  twists: Float32Array | null; // moving links x 6; null: links stay where they are
  eta: Float32Array; // all elastic coordinates
  largest?: number; // displacement per unit amplitude, m; see largestOf()
}

interface LinkShape {
  link: Link;
  points: Float32Array;
  bent: Float32Array; // the points as they are deformed now, link axes
  shapes: Float32Array | null;
  eta: Float32Array[]; // per coordinate, over time
  firstEta: number; // index in the vector of all elastic coordinates
}

const turn = new Quaternion(), other = new Quaternion(), unit = new Quaternion();
const w = new Vector3();

export class Motion {
  time!: Float32Array;
  scene!: Scene;
  elastic = false;
  modes: ModeShape[] = [];
  /** World places of the points of each link after update(). */
  places: Float32Array[] = [];
  /** Orientation and origin of each link after update(). */
  turns: Quaternion[] = [];
  origins: Vector3[] = [];
  /** Where update() stands between two instants. */
  now = { row: 0, fraction: 0 };
  private shapes: LinkShape[] = [];
  private poses!: Float32Array;
  private rigid: Float32Array | null = null;
  private etaNow = new Float32Array(0);
  private moving = 0;
  private bodies: { place: Vector3; turn: Quaternion }[] = [];
  private closing!: Closing;
  private readonly local = (link: number, point: number, out: Vector3) => out.fromArray(this.shapes[link].bent, 3 * point);

  constructor(result: Result, scene: Scene) { this.adopt(result, scene); }

  /** Another run in place of this one; what is drawn by this motion follows it when the mechanism is the same. */
  adopt(result: Result, scene: Scene): void {
    this.scene = scene;
    this.time = unpack(result.time);
    this.poses = unpack(scene.poses);
    this.rigid = scene.rigid ? unpack(scene.rigid) : null;
    this.moving = scene.links.length - 1;
    const series = new Map(result.series.map((each) => [each.name, each]));
    let count = 0;
    this.shapes = scene.links.map((link) => {
      const shape: LinkShape = {
        link,
        points: Float32Array.from(link.points.flat()),
        bent: Float32Array.from(link.points.flat()),
        shapes: link.shapes ? unpack(link.shapes) : null,
        eta: (link.coordinates ?? []).map((each) => {
          const column = series.get(each.series);
          return column ? unpack(column.values) : new Float32Array(this.time.length);
        }),
        firstEta: count,
      };
      count += shape.eta.length;
      return shape;
    });
    this.elastic = count > 0;
    this.etaNow = new Float32Array(count);
    this.places = scene.links.map((link) => new Float32Array(3 * link.points.length));
    this.turns = scene.links.map(() => new Quaternion());
    this.origins = scene.links.map(() => new Vector3());
    this.bodies = scene.links.map((_, k) => ({ place: this.origins[k], turn: this.turns[k] }));
    this.closing = new Closing(scene);
    this.modes = [...(scene.modes ?? []).map((mode) => this.assembledMode(mode)), ...this.linkModes()];
  }

  get start(): number { return this.time[0]; }
  get end(): number { return this.time[this.time.length - 1]; }

  /** As wide as a line of the picture, m: joints that are open by less look closed. */
  get lineWidth(): number { return this.scene.radius / 250; }
  /** Largest gap between the ends of a joint after update(), m. */
  get opening(): number { return this.closing.opening(this.bodies, this.local); }

  update(query: Query): void {
    this.now = this.instant(query.mode?.mode.t ?? query.t);
    const { row, fraction } = this.now;
    for (let k = 0; k < this.shapes.length; ++k) {
      const shape = this.shapes[k];
      for (let e = 0; e < shape.eta.length; ++e) {
        const values = shape.eta[e];
        let eta = values[row] + fraction * (values[row + 1 < values.length ? row + 1 : row] - values[row]);
        if (query.mode) eta = query.mode.amplitude * query.mode.mode.eta[shape.firstEta + e];
        this.etaNow[shape.firstEta + e] = eta;
      }
      this.poseLink(k, row, fraction, query);
      this.bend(shape, query.mode ? 1 : query.scale);
    }
    if (query.mode || (query.scale !== 0 && query.scale !== 1)) this.closing.close(this.bodies, this.local, this.lineWidth);
    for (let k = 0; k < this.shapes.length; ++k) this.placePoints(k);
  }

  /** Place of one point at a row of the run: as computed, or on the rigid twin. */
  pointAt(row: number, link: number, point: number, rigid: boolean, out: Vector3): Vector3 {
    const shape = this.shapes[link], count = shape.eta.length;
    out.fromArray(shape.points, 3 * point);
    if (!rigid && shape.shapes) {
      for (let e = 0; e < count; ++e) out.addScaledVector(w.fromArray(shape.shapes, 3 * (point * count + e)), shape.eta[e][row]);
    }
    if (link === 0) return out;
    this.pose(rigid && this.rigid ? this.rigid : this.poses, link, row, 0, w, turn);
    return out.applyQuaternion(turn).add(w);
  }

  /** A point as it is deformed now, link axes. */
  bentPoint(link: number, point: number, out: Vector3): Vector3 { return this.local(link, point, out); }

  /** Elastic coordinates of the last update, all links. */
  amplitudes(): Float32Array { return this.etaNow; }

  private instant(t: number): { row: number; fraction: number } {
    const time = this.time;
    if (time.length === 1 || t <= time[0]) return { row: 0, fraction: 0 };
    let low = 0, high = time.length - 1;
    if (t >= time[high]) return { row: high, fraction: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle; else high = middle;
    }
    return { row: low, fraction: (t - time[low]) / (time[high] - time[low]) };
  }

  /** Pose of a link between two instants, from one of the tables. */
  private pose(table: Float32Array, link: number, row: number, fraction: number, place: Vector3, rotation: Quaternion): void {
    const at = 7 * (row * this.moving + link - 1);
    place.set(table[at], table[at + 1], table[at + 2]);
    rotation.set(table[at + 4], table[at + 5], table[at + 6], table[at + 3]);
    const next = at + 7 * this.moving;
    if (fraction === 0 || next >= table.length) return;
    place.x += fraction * (table[next] - place.x);
    place.y += fraction * (table[next + 1] - place.y);
    place.z += fraction * (table[next + 2] - place.z);
    rotation.slerp(other.set(table[next + 4], table[next + 5], table[next + 6], table[next + 3]), fraction);
  }

  private poseLink(k: number, row: number, fraction: number, query: Query): void {
    const rotation = this.turns[k], place = this.origins[k];
    // The mode of a link bends it about the rigid pose; its amplitude is already large enough to be seen.
    const scale = query.mode ? 1 : query.scale;
    if (k === 0) {
      place.set(0, 0, 0);
      rotation.identity();
    } else if (this.rigid && (query.mode || scale !== 1)) {
      // Rigid pose, and the way from there to the computed pose gone `scale` times: loops stay closed to first order.
      this.pose(this.rigid, k, row, fraction, place, rotation);
      if (!query.mode && scale !== 0) {
        this.pose(this.poses, k, row, fraction, w, turn);
        place.addScaledVector(w.sub(place), scale);
        turn.multiply(other.copy(rotation).invert());
        scaleRotation(turn, scale);
        rotation.premultiply(turn);
      }
    } else {
      this.pose(this.poses, k, row, fraction, place, rotation);
    }
    if (query.mode?.mode.twists && k > 0) {
      const at = 6 * (k - 1), table = query.mode.mode.twists, amplitude = query.mode.amplitude;
      place.addScaledVector(w.set(table[at + 3], table[at + 4], table[at + 5]), amplitude);
      w.set(table[at], table[at + 1], table[at + 2]).multiplyScalar(amplitude);
      const angle = w.length();
      if (angle > 0) rotation.premultiply(turn.setFromAxisAngle(w.divideScalar(angle), angle));
    }
  }

  private bend(shape: LinkShape, scale: number): void {
    const count = shape.eta.length, { points, shapes, bent } = shape;
    if (!shapes) return;
    bent.set(points);
    if (scale === 0) return;
    for (let p = 0; p < points.length; p += 3) {
      for (let e = 0; e < count; ++e) {
        const at = p * count + 3 * e, eta = scale * this.etaNow[shape.firstEta + e];
        bent[p] += shapes[at] * eta;
        bent[p + 1] += shapes[at + 1] * eta;
        bent[p + 2] += shapes[at + 2] * eta;
      }
    }
  }

  private placePoints(k: number): void {
    const { bent } = this.shapes[k], out = this.places[k], rotation = this.turns[k], place = this.origins[k];
    for (let p = 0; p < bent.length; p += 3) {
      w.set(bent[p], bent[p + 1], bent[p + 2]).applyQuaternion(rotation);
      out[p] = w.x + place.x;
      out[p + 1] = w.y + place.y;
      out[p + 2] = w.z + place.z;
    }
  }

  private assembledMode(mode: Mode): ModeShape {
    return { name: mode.name, frequency: mode.frequency, damping: mode.damping, t: mode.t, twists: unpack(mode.twists), eta: unpack(mode.elastic) };
  }

  /** Each elastic coordinate of each link by itself, where it is a mode of the link. */
  private linkModes(): ModeShape[] {
    const modes: ModeShape[] = [];
    for (const shape of this.shapes) {
      (shape.link.coordinates ?? []).forEach((coordinate, e) => {
        const eta = new Float32Array(this.etaNow.length);
        eta[shape.firstEta + e] = 1;
        const name = `${shape.link.name}: ${coordinate.name || `coordinate ${e + 1}`}`;
        modes.push({ name, frequency: coordinate.frequency, twists: null, eta });
      });
    }
    return modes;
  }

  /** How far a mode moves some point per unit amplitude, m. Found when it is asked for: few modes are ever looked at. */
  largestOf(mode: ModeShape): number {
    if (mode.largest !== undefined) return mode.largest;
    const t = mode.t ?? this.start, probe = 1e-3;
    this.update({ t, scale: 0 });
    const before = this.places.map((each) => each.slice());
    this.update({ t, scale: 0, mode: { mode, amplitude: probe } });
    mode.largest = 0;
    this.places.forEach((places, k) => {
      for (let p = 0; p < places.length; p += 3) {
        const shift = Math.hypot(places[p] - before[k][p], places[p + 1] - before[k][p + 1], places[p + 2] - before[k][p + 2]);
        mode.largest = Math.max(mode.largest!, shift / probe);
      }
    });
    return mode.largest;
  }
}

/** q to the power of `scale`, through its rotation vector: the angle may pass pi. */
function scaleRotation(q: Quaternion, scale: number): void {
  if (q.w < 0) q.set(-q.x, -q.y, -q.z, -q.w);
  const sine = Math.hypot(q.x, q.y, q.z);
  if (sine < 1e-12) {
    q.copy(unit);
    return;
  }
  const half = Math.atan2(sine, q.w) * scale, factor = Math.sin(half) / sine;
  q.set(q.x * factor, q.y * factor, q.z * factor, Math.cos(half));
}
