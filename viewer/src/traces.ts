// Paths of frames through the whole run, and a dot where the frame is now.

import { Color, Group, Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { Motion } from './motion';

export class Traces extends Group {
  private readonly lines: { link: number; point: number; geometry: LineGeometry; dot: Mesh }[] = [];
  private readonly material: LineMaterial;
  private drawnScale = NaN;

  constructor(private readonly motion: Motion, frames: [number, number][], colour: Color) {
    super();
    this.material = new LineMaterial({ color: colour.getHex(), linewidth: 2, transparent: true, opacity: 0.85 });
    const ball = new SphereGeometry(0.014 * motion.scene.radius, 16, 12), look = new MeshBasicMaterial({ color: colour });
    for (const [link, frame] of frames) {
      const geometry = new LineGeometry(), dot = new Mesh(ball, look), line = new Line2(geometry, this.material);
      line.frustumCulled = false;
      this.add(line, dot);
      this.lines.push({ link, point: motion.scene.links[link].frames[frame].point, geometry, dot });
    }
  }

  resize(width: number, height: number): void { this.material.resolution.set(width, height); }

  /** Draws the paths anew when the scale has changed, then moves the dots; `t` is restored in the motion. */
  follow(t: number, scale: number): void {
    if (this.lines.length === 0) return;
    if (scale !== this.drawnScale) {
      this.drawnScale = scale;
      const time = this.motion.time, paths = this.lines.map(() => new Float32Array(3 * time.length));
      for (let k = 0; k < time.length; ++k) {
        this.motion.update({ t: time[k], scale });
        this.lines.forEach(({ link, point }, i) => {
          const places = this.motion.places[link];
          for (let axis = 0; axis < 3; ++axis) paths[i][3 * k + axis] = places[3 * point + axis];
        });
      }
      this.lines.forEach(({ geometry }, i) => {
        if (time.length > 1) geometry.setPositions(paths[i]);
      });
      this.motion.update({ t, scale });
    }
    for (const { link, point, dot } of this.lines) dot.position.fromArray(this.motion.places[link], 3 * point);
  }
}
