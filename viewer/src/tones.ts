// Shades of rigid links: neighbours differ, so that a boom is told from its stick where both are boxes; what nothing holds has a colour of its own.

import { Color } from 'three';
import { Scene } from './contract';
import { Palette } from './theme';

const lighter = new Color(1, 1, 1), darker = new Color(0, 0, 0);

/** Which shade each link has: 0, 1, 2, ...; -1: a body that nothing holds, such as a payload. */
export function shadesOf(scene: Scene): number[] {
  const near: number[][] = scene.links.map(() => []), shades: number[] = scene.links.map(() => -1);
  for (const { type, from, to } of scene.joints) {
    if (type === 'free' || (type === 'planar' && from.link === 0)) continue;
    near[from.link].push(to.link);
    near[to.link].push(from.link);
  }
  for (const { from: [a], to: [b] } of scene.bushings ?? []) {
    near[a].push(b);
    near[b].push(a);
  }
  // Link by link away from the ground; those that float begin a group of their own.
  const order = [0], seen = new Set(order), depth: number[] = scene.links.map(() => 0);
  for (let k = 0; k < scene.links.length; ++k) {
    if (k === order.length) {
      const next = scene.links.findIndex((_, link) => !seen.has(link));
      order.push(next);
      seen.add(next);
    }
    const link = order[k];
    for (const other of near[link]) {
      if (seen.has(other)) continue;
      seen.add(other);
      order.push(other);
      depth[other] = depth[link] + 1;
    }
    if (link > 0 && near[link].length === 0) continue;
    const taken = new Set(near[link].filter((other) => other > 0).map((other) => shades[other])), wanted = (depth[link] + 1) % 2;
    shades[link] = [wanted, 1 - wanted, 2, 3].find((shade) => !taken.has(shade)) ?? wanted;
  }
  return scene.links.some((_, k) => k > 0 && near[k].length > 0) ? shades : shades.map(() => 0); // a body alone is the machine
}

/** Colours of the rigid links of a scene. */
export function tonesOf(scene: Scene, { rigid, loose }: Palette): Color[] {
  const tones = [rigid, rigid.clone().lerp(lighter, 0.3), rigid.clone().lerp(darker, 0.28), rigid.clone().lerp(lighter, 0.5)];
  return shadesOf(scene).map((shade) => (shade < 0 ? loose : tones[shade]));
}
