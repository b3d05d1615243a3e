// How much the deformation is enlarged so that it is seen, and how much it may be.

import { Vector3 } from 'three';
import { Motion } from './motion';

const seen = 0.07; // of the radius of the picture: a deflection as large as this is seen at a glance
const instants = 120, closedAt = 16, a = new Vector3(), b = new Vector3();

/** Instants from the first to the last, evenly. */
export function sampleTimes(motion: Motion, count: number): number[] {
  if (!(motion.end > motion.start)) return [motion.start];
  return Array.from({ length: count + 1 }, (_, k) => motion.start + ((motion.end - motion.start) * k) / count);
}

/** Of all points against the rigid twin, over the run: size (m) and instant, the first of equal ones. */
export function largestDeflection(motion: Motion): { size: number; t: number } {
  const { scene, time } = motion, step = Math.max(1, Math.floor(time.length / instants));
  const largest = { size: 0, t: motion.start };
  for (let row = 0; row < time.length; row += step) {
    scene.links.forEach((link, k) => {
      const drawn = new Set(link.frames.map((frame) => frame.point).concat(link.coordinates ? link.lines.map(([, to]) => to) : []));
      for (const point of k === 0 ? [] : drawn) {
        const size = motion.pointAt(row, k, point, false, a).distanceTo(motion.pointAt(row, k, point, true, b));
        if (size > (1 + 1e-4) * largest.size) Object.assign(largest, { size, t: time[row] });
      }
    });
  }
  return largest;
}

/** The enlargement that shows a deflection, a round number; 1 when it is seen as it is. */
export function openingScale(deflection: number, radius: number): number {
  if (!(deflection > 1e-9 * radius)) return 1;
  return roundDown((seen * radius) / deflection);
}

/** The end of the slider for a largest deflection: well beyond what shows it, as far as joints stay closed. */
export function mostOffered(motion: Motion, deflection: number): number {
  return mostScale(motion, Math.max(100, 3 * openingScale(deflection, motion.scene.radius)));
}

/** 1 to the end of the slider, equal ratios for equal ways; as it is told. */
export function scaleAt(part: number, most: number): number {
  const raw = most ** part;
  return raw < 10 ? Math.round(10 * raw) / 10 : Math.round(raw);
}

/** 1, 1.5, 2, 3, 5 or 7 times a power of ten. */
export function roundDown(scale: number): number {
  if (!(scale > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(scale) + 1e-9);
  return power * Math.max(...[1, 1.5, 2, 3, 5, 7].filter((digit) => digit <= (scale / power) * (1 + 1e-9)));
}

/** The largest scale up to `wanted` at which no joint is open by more than a line width. */
function mostScale(motion: Motion, wanted: number): number {
  const times = sampleTimes(motion, closedAt), opening = (t: number, scale: number) => {
    motion.update({ t, scale });
    return motion.opening;
  };
  // What the computed pose leaves open is the model's: a joint of the rigid twin that cannot be closed counts as well.
  const allowed = motion.lineWidth + Math.max(...times.map((t) => opening(t, 1)));
  const closed = (scale: number) => times.every((t) => opening(t, scale) <= allowed);
  if (closed(wanted)) return wanted;
  let low = 1, high = wanted;
  while (high / low > 1.05) {
    const middle = Math.sqrt(low * high);
    if (closed(middle)) low = middle; else high = middle;
  }
  return low;
}
