// The map as the page reads it: values by point, layers, lines, points whose pose can be drawn.

import { unpack } from '../contract';
import { bytesOf, doublesOf } from '../data_page/bytes';
import { lineWords, MapAxis, MapData, PointKind } from './contract';
import { Ends } from './field';

export interface Line {
  kind: string;
  words: string;
  layer: number;
  ends: boolean;
  places: Float32Array; // x y x y
}

export class WorkspaceMap {
  readonly axes: MapAxis[];
  readonly kinds: Uint8Array;
  readonly columns: { name: string; unit: string; values: Float32Array }[];
  readonly lines: Line[];
  readonly layers: number;
  readonly layerSize: number;
  /** Axis values of the points whose pose can be drawn, one after the other. */
  readonly drawn: Float64Array;
  private readonly endsOfLayers: (Ends | undefined)[] = [];

  constructor(readonly data: MapData) {
    this.axes = data.axes;
    this.kinds = bytesOf(data.points);
    this.columns = data.columns.map(({ name, unit, values }) => ({ name, unit, values: unpack(values) }));
    if (this.columns.length === 0) {
      const reach = Float32Array.from(this.kinds, (kind) => (kind === PointKind.reached || kind === PointKind.noRest ? 1 : NaN));
      this.columns.push({ name: 'reached', unit: '', values: reach });
    }
    this.lines = data.curves.map(({ kind, joint, layer, ends, line }) => ({ kind, words: lineWords(kind, joint), layer, ends, places: unpack(line) }));
    this.layers = data.axes[2]?.count ?? 1;
    this.layerSize = data.axes[0].count * data.axes[1].count;
    this.drawn = data.drawn ? doublesOf(data.drawn) : new Float64Array(0);
  }

  axisValue(axis: number, k: number): number {
    const { from, to, count } = this.axes[axis];
    return from + ((to - from) * k) / (count - 1);
  }

  /** Axis values of a point. */
  place(point: number): number[] {
    const [nx, ny] = [this.axes[0].count, this.axes[1].count];
    const place = [this.axisValue(0, point % nx), this.axisValue(1, Math.floor(point / nx) % ny)];
    if (this.axes.length > 2) place.push(this.axisValue(2, Math.floor(point / this.layerSize)));
    return place;
  }

  /** The point of the page nearest to axis values. */
  nearest(place: ArrayLike<number>): number {
    let point = 0, stride = 1;
    this.axes.forEach(({ from, to, count }, axis) => {
      const k = Math.round(((place[axis] - from) / (to - from)) * (count - 1));
      point += stride * Math.min(Math.max(k, 0), count - 1);
      stride *= count;
    });
    return point;
  }

  /** The point with a pose nearest to axis values, within the layer when there is one; -1: none. */
  nearestDrawn(place: ArrayLike<number>): number {
    const count = this.axes.length;
    let best = -1, least = Infinity;
    for (let k = 0; k * count < this.drawn.length; ++k) {
      let far = 0;
      for (let axis = 0; axis < count; ++axis) {
        const { from, to } = this.axes[axis], part = (this.drawn[k * count + axis] - place[axis]) / (to - from);
        far += (axis === 2 ? 100 : 1) * part * part;
      }
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  drawnPlace(k: number): number[] { return Array.from(this.drawn.subarray(k * this.axes.length, (k + 1) * this.axes.length)); }

  linesOf(layer: number): Line[] { return this.lines.filter((line) => line.layer === layer); }

  endsOf(layer: number): Ends {
    return (this.endsOfLayers[layer] ??= new Ends(this.axes[0], this.axes[1], this.linesOf(layer).filter((line) => line.ends).map((line) => line.places)));
  }
}
