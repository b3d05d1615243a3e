// A chart as SVG text: for spectra and xy plots on the page, and for saving.

import { ticks } from './numbers';

export interface ChartCurve {
  name: string;
  colour: string;
  dash: number[];
  x: ArrayLike<number>;
  y: ArrayLike<number | null>;
}

export interface Chart {
  title: string; // empty: none
  xLabel: string;
  width: number;
  height: number;
  ink: string;
  soft: string;
  line: string;
  curves: ChartCurve[];
  legend: boolean;
  equal: boolean; // the same scale along both axes
  x?: [number, number]; // range; default: all of the data
}

const left = 58, right = 26, top = 8, bottom = 30, row = 16, most = 4000;
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

/** Round numbers between two, about `count` of them. */
export function marks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(raw)), digit = raw / power;
  const step = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10), first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, k) => (first + k) * step);
}

function rangeOf(values: (ArrayLike<number | null>)[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const each of values) {
    for (let k = 0; k < each.length; ++k) {
      const value = each[k];
      if (value === null || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(low <= high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-6 * size || size === 0) return [low - (0.5 * size || 1), high + (0.5 * size || 1)];
  return [low - 0.06 * (high - low), high + 0.06 * (high - low)];
}

export function svgChart(chart: Chart): string {
  const { width, height, curves } = chart, head = top + (chart.title ? 18 : 0) + (chart.legend ? row * Math.ceil(curves.length / 3) : 0);
  let xs = chart.x ?? rangeOf(curves.map((curve) => curve.x)), ys = rangeOf(curves.map((curve) => curve.y));
  const wide = width - left - right, tall = height - head - bottom;
  if (chart.equal) {
    const unit = Math.max((xs[1] - xs[0]) / wide, (ys[1] - ys[0]) / tall), grow = ([low, high]: [number, number], room: number): [number, number] =>
      [0.5 * (low + high) - 0.5 * unit * room, 0.5 * (low + high) + 0.5 * unit * room];
    [xs, ys] = [grow(xs, wide), grow(ys, tall)];
  }
  const px = (x: number) => left + ((x - xs[0]) / (xs[1] - xs[0])) * wide, py = (y: number) => head + (1 - (y - ys[0]) / (ys[1] - ys[0])) * tall;
  const at = (value: number) => value.toFixed(1), parts: string[] = [];
  const text = (x: number, y: number, words: string, anchor: string, colour: string, extra = '') =>
    parts.push(`<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" fill="${colour}"${extra}>${escape(words)}</text>`);
  if (chart.title) text(left, top + 9, chart.title, 'start', chart.ink, ' font-weight="600" font-size="12.5"');
  const vertical = marks(ys[0], ys[1], tall / 38), horizontal = marks(xs[0], xs[1], wide / 75);
  const yTexts = ticks(vertical), xTexts = ticks(horizontal);
  vertical.forEach((y, k) => {
    parts.push(`<path d="M${left} ${at(py(y))}H${left + wide}" stroke="${chart.line}"/>`);
    text(left - 6, py(y) + 4, yTexts[k], 'end', chart.soft);
  });
  horizontal.forEach((x, k) => {
    parts.push(`<path d="M${at(px(x))} ${head}V${head + tall}" stroke="${chart.line}"/>`);
    text(px(x), head + tall + 14, xTexts[k], 'middle', chart.soft);
  });
  text(left + wide, head + tall + 27, chart.xLabel, 'end', chart.soft);
  curves.forEach((curve, k) => {
    const dash = curve.dash.length ? ` stroke-dasharray="${curve.dash.join(' ')}"` : '';
    parts.push(`<path d="${pathOf(curve, px, py, xs)}" fill="none" stroke="${curve.colour}" stroke-width="1.6" stroke-linejoin="round"${dash}/>`);
    if (!chart.legend) return;
    const x = left + (k % 3) * (wide / 3), y = top + (chart.title ? 18 : 0) + row * Math.floor(k / 3) + 8;
    parts.push(`<path d="M${at(x)} ${y}h16" stroke="${curve.colour}" stroke-width="2.5"${dash}/>`);
    text(x + 21, y + 4, curve.name, 'start', chart.soft);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">${parts.join('')}</svg>`;
}

/** Points outside the range are left out; long curves are thinned. */
function pathOf(curve: ChartCurve, px: (x: number) => number, py: (y: number) => number, [low, high]: [number, number]): string {
  const step = Math.max(1, Math.floor(curve.x.length / most));
  let path = '', open = false;
  for (let k = 0; k < curve.x.length; k += step) {
    const y = curve.y[k], x = curve.x[k];
    if (y === null || !Number.isFinite(y) || x < low || x > high) {
      open = false;
      continue;
    }
    path += `${open ? 'L' : 'M'}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
    open = true;
  }
  return path;
}
