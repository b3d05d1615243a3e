// Scatter matrix: every chosen variable against every other, histograms on the diagonal, correlations above it. A drag brushes both.

import { steps } from '../data_page/colours';
import { marksOf, markTexts, partOf, PlotArea } from '../data_page/plot_area';
import { styleOf } from '../theme';
import { bins, paintBars } from './histogram';
import type { Selection } from './selection';
import type { Study } from './study';
import { Colouring, fitted, onDrag, pixelOf, View } from './view';

const left = 54, bottom = 30, gap = 6, most = 8;

interface Cell { row: number; column: number }

export class Scatter extends View {
  /** Variables that are shown. */
  chosen: number[];

  constructor(parent: HTMLElement, study: Study, selection: Selection, colouring: Colouring) {
    super(parent, study, selection, colouring, (width) => Math.min(width, 920, Math.max(340, 150 * this.chosen.length + 40)));
    const axes = study.variables.map((_, k) => k).slice(0, study.axes), outputs = study.outputs;
    const room = Math.max(2, 6 - Math.min(3, outputs.length));
    this.chosen = [...axes.slice(0, room), ...outputs.slice(0, 6 - Math.min(room, axes.length))];
    this.canvas.element.style.touchAction = 'pan-y';
    let cell: Cell | null = null, from: [number, number] = [0, 0];
    onDrag(this.canvas, {
      start: (at) => {
        cell = this.cellAt(...at);
        from = at;
        return cell !== null && cell.row >= cell.column;
      },
      move: (at) => this.brush(cell!, from, at, true),
      end: () => selection.brush([], false),
      click: (at) => this.click(...at),
    });
    this.canvas.element.addEventListener('pointermove', (event) => { if (event.buttons === 0) selection.hover(this.nearest(...this.canvas.place(event))); });
    this.canvas.element.addEventListener('pointerleave', () => selection.hover(-1));
  }

  toggle(variable: number): void {
    const at = this.chosen.indexOf(variable);
    if (at >= 0 && this.chosen.length > 2) this.chosen.splice(at, 1);
    else if (at < 0 && this.chosen.length < most) this.chosen = [...this.chosen, variable].sort((a, b) => a - b);
    this.canvas.fit(true);
    this.refresh();
  }

  private get size(): number { return Math.max(20, (Math.min(this.canvas.width, this.canvas.height * 1.6) - left) / this.chosen.length - gap); }
  private get tall(): number { return Math.max(20, (this.canvas.height - bottom) / this.chosen.length - gap); }

  private area(row: number, column: number): PlotArea {
    const { size, tall } = this, [x, y] = [this.study.variables[this.chosen[column]], this.study.variables[this.chosen[row]]];
    return new PlotArea(left + column * (size + gap), row * (tall + gap), size, tall, x.range, y.range);
  }

  private cellAt(x: number, y: number): Cell | null {
    const column = Math.floor((x - left) / (this.size + gap)), row = Math.floor(y / (this.tall + gap));
    return row >= 0 && column >= 0 && row < this.chosen.length && column < this.chosen.length && this.area(row, column).has(x, y) ? { row, column } : null;
  }

  private brush({ row, column }: Cell, from: [number, number], to: [number, number], moving: boolean): void {
    const area = this.area(row, column), across: [number, number] = [area.xAt(from[0]), area.xAt(to[0])];
    if (row === column) this.selection.brush([[this.chosen[column], across]], moving);
    else this.selection.brush([[this.chosen[column], across], [this.chosen[row], [area.yAt(from[1]), area.yAt(to[1])]]], moving);
  }

  /** A point is picked; beside all points the brushes of the cell go. */
  private click(x: number, y: number): void {
    const cell = this.cellAt(x, y), nearest = this.nearest(x, y);
    if (nearest >= 0) this.selection.pick(nearest);
    else if (cell) this.selection.brush([[this.chosen[cell.row], null], [this.chosen[cell.column], null]]);
  }

  private nearest(x: number, y: number): number {
    const cell = this.cellAt(x, y);
    if (!cell || cell.row <= cell.column) return -1;
    const area = this.area(cell.row, cell.column), [a, b] = [this.study.variables[this.chosen[cell.column]].values, this.study.variables[this.chosen[cell.row]].values];
    let best = -1, least = 8;
    for (let k = 0; k < this.study.count; ++k) {
      if (!this.selection.selected[k] && this.study.failure[k] < 0) continue;
      const far = Math.hypot(area.px(a[k]) - x, area.py(b[k]) - y);
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  protected paint(context: CanvasRenderingContext2D, pixels: { width: number; height: number; ratio: number }): void {
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    const image = context.createImageData(pixels.width, pixels.height), out = new Uint32Array(image.data.buffer);
    for (let row = 1; row < this.chosen.length; ++row) for (let column = 0; column < row; ++column) this.paintPoints(out, pixels, row, column);
    context.putImageData(image, 0, 0);
    context.restore();
    for (let row = 0; row < this.chosen.length; ++row) {
      for (let column = 0; column < this.chosen.length; ++column) this.paintCell(context, row, column);
      this.paintMarks(context, row);
    }
  }

  /** Squares of pixels; those that are not selected below, crosses where a variant failed. */
  private paintPoints(out: Uint32Array, { width, height, ratio }: { width: number; height: number; ratio: number }, row: number, column: number): void {
    const { study, selection } = this, area = this.area(row, column), [x, y] = [study.variables[this.chosen[column]].values, study.variables[this.chosen[row]].values];
    const half = Math.max(1, Math.round((study.count > 3000 ? 0.8 : study.count > 300 ? 1.2 : 2) * ratio)), grey = pixelOf('--ground', 90), red = pixelOf('--c6');
    const set = (px: number, py: number, pixel: number) => { if (px >= 0 && py >= 0 && px < width && py < height) out[py * width + px] = pixel; };
    for (const chosen of [0, 1]) {
      for (let k = 0; k < study.count; ++k) {
        const failed = study.failure[k] >= 0;
        if (selection.selected[k] !== chosen && !(failed && chosen === 1)) continue;
        const px = Math.round(ratio * area.px(x[k])), py = Math.round(ratio * area.py(y[k]));
        if (px !== px || py !== py) continue;
        if (failed) for (let t = -2 * half; t <= 2 * half; ++t) { set(px + t, py + t, red); set(px + t, py - t, red); }
        else {
          const pixel = chosen ? steps[this.colouring.step(k)] : grey;
          for (let j = -half; j <= half; ++j) for (let i = -half; i <= half; ++i) set(px + i, py + j, pixel);
        }
      }
    }
  }

  private paintCell(context: CanvasRenderingContext2D, row: number, column: number): void {
    const area = this.area(row, column), { study } = this, [x, y] = [this.chosen[column], this.chosen[row]];
    context.strokeStyle = styleOf('--line');
    context.lineWidth = 1;
    if (row < column) { // how much they go together
      const value = study.correlation(x, y);
      if (Number.isNaN(value)) return;
      context.fillStyle = styleOf('--soft');
      context.globalAlpha = 0.35 + 0.65 * Math.abs(value);
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.font = `${Math.min(11 + 7 * Math.abs(value), area.width / 4)}px system-ui, sans-serif`;
      context.fillText((Math.abs(value) < 0.005 ? '0' : value.toFixed(2).replace('-', '−')), area.left + area.width / 2, area.top + area.height / 2);
      context.globalAlpha = 1;
      return;
    }
    context.strokeRect(area.left + 0.5, area.top + 0.5, area.width - 1, area.height - 1);
    if (row === column) {
      paintBars(context, area, bins(study, this.selection, x, Math.min(24, Math.max(8, Math.round(area.width / 7)))));
      context.fillStyle = styleOf(x < study.axes ? '--ink' : '--accent');
      context.font = '600 12px system-ui, sans-serif';
      context.textAlign = 'left';
      context.textBaseline = 'top';
      context.fillText(fitted(context, study.variables[x].name, area.width - 10), area.left + 5, area.top + 4);
    }
    this.paintBrush(context, area, x, row === column ? -1 : y);
  }

  private paintBrush(context: CanvasRenderingContext2D, area: PlotArea, x: number, y: number): void {
    const across = this.selection.brushes.get(x), up = y < 0 ? undefined : this.selection.brushes.get(y);
    if (!across && !up) return;
    const part = (range: PlotArea['x'], value: number) => Math.min(Math.max(partOf(range, value), 0), 1);
    const [x0, x1] = across ? across.map((value) => area.left + part(area.x, value) * area.width) : [area.left, area.left + area.width];
    const [y1, y0] = up ? up.map((value) => area.top + (1 - part(area.y, value)) * area.height) : [area.top + area.height, area.top];
    context.fillStyle = styleOf('--accent');
    context.globalAlpha = 0.12;
    context.fillRect(x0, y0, x1 - x0, y1 - y0);
    context.globalAlpha = 1;
  }

  private paintMarks(context: CanvasRenderingContext2D, row: number): void {
    const { study } = this, area = this.area(row, 0), below = this.area(this.chosen.length - 1, row);
    context.font = '10.5px system-ui, sans-serif';
    context.fillStyle = styleOf('--soft');
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const { range } = study.variables[this.chosen[row]], up = marksOf(range, Math.max(2, area.height / 34)), across = marksOf(range, Math.max(2, below.width / 52));
    const upTexts = markTexts(range, up), acrossTexts = markTexts(range, across);
    if (row > 0) up.forEach((value, k) => context.fillText(upTexts[k], area.left - 5, area.py(value)));
    context.textAlign = 'center';
    context.textBaseline = 'top';
    let free = -Infinity;
    across.forEach((value, k) => {
      const half = context.measureText(acrossTexts[k]).width / 2, x = below.left + partOf(range, value) * below.width;
      if (x - half < free) return;
      context.fillText(acrossTexts[k], x, below.top + below.height + 6);
      free = x + half + 6;
    });
  }

  protected mark(context: CanvasRenderingContext2D, variant: number, colour: string): void {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    for (let row = 1; row < this.chosen.length; ++row) {
      for (let column = 0; column < row; ++column) {
        const area = this.area(row, column), x = this.study.variables[this.chosen[column]].values[variant], y = this.study.variables[this.chosen[row]].values[variant];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        context.beginPath();
        context.arc(area.px(x), area.py(y), 5, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }
}
