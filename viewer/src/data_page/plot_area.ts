// A rectangle of a canvas in which values are drawn, with its marks and names.

import { ticks } from '../numbers';
import { marks } from '../svg_chart';
import { styleOf } from '../theme';

export interface Range {
  low: number;
  high: number;
  log?: boolean;
}

/** All of the values, with a little room; never empty. */
export function rangeOf(values: ArrayLike<number>, log = false): Range {
  let low = Infinity, high = -Infinity;
  for (let k = 0; k < values.length; ++k) {
    const value = values[k];
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return { low: 0, high: 1 };
  if (log && low > 0) {
    const room = high > low ? (high / low) ** 0.04 : 1.1;
    return { low: low / room, high: high * room, log: true };
  }
  const room = high > low ? 0.04 * (high - low) : 0.5 * Math.abs(high) || 1;
  return { low: low - room, high: high + room };
}

/** Part of the way through a range. */
export function partOf({ low, high, log }: Range, value: number): number {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}
export function valueAt({ low, high, log }: Range, part: number): number {
  return log ? low * (high / low) ** part : low + part * (high - low);
}

/** Round numbers in a range. */
export function marksOf(range: Range, count: number): number[] {
  if (!range.log) return marks(range.low, range.high, count);
  const list: number[] = [], decades = Math.log10(range.high / range.low);
  if (decades < 1) return marks(range.low, range.high, Math.min(count, 4));
  const digits = decades > count / 2 ? [1] : [1, 3];
  for (let power = Math.floor(Math.log10(range.low)); power <= Math.log10(range.high); ++power) {
    for (const digit of digits) if (digit * 10 ** power >= range.low && digit * 10 ** power <= range.high) list.push(digit * 10 ** power);
  }
  return list;
}

export function markTexts(range: Range, list: number[]): string[] {
  return range.log ? list.map((value) => String(Number(value.toPrecision(3))).replace(/e([+-])/, 'e$1').replace('e+', 'e').replace(/-/g, '−')) : ticks(list);
}

export class PlotArea {
  constructor(readonly left: number, readonly top: number, readonly width: number, readonly height: number, readonly x: Range, readonly y: Range) {}

  px(x: number): number { return this.left + partOf(this.x, x) * this.width; }
  py(y: number): number { return this.top + (1 - partOf(this.y, y)) * this.height; }
  xAt(px: number): number { return valueAt(this.x, (px - this.left) / this.width); }
  yAt(py: number): number { return valueAt(this.y, 1 - (py - this.top) / this.height); }
  has(px: number, py: number): boolean {
    return px >= this.left && px <= this.left + this.width && py >= this.top && py <= this.top + this.height;
  }

  /** Frame, marks and names. */
  frame(context: CanvasRenderingContext2D, xName: string, yName: string, size = 11): void {
    const { left, top, width, height } = this, floor = top + height, soft = styleOf('--soft');
    context.strokeStyle = styleOf('--line');
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
    context.fillStyle = soft;
    context.strokeStyle = soft;
    context.font = `${size}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    const across = marksOf(this.x, Math.max(2, Math.min(8, width / 64))), up = marksOf(this.y, Math.max(2, Math.min(8, height / 40)));
    const acrossTexts = markTexts(this.x, across), upTexts = markTexts(this.y, up);
    context.beginPath();
    let free = -Infinity;
    across.forEach((x, k) => {
      const half = context.measureText(acrossTexts[k]).width / 2, at = this.px(x);
      context.moveTo(at, floor);
      context.lineTo(at, floor + 4);
      if (at - half < free) return;
      free = at + half + 8;
      context.fillText(acrossTexts[k], at, floor + 6);
    });
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    up.forEach((y, k) => {
      context.moveTo(left - 4, this.py(y));
      context.lineTo(left, this.py(y));
      context.fillText(upTexts[k], left - 7, this.py(y));
    });
    context.stroke();
    context.fillStyle = styleOf('--ink');
    context.textAlign = 'center';
    context.textBaseline = 'top';
    if (xName) context.fillText(xName, left + width / 2, floor + 22);
    if (!yName) return;
    context.save();
    context.translate(Math.max(7, left - 62), top + height / 2);
    context.rotate(-Math.PI / 2);
    context.textBaseline = 'middle';
    context.fillText(yName, 0, 0);
    context.restore();
  }
}
