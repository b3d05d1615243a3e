// One mechanism on the stage: its bars, solids, meshes, faces, joints, slides, springs and machine elements, following a motion.

import { Color, Group, Vector3 } from 'three';
import { Bars, Paint, Segment } from './bars';
import { Elements } from './elements';
import { Faces, isSpoked } from './faces';
import { Joints } from './joints';
import { Meshes } from './meshes';
import { Motion } from './motion';
import { Motors } from './motors';
import { ringOf, roundRing } from './profiles';
import { Sizes } from './sizes';
import { Slides } from './slides';
import { Solids } from './solids';
import { Springs } from './springs';
import { Palette } from './theme';
import { tonesOf } from './tones';

export interface Look {
  /** Instead of the colours of the links: a result laid over another one, or a ghost. */
  tint?: Color;
  opacity: number;
  joints: boolean;
}

const ghostEdges = 7, thinEdges = 6;

interface Part extends Group {
  follow(motion: Motion): void;
}

export class Figure extends Group {
  private readonly bars: Bars;
  private readonly faces: Faces[];
  private readonly parts: Part[];
  private readonly meshes: Meshes;
  private painted = false;

  constructor(readonly motion: Motion, palette: Palette, look: Look) {
    super();
    const { scene } = motion, sizes = new Sizes(scene), all = (colour: Color) => scene.links.map(() => colour);
    const tones = look.tint ? all(look.tint) : tonesOf(scene, palette);
    motion.update({ t: motion.start, scale: 1 });
    this.bars = new Bars(segmentsOf(motion, sizes, palette, look, tones), look.opacity);
    this.faces = [
      new Faces(motion, false, all(look.tint ?? palette.plate), 0.4 * look.opacity),
      new Faces(motion, true, tones, look.opacity < 1 ? 0.4 * look.opacity : 1),
    ];
    this.meshes = new Meshes(motion, palette, look.tint, look.opacity < 1 ? 0.5 * look.opacity : 1);
    this.parts = [this.meshes, new Solids(motion, sizes, tones, look.opacity < 1 ? 0.5 * look.opacity : 1)];
    if (look.joints) {
      const motors = new Motors(motion, sizes, palette);
      this.parts.push(new Springs(motion, palette.spring), new Joints(motion, sizes, palette, motors), new Slides(motion, sizes, palette, motors),
        motors, new Elements(motion, sizes, palette));
    }
    this.add(this.bars, ...this.faces, ...this.parts);
  }

  /** After motion.update(). */
  follow(paint?: Paint): void {
    if (paint || this.painted) {
      this.bars.paint(paint);
      this.meshes.paint(this.motion, paint);
    }
    this.painted = paint !== undefined;
    this.bars.follow(this.motion);
    for (const faces of this.faces) faces.follow(this.motion);
    for (const part of this.parts) part.follow(this.motion);
  }
}

function segmentsOf(motion: Motion, sizes: Sizes, palette: Palette, look: Look, tones: Color[]): Segment[] {
  const scene = motion.scene, segments: Segment[] = [], edges = look.opacity < 0.5 ? ghostEdges : undefined;
  scene.links.forEach((link, k) => {
    const colour = link.coordinates && !look.tint ? palette.elastic : tones[k];
    if (link.meshes) return; // they show it
    link.lines.forEach(([a, b, radius, section], line) => {
      const profile = section === undefined ? undefined : link.profiles?.[section];
      const ring = profile ? ringOf(profile, sizes.thin) : roundRing(sizes.barRadius(radius) * (isSpoked(link) ? 0.5 : 1), edges);
      const across = profile && !ring.round ? new Vector3(...profile.across) : undefined;
      const way = link.coordinates ? new Vector3(...link.points[b]).sub(new Vector3(...link.points[a])).normalize() : undefined;
      segments.push({ a: { link: k, point: a }, b: { link: k, point: b }, ring, across, way, colour, line });
    });
  });
  if (look.joints) return segments;
  // Without symbols a line stands for what slides, for springs and ropes.
  const line = (a: Segment['a'], b: Segment['b'], colour: Color) => segments.push({ a, b, ring: roundRing(sizes.thin, thinEdges), colour });
  for (const joint of scene.joints) {
    if ((joint.type === 'prismatic' || joint.type === 'cylindrical') && joint.from.link > 0) line(joint.from, joint.to, look.tint ?? palette.motor);
  }
  for (const { a, b } of scene.springs) line({ link: a[0], point: a[1] }, { link: b[0], point: b[1] }, look.tint ?? palette.spring);
  for (const { through } of scene.ropes ?? []) {
    for (let k = 1; k < through.length; ++k) {
      line({ link: through[k - 1][0], point: through[k - 1][1] }, { link: through[k][0], point: through[k][1] }, look.tint ?? palette.joint);
    }
  }
  return segments;
}
