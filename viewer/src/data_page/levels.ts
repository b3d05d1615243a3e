// Where colours and contour lines of a quantity lie: evenly, or by decades where values span much.

import { marks } from '../svg_chart';

const wide = 30; // largest by smallest value, from which on colours go by the logarithm
const leftOut = 0.01; // share of the values at each end that may lie beyond the colours

export class Levels {
  readonly log: boolean;
  readonly low: number;
  readonly high: number;
  /** Values of the contour lines, rising. */
  readonly at: number[];

  constructor(values: ArrayLike<number>) {
    const sorted = Float64Array.from(Array.from(values).filter(Number.isFinite)).sort();
    const cut = Math.floor(leftOut * sorted.length);
    this.low = sorted.length > 0 ? sorted[cut] : NaN;
    this.high = sorted.length > 0 ? sorted[sorted.length - 1 - cut] : NaN;
    this.log = this.low > 0 && this.high > wide * this.low;
    // Where values differ by their rounding alone they are all alike.
    const rounding = values instanceof Float32Array ? 1e-6 : 1e-9;
    if (this.high - this.low <= rounding * Math.max(Math.abs(this.low), Math.abs(this.high))) this.high = this.low;
    this.at = this.log ? this.decades() : this.high > this.low ? marks(this.low, this.high, 10) : [];
  }

  /** Place of a value on the scale, 0 to 1; in the middle when all are alike. */
  part(value: number): number {
    const by = this.log ? Math.log : (x: number) => x, low = by(this.low), high = by(this.high);
    return high > low ? (by(value) - low) / (high - low) : 0.5;
  }

  private decades(): number[] {
    const many = Math.log10(this.high / this.low), digits = many > 8 ? [1] : many > 4 ? [1, 3] : [1, 2, 5], list: number[] = [];
    for (let power = Math.floor(Math.log10(this.low)); power <= Math.ceil(Math.log10(this.high)); ++power) {
      for (const digit of digits) {
        const value = digit * 10 ** power;
        if (value >= this.low && value <= this.high) list.push(value);
      }
    }
    return list;
  }
}
