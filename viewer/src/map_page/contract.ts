// The data block of the page of a map, as written by src/lithe/io/map_page.cpp and described in docs/report.md.

import type { Packed, Scene } from '../contract';

export interface MapData {
  format: number;
  kind: 'map';
  lithe: string;
  title: string;
  file: string;
  model: { name: string; path: string };
  frame: string; // LINK/FRAME of the tool
  held: Record<string, number>;
  finished: boolean;
  axes: MapAxis[]; // two or three; the first runs fastest through the points
  points: string; // bytes: PointKind of each
  columns: { name: string; unit: string; values: Packed }[];
  curves: { kind: string; joint: string; layer: number; ends: boolean; line: Packed }[];
  scene: Scene | null; // poses: those of the drawn points
  without_scene: string;
  drawn?: string; // 64-bit floats: drawn points x axes
  modes: { columns: number[]; twists: Packed; elastic: Packed } | null; // drawn points x columns x (links x 6; elastic coordinates)
}

export interface MapAxis {
  coordinate: string;
  unit: string;
  from: number;
  to: number;
  count: number;
  whole: number; // points in the file, where the page has fewer
}

export enum PointKind { unknown, reached, unreachable, stopped, noRest }
export const pointWords = ['not decided yet', 'reached', 'not reached', 'beyond the stop of a joint', 'reached, but without rest'];

/** What ends at a line. */
export function lineWords(kind: string, joint: string): string {
  if (kind === 'stop') return `${joint} meets its stop`;
  return { reach: 'the branch ends', actuation: 'motors do not hold', task: 'the tool loses a freedom' }[kind] ?? kind;
}
