// One mechanism on the stage: its bars, faces and joints, following a motion.

import { Color, Group } from 'three';
import { Bars, Segment } from './bars';
import { Faces } from './faces';
import { Joints, notAbove } from './joints';
import { Motion } from './motion';
import { Palette } from './theme';

export interface Look {
  /** Instead of the colours of the links: a result laid over another one, or a ghost. */
  tint?: Color;
  opacity: number;
  joints: boolean;
}

export class Figure extends Group {
  private readonly bars: Bars;
  private readonly faces: Faces[];
  private readonly joints: Joints | null;
  private coloured = false;

  constructor(readonly motion: Motion, palette: Palette, look: Look) {
    super();
    this.bars = new Bars(segmentsOf(motion, palette, look.tint), look.opacity);
    this.faces = [
      new Faces(motion, false, look.tint ?? palette.plate, 0.4 * look.opacity),
      new Faces(motion, true, look.tint ?? palette.rigid, look.opacity < 1 ? 0.4 * look.opacity : 1),
    ];
    this.joints = look.joints ? new Joints(motion, palette) : null;
    this.add(this.bars, ...this.faces);
    if (this.joints) this.add(this.joints);
  }

  /** After motion.update(). */
  follow(largestForce: number): void {
    if (this.coloured && largestForce === 0) this.bars.unpaint();
    this.coloured = largestForce > 0;
    this.bars.follow(this.motion, largestForce);
    for (const faces of this.faces) faces.follow(this.motion);
    this.joints?.follow(this.motion);
  }
}

function segmentsOf(motion: Motion, palette: Palette, tint?: Color): Segment[] {
  const scene = motion.scene, segments: Segment[] = [];
  const thin = 0.004 * scene.radius, thick = 0.03 * scene.radius, unknown = notAbove(0.07, scene, 0.009, 0.004);
  scene.links.forEach((link, k) => {
    const colour = tint ?? (link.coordinates ? palette.elastic : palette.rigid);
    link.lines.forEach(([a, b, radius], line) => {
      const drawn = radius > 0 ? Math.min(Math.max(radius, thin), thick) : unknown;
      segments.push({ a: { link: k, point: a }, b: { link: k, point: b }, radius: drawn, colour, line });
    });
  });
  for (const joint of scene.joints) {
    if (joint.type !== 'prismatic' && joint.type !== 'cylindrical') continue;
    segments.push({ a: joint.from, b: joint.to, radius: 0.006 * scene.radius, colour: tint ?? palette.motor });
  }
  for (const spring of scene.springs) {
    const end = ([link, point]: [number, number]) => ({ link, point });
    segments.push({ a: end(spring.a), b: end(spring.b), radius: thin, colour: tint ?? palette.spring });
  }
  return segments;
}
