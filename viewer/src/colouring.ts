// What colours the links: stress, bending moment or axial force at places along them, over the run.

import { Color } from 'three';
import { Link, Result, Scene, Series, unpack } from './contract';

export type Kind = 'stress' | 'moment' | 'axial';

/** One quantity in all places at all instants. */
export interface Field {
  kind: Kind;
  largest: number; // magnitude
  peak: { link: string; place: string; t: number; value: number };
  /** At an end (0 or 1) of a line of a link, between two instants; NaN where unknown. */
  at(link: number, line: number, end: number, row: number, fraction: number): number;
}

export const titles: Record<Kind, { name: string; unit: string; signed: boolean }> = {
  stress: { name: 'stress (von Mises)', unit: 'Pa', signed: false },
  moment: { name: 'bending moment', unit: 'N m', signed: false },
  axial: { name: 'axial force', unit: 'N', signed: true },
};

const rising = ['#2c5fb3', '#2a9d8f', '#9bbf3b', '#f2a93b', '#c8202f'].map((stop) => new Color(stop));
const signed = ['#2f6fd6', '#c9ced4', '#d0443b'].map((stop) => new Color(stop)); // compression, nothing, tension
const mixed = new Color();

const stopsOf = (kind: Kind) => (titles[kind].signed ? signed : rising);

/** The scale as a gradient of the style sheet. */
export function gradient(kind: Kind): string {
  return `linear-gradient(90deg, ${stopsOf(kind).map((stop) => `#${stop.getHexString()}`).join(', ')})`;
}

/** Colour of a value; the same object every time. */
export function colourOf(kind: Kind, value: number, largest: number): Color {
  const stops = stopsOf(kind), share = value / largest, way = titles[kind].signed ? 0.5 + 0.5 * share : share;
  const at = Math.min(Math.max(way, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
  return mixed.copy(stops[k]).lerp(stops[k + 1], at - k);
}

/** A place along a link as it is read: "0.25 m"; a bar keeps its name. */
export function placeText(place: string): string { return place.replace(/^([\d.e-]+?)m[+-]?$/, '$1 m'); }

const components: Record<string, number> = { N: 0, My: 1, Mz: 2 };

export class Colouring {
  private readonly series: Map<string, Series>;
  private readonly time: Float32Array;
  private readonly columns = new Map<string, Float32Array>(); // elastic coordinates are asked for in every place
  private readonly fields = new Map<Kind, Field | null>();

  constructor(private readonly result: Result, private readonly scene: Scene) {
    this.series = new Map(result.series.map((each) => [each.name, each]));
    this.time = unpack(result.time);
  }

  /** Null where nothing of it is known, or nothing ever happens. */
  field(kind: Kind): Field | null {
    if (!this.fields.has(kind)) this.fields.set(kind, this.build(kind));
    return this.fields.get(kind)!;
  }

  /** Whether something of it is known and happens; quicker than the field. */
  knows(kind: Kind): boolean {
    const happens = (name: string) => this.column(name)?.some((value) => value !== 0) ?? false;
    return this.scene.links.some((link) => {
      if (!link.places || !link.ends) return false;
      if (kind === 'stress') return link.places.some((place) => happens(`stress.${link.name}.${place}`));
      const parts = kind === 'axial' ? ['N'] : ['My', 'Mz'];
      if (link.places.some((place) => parts.some((part) => happens(`section.${link.name}.${place}.${part}`)))) return true;
      const section = link.section ? this.sectionOf(link) : null, count = link.coordinates?.length ?? 0;
      return section !== null && link.coordinates!.some((coordinate, e) => happens(coordinate.series)
        && link.places!.some((_, place) => parts.some((part) => section[(3 * place + components[part]) * count + e] !== 0)));
    });
  }

  private column(name: string): Float32Array | null {
    const known = this.columns.get(name), found = this.series.get(name);
    if (known || !found) return known ?? null;
    const values = unpack(found.values);
    this.columns.set(name, values);
    return values;
  }

  /** N, M_y or M_z in a place: as recorded, else what the elastic coordinates carry. */
  private force(link: Link, place: number, component: string): Float32Array | null {
    const recorded = this.column(`section.${link.name}.${link.places![place]}.${component}`);
    if (recorded || !link.section) return recorded;
    const section = this.sectionOf(link), count = link.coordinates!.length, sum = new Float32Array(this.time.length);
    link.coordinates!.forEach((coordinate, e) => {
      const per = section[(3 * place + components[component]) * count + e], eta = per === 0 ? null : this.column(coordinate.series);
      eta?.forEach((value, row) => { sum[row] += per * value; });
    });
    return sum;
  }

  private sectionOf(link: Link): Float32Array {
    const known = this.columns.get(link.section!);
    if (known) return known;
    const values = unpack(link.section!);
    this.columns.set(link.section!, values);
    return values;
  }

  private values(link: Link, place: number, kind: Kind): Float32Array | null {
    if (kind === 'stress') return this.column(`stress.${link.name}.${link.places![place]}`);
    if (kind === 'axial') return this.force(link, place, 'N');
    const y = this.force(link, place, 'My'), z = this.force(link, place, 'Mz');
    return y && z ? y.map((value, row) => Math.hypot(value, z[row])) : y?.map(Math.abs) ?? z?.map(Math.abs) ?? null;
  }

  private build(kind: Kind): Field | null {
    let largest = 0, peak = { link: '', place: '', t: 0, value: 0 };
    const tables = this.scene.links.map((link) => (link.places && link.ends ? {
      ends: unpack(link.ends),
      values: link.places.map((place, k) => {
        const values = this.values(link, k, kind);
        values?.forEach((value, row) => {
          if (!(Math.abs(value) > largest)) return;
          largest = Math.abs(value);
          peak = { link: link.name, place: placeText(place), t: this.time[row], value };
        });
        return values;
      }),
    } : null));
    if (!(largest > 0)) return null;
    // The page may have fewer rows than the run had: the audit knows them all.
    for (const [link, most] of Object.entries(kind === 'stress' ? this.result.audit?.stress ?? {} : {})) {
      if (!(most.peak > largest)) continue;
      largest = most.peak;
      peak = { link, place: placeText(most.place.replace(/ /g, '')), t: most.time, value: most.peak };
    }
    const at = (link: number, line: number, end: number, row: number, fraction: number) => {
      const table = tables[link];
      if (!table) return NaN;
      const first = 3 * (2 * line + end), one = table.values[table.ends[first]], other = table.values[table.ends[first + 1]];
      if (!one || !other) return NaN;
      const between = (values: Float32Array) => values[row] + fraction * (values[Math.min(row + 1, values.length - 1)] - values[row]);
      return between(one) + table.ends[first + 2] * (between(other) - between(one));
    };
    return { kind, largest, peak, at };
  }
}
