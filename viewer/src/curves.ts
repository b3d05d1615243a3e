// The recorded columns of all results on one common time grid, in groups that share a unit.

import { Result, unpack } from './contract';
import { derivedSeries } from './derived';

export interface Curve {
  name: string; // of the column
  result: number;
  values: (number | null)[]; // on the common grid; null outside the run
  leads: boolean; // is asked for first: of an actuated joint, or the place along a link where stress is largest
  zero: boolean; // all the time, beside the others of its group
}

export interface Group {
  title: string;
  unit: string;
  curves: Curve[];
  nothing: number; // values up to this are zero, beside the others of the group
}

/**
 * Order of the groups on the page: what a designer asks first, what speaks about the computation last; those after the bar start
 * switched off.
 */
const order = [
  'deflections at frames', 'deflections', 'tracking errors', 'torques', 'forces', 'drive forces', 'motor power',
  'stress', 'rope tensions', 'contact forces', 'power',
  'angles', 'distances', 'coordinates', 'positions', 'velocities', 'angular velocities', 'spring lengths', 'spring forces', 'rope lengths', 'gaps', 'slip', 'bushing deflections',
  'bushing turns', 'bushing forces', 'bushing moments', 'energies',
  'momentum', 'angular momentum', 'elastic amplitudes', 'closure error', '|', 'bending of links', 'quaternions', 'accelerations of frames',
  'angular accelerations of frames', 'angular speeds', 'speeds', 'elastic speeds', 'angular accelerations', 'accelerations',
  'elastic accelerations', 'elastic forces', 'rotation vectors', 'joint forces', 'joint moments', 'section forces', 'section moments', 'parts of stress',
  'bending rates', 'other',
];
const bar = order.indexOf('|');
const rounding = 1e-9; // of the largest value of a group: smaller curves are zero, and smaller values are shown as such

/** A group that is zero throughout, such as the closure error of a mechanism without loops, waits to be asked for. */
export function startsOn(group: Group): boolean {
  return order.indexOf(group.title) < bar && !group.curves.every((curve) => curve.zero);
}

export class Curves {
  readonly time: Float64Array;
  readonly groups: Group[] = [];

  constructor(results: Result[]) {
    const times = results.map((result) => unpack(result.time));
    this.time = times.length === 1 ? Float64Array.from(times[0]) : union(times);
    results.forEach((result, r) => {
      const driven = new Set((result.scene?.joints ?? []).filter((joint) => joint.actuated).map((joint) => joint.name));
      const recorded = result.series.map((series) => ({ ...series, values: unpack(series.values) }));
      const loaded = mostLoaded(result, recorded);
      for (const series of [...recorded, ...derivedSeries(result)]) {
        const values = onGrid(this.time, times[r], series.values);
        if (isIdle(series.name, values)) continue;
        const owner = series.name.slice(series.name.indexOf('.') + 1);
        const leads = loaded.has(series.name) || driven.has(owner) || driven.has(owner.slice(0, Math.max(0, owner.lastIndexOf('.'))));
        this.group(series.group, series.unit).curves.push({
          name: series.name, result: r, values, leads, zero: values.every((value) => !value),
        });
      }
    });
    const place = (group: Group) => (order.indexOf(group.title) + order.length) % order.length;
    this.groups.sort((a, b) => place(a) - place(b));
    for (const group of this.groups) {
      const size = ({ values }: Curve) => values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
      const sizes = group.curves.map(size), largest = Math.max(...sizes);
      group.nothing = rounding * largest;
      group.curves.forEach((curve, k) => { curve.zero ||= sizes[k] <= group.nothing; });
    }
    for (const group of this.groups) group.curves.sort((a, b) => Number(b.leads) - Number(a.leads));
  }

  /** A curve against the same one of the first result; null where one of them has no value or there is no other. */
  difference(curve: Curve): (number | null)[] {
    const first = curve.result === 0 ? undefined
      : this.groups.flatMap((group) => group.curves).find((each) => each.result === 0 && each.name === curve.name);
    return curve.values.map((value, k) => (first && value !== null && first.values[k] !== null ? value - first.values[k]! : null));
  }

  private group(title: string, unit: string): Group {
    let group = this.groups.find((each) => each.title === title && each.unit === unit);
    if (!group) this.groups.push((group = { title, unit, curves: [], nothing: 0 }));
    return group;
  }

  /** Index of the grid point nearest to t. */
  nearest(t: number): number {
    let low = 0, high = this.time.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle; else high = middle;
    }
    return t - this.time[low] <= this.time[high] - t ? low : high;
  }
}

/** Columns of the places where the stress of each link is largest. */
function mostLoaded(result: Result, series: { name: string; values: Float32Array }[]): Set<string> {
  const peaks = new Map(series.filter(({ name }) => name.startsWith('stress.')).map(({ name, values }) =>
    [name, values.reduce((most, value) => Math.max(most, value), 0)]));
  const worst = (result.scene?.links ?? []).map((link) => (link.places ?? []).map((place) => `stress.${link.name}.${place}`)
    .reduce((most, name) => ((peaks.get(name) ?? 0) > (peaks.get(most) ?? 0) ? name : most), ''));
  return new Set(worst.filter(Boolean));
}

/** Joints without a motor have a force of zero all the time: not worth a curve. */
function isIdle(name: string, values: (number | null)[]): boolean {
  return /^(tau|power)\./.test(name) && values.every((value) => value === null || value === 0);
}

function union(times: Float32Array[]): Float64Array {
  const all = Float64Array.from(times.flatMap((each) => Array.from(each))).sort();
  return all.filter((t, k) => k === 0 || t - all[k - 1] > 1e-9 * Math.max(1, Math.abs(t)));
}

function onGrid(grid: Float64Array, time: Float32Array, values: Float32Array): (number | null)[] {
  const result: (number | null)[] = new Array(grid.length);
  let row = 0;
  for (let k = 0; k < grid.length; ++k) {
    const t = grid[k];
    while (row + 1 < time.length && time[row + 1] < t) ++row;
    if (t < time[0] || t > time[time.length - 1]) result[k] = null;
    else if (t === time[row] || time.length === 1) result[k] = values[row];
    else result[k] = values[row] + ((t - time[row]) / (time[row + 1] - time[row])) * (values[row + 1] - values[row]);
  }
  return result;
}
