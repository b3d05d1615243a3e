// Paths of frames through the whole run, and a dot where the frame is now.

import { Color, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { Motion } from './motion';

const enlarged = 8000; // instants times links
const unseen = 2e-4; // of the radius of the picture, less than a tenth of a pixel
const start = new Vector3(), way = new Vector3(), place = new Vector3();

export class Traces extends Group {
  private lines: { link: number; point: number; geometry: LineGeometry; line: Line2; dot: Mesh }[] = [];
  private readonly material: LineMaterial;
  private readonly ball: SphereGeometry;
  private readonly look: MeshBasicMaterial;
  private drawnScale = NaN;

  /** `points`: link and point of the frames. */
  constructor(private readonly motion: Motion, points: [number, number][], colour: Color) {
    super();
    this.material = new LineMaterial({ color: colour.getHex(), linewidth: 2, transparent: true, opacity: 0.85 });
    this.ball = new SphereGeometry(0.012 * motion.scene.radius, 16, 12);
    this.look = new MeshBasicMaterial({ color: colour });
    this.choose(points);
  }

  /** Which points leave a trace from now on. */
  choose(points: [number, number][]): void {
    for (const { geometry, line, dot } of this.lines) {
      geometry.dispose();
      this.remove(line, dot);
    }
    this.lines = points.map(([link, point]) => {
      const geometry = new LineGeometry(), dot = new Mesh(this.ball, this.look), line = new Line2(geometry, this.material);
      line.frustumCulled = false;
      this.add(line, dot);
      return { link, point, geometry, line, dot };
    });
    this.drawnScale = NaN;
  }

  /** The motion is another one: the paths are drawn anew. */
  renew(): void { this.drawnScale = NaN; }

  resize(width: number, height: number): void { this.material.resolution.set(width, height); }

  /** Draws the paths anew when the scale has changed, then moves the dots; `t` is restored in the motion. */
  follow(t: number, scale: number): void {
    if (this.lines.length === 0) return;
    if (scale !== this.drawnScale) {
      this.drawnScale = scale;
      // An enlarged mechanism is closed anew at every instant: fewer of them, so that the slider stays quick.
      const { length } = this.motion.time, few = Math.ceil(enlarged / this.motion.scene.links.length);
      const count = scale === 1 ? length : Math.min(few, length);
      const time = Array.from({ length: count }, (_, k) => this.motion.time[Math.round((k * (length - 1)) / Math.max(1, count - 1))]);
      const paths = this.lines.map(() => new Float32Array(3 * count));
      for (let k = 0; k < count; ++k) {
        this.motion.update({ t: time[k], scale });
        this.lines.forEach(({ link, point }, i) => {
          const places = this.motion.places[link];
          for (let axis = 0; axis < 3; ++axis) paths[i][3 * k + axis] = places[3 * point + axis];
        });
      }
      this.lines.forEach(({ geometry }, i) => {
        if (count > 1) geometry.setPositions(straightened(paths[i], unseen * this.motion.scene.radius));
      });
      this.motion.update({ t, scale });
    }
    for (const { link, point, dot } of this.lines) dot.position.fromArray(this.motion.places[link], 3 * point);
  }
}

/**
 * A path without the points that nobody would miss: those nearer than `allowed` to the line between the ones that stay (Douglas and Peucker).
 * What is drawn costs time for every piece.
 */
export function straightened(path: Float32Array, allowed: number): Float32Array {
  const count = path.length / 3, kept = new Uint8Array(count), open: [number, number][] = [[0, count - 1]];
  kept[0] = kept[count - 1] = 1;
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span;
    let farthest = -1, most = allowed;
    start.fromArray(path, 3 * first);
    way.fromArray(path, 3 * last).sub(start);
    for (let k = first + 1; k < last; ++k) {
      place.fromArray(path, 3 * k).sub(start);
      const share = way.lengthSq() > 0 ? Math.min(Math.max(place.dot(way) / way.lengthSq(), 0), 1) : 0, away = place.addScaledVector(way, -share).length();
      if (away > most) [farthest, most] = [k, away];
    }
    if (farthest < 0) continue;
    kept[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return path.filter((_, k) => kept[Math.floor(k / 3)] === 1);
}
