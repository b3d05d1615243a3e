// Parallel coordinates: a line per variant across one upright axis per variable. A drag along an axis brushes it.

import { css, steps } from '../data_page/colours';
import { marksOf, markTexts, partOf, valueAt } from '../data_page/plot_area';
import { styleOf } from '../theme';
import type { Selection } from './selection';
import type { Study } from './study';
import { Colouring, fitted, onDrag, pixelOf, View } from './view';

const top = 34, bottom = 14, side = 56, fewest = 1500, fewStrokes = 500;
const faintest = 0.03, fewLines = 60; // opacity of one line among many; so many lines together cover what is below them

/** Counts a line in `table`, and its colour in `total`. A steep one covers several pixels of a column: it is as dense as a flat one. */
function addLine(table: Float32Array, total: Float32Array | null, colour: number, width: number, from: number, to: number, start: number, end: number): void {
  const slope = (end - start) / (to - from), tall = Math.max(1, Math.min(Math.ceil(Math.abs(slope)), 24)), part = slope / tall;
  for (let x = from; x < to; ++x) {
    const y = start + slope * (x - from) + 0.5;
    for (let t = 0; t < tall; ++t) {
      const at = ((y + part * t) | 0) * width + x; // outside of the picture nothing is counted
      table[at] += 1;
      if (total) total[at] += colour;
    }
  }
}

export class Parallel extends View {
  /** Variables in the order of the axes. */
  private readonly order: number[];
  private heights: { key: string; of: Float32Array[] } | null = null;
  private tables: Float32Array[] = []; // per pixel: sum of colours and number of selected lines; number of others, of failed ones

  constructor(parent: HTMLElement, study: Study, selection: Selection, colouring: Colouring) {
    super(parent, study, selection, colouring, (width) => (width < 600 ? 260 : 320));
    this.order = study.variables.map((_, k) => k);
    this.canvas.element.style.touchAction = 'none';
    let brushed = -1, from = 0;
    onDrag(this.canvas, {
      start: ([x, y]) => {
        brushed = this.axisNear(x);
        from = y;
        return brushed >= 0;
      },
      move: ([, y]) => selection.brush([[brushed, [this.valueAt(brushed, from), this.valueAt(brushed, y)]]], true),
      end: () => selection.brush([], false),
      click: ([x, y]) => {
        const axis = this.axisNear(x, 12);
        if (axis >= 0 && selection.brushes.has(axis)) selection.brush([[axis, null]]);
        else selection.pick(this.lineNear(x, y));
      },
    });
    this.canvas.element.addEventListener('pointermove', (event) => { if (event.buttons === 0) selection.hover(this.lineNear(...this.canvas.place(event))); });
    this.canvas.element.addEventListener('pointerleave', () => selection.hover(-1));
  }

  private x(place: number): number {
    const room = this.canvas.width - 2 * side;
    return this.order.length > 1 ? side + (room * place) / (this.order.length - 1) : this.canvas.width / 2;
  }
  private y(variable: number, value: number): number { return top + (1 - partOf(this.study.variables[variable].range, value)) * (this.canvas.height - top - bottom); }
  private valueAt(variable: number, y: number): number {
    const part = 1 - (y - top) / (this.canvas.height - top - bottom);
    return valueAt(this.study.variables[variable].range, Math.min(Math.max(part, 0), 1));
  }
  private axisNear(x: number, within = 26): number {
    let best = -1, least = within;
    this.order.forEach((variable, place) => {
      const far = Math.abs(this.x(place) - x);
      if (far < least) [best, least] = [variable, far];
    });
    return best;
  }

  /** The selected variant whose line passes nearest, within a few pixels. */
  private lineNear(x: number, y: number): number {
    let right = this.order.findIndex((_, place) => this.x(place) >= x);
    if (right <= 0) right = right === 0 ? 1 : this.order.length - 1;
    if (this.order.length < 2) return -1;
    const a = this.order[right - 1], b = this.order[right], part = Math.min(Math.max((x - this.x(right - 1)) / (this.x(right) - this.x(right - 1)), 0), 1);
    const va = this.study.variables[a].values, vb = this.study.variables[b].values;
    let best = -1, least = 8;
    for (let k = 0; k < this.study.count; ++k) {
      if (!this.selection.selected[k]) continue;
      const far = Math.abs((1 - part) * this.y(a, va[k]) + part * this.y(b, vb[k]) - y);
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  protected paint(context: CanvasRenderingContext2D, pixels: { width: number; height: number; ratio: number }): void {
    if (this.study.count <= fewStrokes) this.strokeLines(context);
    else this.paintDensity(context, pixels);
    this.paintAxes(context);
  }

  /** Few lines: one after the other, those that are selected on top. */
  private strokeLines(context: CanvasRenderingContext2D): void {
    const { study, selection } = this, others = styleOf('--ground'), failed = styleOf('--c6');
    context.lineWidth = 1.2;
    for (const chosen of [0, 1]) {
      for (let k = 0; k < study.count; ++k) {
        if (selection.selected[k] !== chosen) continue;
        context.globalAlpha = chosen ? 0.85 : 0.2;
        context.strokeStyle = study.failure[k] >= 0 ? failed : chosen ? css(this.colouring.step(k) / 255) : others;
        this.trace(context, k);
      }
    }
    context.globalAlpha = 1;
  }

  private trace(context: CanvasRenderingContext2D, variant: number): void {
    context.beginPath();
    this.order.forEach((variable, place) => {
      const value = this.study.variables[variable].values[variant];
      if (Number.isFinite(value)) context.lineTo(this.x(place), this.y(variable, value));
    });
    context.stroke();
  }

  private paintDensity(context: CanvasRenderingContext2D, pixels: { width: number; height: number; ratio: number }): void {
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    const image = context.createImageData(pixels.width, pixels.height);
    this.paintLines(new Uint32Array(image.data.buffer), pixels);
    context.putImageData(image, 0, 0);
    context.restore();
  }

  /** Heights of all variants on all axes in pixels of the picture, made once per size. */
  private heightsNow(ratio: number): Float32Array[] {
    const key = `${this.canvas.height} ${ratio}`;
    if (this.heights?.key !== key) {
      this.heights = { key, of: this.order.map((variable) => Float32Array.from(this.study.variables[variable].values, (value) => ratio * this.y(variable, value))) };
    }
    return this.heights.of;
  }

  /** Mean colour and density of the lines per pixel: as many as there are, it takes one pass. */
  private paintLines(out: Uint32Array, { width, height, ratio }: { width: number; height: number; ratio: number }): void {
    const { study, selection } = this, size = width * height;
    if (this.tables[0]?.length !== size) this.tables = [0, 1, 2, 3].map(() => new Float32Array(size));
    else for (const table of this.tables) table.fill(0);
    const [total, many, others, failed] = this.tables, step = selection.moving ? Math.max(1, Math.ceil(study.count / fewest)) : 1, ys = this.heightsNow(ratio);
    for (let place = 0; place + 1 < this.order.length; ++place) {
      const from = Math.round(ratio * this.x(place)), to = Math.round(ratio * this.x(place + 1)), a = ys[place], b = ys[place + 1];
      for (let k = 0; k < study.count; k += step) {
        if (!(a[k] === a[k] && b[k] === b[k])) continue;
        const table = study.failure[k] >= 0 ? failed : selection.selected[k] === 1 ? many : others;
        addLine(table, table === many ? total : null, this.colouring.step(k), width, from, to, a[k], b[k]);
      }
    }
    this.blend(out, Math.max(1, selection.count / step));
  }

  /** Pixels from counts; one line among `shown` has the opacity that lets the density be seen. */
  private blend(out: Uint32Array, shown: number): void {
    const [total, many, others, failed] = this.tables, weight = Math.min(1, Math.max(faintest, fewLines / shown)), grey = pixelOf('--ground', 0), red = pixelOf('--c6', 200);
    const dense = Uint32Array.from({ length: 256 }, (_, n) => Math.round(255 * (1 - (1 - weight) ** n)) << 24), sparse = Uint32Array.from({ length: 256 }, (_, n) => grey | (Math.round(255 * Math.min(0.45, 0.08 + 0.02 * n)) << 24));
    for (let at = 0; at < out.length; ++at) {
      if (failed[at] > 0) out[at] = red;
      else if (many[at] > 0) out[at] = (steps[Math.round(total[at] / many[at])] & 0xffffff) | dense[Math.min(255, many[at])];
      else if (others[at] > 0) out[at] = sparse[Math.min(255, others[at])];
    }
  }

  private paintAxes(context: CanvasRenderingContext2D): void {
    const { study, selection } = this, floor = this.canvas.height - bottom, gap = this.order.length > 1 ? this.x(1) - this.x(0) : this.canvas.width;
    context.font = '11px system-ui, sans-serif';
    this.order.forEach((variable, place) => {
      const { name, range, least, most } = study.variables[variable], x = this.x(place);
      context.strokeStyle = styleOf('--soft');
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, floor);
      context.stroke();
      context.textAlign = 'center';
      context.textBaseline = 'alphabetic';
      context.fillStyle = styleOf(variable < study.axes ? '--ink' : '--accent');
      context.font = '600 12px system-ui, sans-serif';
      context.fillText(fitted(context, name, Math.max(28, gap - 10)), x, top - 16);
      context.font = '10.5px system-ui, sans-serif';
      context.fillStyle = styleOf('--soft');
      context.textAlign = 'right';
      context.textBaseline = 'middle';
      const list = marksOf(range, gap > 70 ? 5 : 3), texts = markTexts(range, list);
      list.forEach((value, k) => this.label(context, texts[k], x - 5, this.y(variable, value)));
      context.strokeStyle = styleOf('--c6');
      context.lineWidth = 2;
      for (const limit of [least, most]) {
        if (limit === null || limit < range.low || limit > range.high) continue;
        context.beginPath();
        context.moveTo(x - 7, this.y(variable, limit));
        context.lineTo(x + 7, this.y(variable, limit));
        context.stroke();
      }
      const brush = selection.brushes.get(variable);
      if (!brush) return;
      const [low, high] = [this.y(variable, brush[0]), this.y(variable, brush[1])];
      context.fillStyle = styleOf('--accent');
      context.globalAlpha = 0.28;
      context.fillRect(x - 8, high, 16, low - high);
      context.globalAlpha = 1;
      context.strokeStyle = styleOf('--accent');
      context.lineWidth = 1.5;
      context.strokeRect(x - 8, high, 16, low - high);
    });
  }

  /** A number that can be read over lines. */
  private label(context: CanvasRenderingContext2D, text: string, x: number, y: number): void {
    context.strokeStyle = styleOf('--card');
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }

  protected mark(context: CanvasRenderingContext2D, variant: number, colour: string): void {
    for (const [width, style] of [[4, styleOf('--card')], [2, colour]] as const) {
      context.strokeStyle = style;
      context.lineWidth = width;
      this.trace(context, variant);
    }
  }
}
