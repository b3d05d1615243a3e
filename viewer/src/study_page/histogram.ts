// How often values of a variable occur, among all variants and among the selected ones.

import { partOf, PlotArea, Range } from '../data_page/plot_area';
import { number } from '../numbers';
import { styleOf } from '../theme';
import type { Selection } from './selection';
import type { Study } from './study';
import { Colouring, onDrag, View } from './view';

export interface Bins {
  all: Uint32Array;
  selected: Uint32Array;
  most: number;
}

export function bins(study: Study, selection: Selection, variable: number, count: number): Bins {
  const { values, range } = study.variables[variable], all = new Uint32Array(count), selected = new Uint32Array(count);
  for (let k = 0; k < values.length; ++k) {
    if (!Number.isFinite(values[k])) continue;
    const bin = Math.min(count - 1, Math.max(0, Math.floor(partOf(range, values[k]) * count)));
    ++all[bin];
    if (selection.selected[k]) ++selected[bin];
  }
  return { all, selected, most: Math.max(1, ...all) };
}

export function paintBars(context: CanvasRenderingContext2D, area: PlotArea, { all, selected, most }: Bins): void {
  const width = area.width / all.length, room = area.height - 20;
  for (const [counts, colour, alpha] of [[all, '--ground', 0.35], [selected, '--accent', 0.85]] as const) {
    context.fillStyle = styleOf(colour);
    context.globalAlpha = alpha;
    counts.forEach((value, k) => {
      const height = (value / most) * room;
      if (value > 0) context.fillRect(area.left + k * width + 0.5, area.top + area.height - height, Math.max(1, width - 1), height);
    });
  }
  context.globalAlpha = 1;
}

/** One output with its limits and means; a drag brushes it. */
export class Histogram extends View {
  constructor(parent: HTMLElement, study: Study, selection: Selection, colouring: Colouring, private readonly variable: number, private readonly tell: (text: string) => void) {
    super(parent, study, selection, colouring, () => 150);
    this.canvas.element.style.touchAction = 'pan-y';
    let from = 0;
    onDrag(this.canvas, {
      start: ([x]) => {
        from = x;
        return true;
      },
      move: ([x]) => selection.brush([[variable, [this.area().xAt(from), this.area().xAt(x)]]], true),
      end: () => selection.brush([], false),
      click: () => selection.brush([[variable, null]]),
    });
  }

  private area(): PlotArea {
    const range: Range = this.study.variables[this.variable].range;
    return new PlotArea(8, 4, this.canvas.width - 16, this.canvas.height - 34, range, { low: 0, high: 1 });
  }

  private mean(only: boolean): number {
    const { values } = this.study.variables[this.variable];
    let sum = 0, count = 0;
    for (let k = 0; k < values.length; ++k) {
      if (!Number.isFinite(values[k]) || (only && !this.selection.selected[k])) continue;
      sum += values[k];
      ++count;
    }
    return sum / count;
  }

  protected paint(context: CanvasRenderingContext2D): void {
    const area = this.area(), { least, most } = this.study.variables[this.variable];
    area.frame(context, '', '');
    context.clearRect(0, 0, area.left - 0.5, this.canvas.height - 26); // counts need no marks
    paintBars(context, area, bins(this.study, this.selection, this.variable, Math.min(40, Math.max(10, Math.round(area.width / 9)))));
    for (const [value, colour, dash] of [[least, '--c6', []], [most, '--c6', []], [this.mean(true), '--ink', [4, 3]]] as const) {
      if (value === null || !area.has(area.px(value), area.top + 1)) continue;
      context.strokeStyle = styleOf(colour);
      context.lineWidth = 1.5;
      context.setLineDash([...dash]);
      context.beginPath();
      context.moveTo(area.px(value), area.top);
      context.lineTo(area.px(value), area.top + area.height);
      context.stroke();
      context.setLineDash([]);
    }
    const brush = this.selection.brushes.get(this.variable);
    if (brush) {
      context.fillStyle = styleOf('--accent');
      context.globalAlpha = 0.14;
      context.fillRect(area.px(brush[0]), area.top, area.px(brush[1]) - area.px(brush[0]), area.height);
      context.globalAlpha = 1;
    }
    this.tell(this.selection.isAll ? `mean ${number(this.mean(false), 4)}` : `mean ${number(this.mean(true), 4)}, of all ${number(this.mean(false), 4)}`);
  }

  protected mark(context: CanvasRenderingContext2D, variant: number, colour: string): void {
    const area = this.area(), value = this.study.variables[this.variable].values[variant];
    if (!Number.isFinite(value)) return;
    context.fillStyle = colour;
    context.beginPath();
    const x = area.px(value), floor = area.top + area.height;
    context.moveTo(x, floor - 9);
    context.lineTo(x + 5, floor);
    context.lineTo(x - 5, floor);
    context.fill();
  }
}
