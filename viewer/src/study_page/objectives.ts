// The front of two objectives, and the history of a search.

import { css } from '../data_page/colours';
import { PlotArea, rangeOf } from '../data_page/plot_area';
import { styleOf } from '../theme';
import type { Selection } from './selection';
import type { Study } from './study';
import { Colouring, onDrag, View } from './view';

const left = 74, right = 14, top = 10, bottom = 44;
const mostMoving = 1500; // variants that are drawn while a brush moves

/** Points in a plane of two columns; what a subclass says about them comes on top. */
abstract class Plane extends View {
  constructor(parent: HTMLElement, study: Study, selection: Selection, colouring: Colouring) {
    super(parent, study, selection, colouring, (width) => Math.min(Math.max(280, 0.7 * width), 420));
    this.canvas.element.style.touchAction = 'pan-y';
    onDrag(this.canvas, { start: () => false, move: () => undefined, end: () => undefined, click: (at) => selection.pick(this.nearest(...at)) });
    this.canvas.element.addEventListener('pointermove', (event) => selection.hover(this.nearest(...this.canvas.place(event))));
    this.canvas.element.addEventListener('pointerleave', () => selection.hover(-1));
  }

  protected abstract xs(): Float64Array;
  protected abstract ys(): Float64Array;
  protected abstract names(): [string, string];
  protected abstract paintMore(context: CanvasRenderingContext2D, area: PlotArea): void;

  protected area(): PlotArea {
    return new PlotArea(left, top, this.canvas.width - left - right, this.canvas.height - top - bottom, rangeOf(this.xs()), rangeOf(this.ys()));
  }

  private nearest(x: number, y: number): number {
    const area = this.area(), a = this.xs(), b = this.ys();
    let best = -1, least = 9;
    for (let k = 0; k < this.study.count; ++k) {
      const far = Math.hypot(area.px(a[k]) - x, area.py(b[k]) - y);
      if (far < least) [best, least] = [k, far];
    }
    return best;
  }

  protected paint(context: CanvasRenderingContext2D): void {
    const area = this.area(), a = this.xs(), b = this.ys(), { study, selection } = this, radius = study.count > 2000 ? 2 : 3;
    const step = selection.moving ? Math.max(1, Math.ceil(study.count / mostMoving)) : 1, broken = styleOf('--ground');
    for (let k = 0; k < study.count; k += step) {
      if (!Number.isFinite(a[k]) || !Number.isFinite(b[k])) continue;
      const [x, y] = [area.px(a[k]), area.py(b[k])];
      context.globalAlpha = selection.selected[k] ? 1 : 0.15;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      if (study.feasible[k]) {
        context.fillStyle = css(this.colouring.step(k) / 255);
        context.fill();
      } else {
        context.strokeStyle = broken;
        context.lineWidth = 1;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
    this.paintMore(context, area);
    area.frame(context, ...this.names());
  }

  protected mark(context: CanvasRenderingContext2D, variant: number, colour: string): void {
    const area = this.area(), x = area.px(this.xs()[variant]), y = area.py(this.ys()[variant]);
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** Two objectives against each other, with the variants that none other beats in both. */
export class Front extends Plane {
  private objective(k: number) { return this.study.variables[this.study.objectives[k].variable]; }
  protected xs(): Float64Array { return this.objective(0).values; }
  protected ys(): Float64Array { return this.objective(1).values; }
  protected names(): [string, string] {
    const name = (k: number) => `${this.objective(k).name} (${this.study.objectives[k].maximize ? 'largest' : 'least'} is best)`;
    return [name(0), name(1)];
  }

  protected paintMore(context: CanvasRenderingContext2D, area: PlotArea): void {
    const front = this.study.front();
    context.strokeStyle = styleOf('--c1');
    context.fillStyle = styleOf('--c1');
    context.lineWidth = 2;
    context.beginPath();
    for (const k of front) context.lineTo(area.px(this.xs()[k]), area.py(this.ys()[k]));
    context.stroke();
    for (const k of front) {
      context.beginPath();
      context.arc(area.px(this.xs()[k]), area.py(this.ys()[k]), 3.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** The first objective over the variants in their order, with the best so far of every search. */
export class History extends Plane {
  protected xs(): Float64Array { return this.study.numbers; }
  protected ys(): Float64Array { return this.study.variables[this.study.objectives[0].variable].values; }
  protected names(): [string, string] { return ['variant, search after search', this.study.variables[this.study.objectives[0].variable].name]; }

  protected paintMore(context: CanvasRenderingContext2D, area: PlotArea): void {
    const { study } = this, searches = study.data.analysis.searches ?? [], ends: number[] = [];
    let sum = 0;
    for (const { evaluations } of searches) ends.push((sum += evaluations));
    const known = sum === study.data.rows ? ends : [study.data.rows], sign = study.objectives[0].maximize ? -1 : 1, values = this.ys();
    let search = 0, best = Infinity;
    context.lineWidth = 2;
    context.strokeStyle = styleOf('--c1');
    context.beginPath();
    for (let k = 0; k < study.count; ++k) {
      if (study.numbers[k] >= known[search]) { // the next one starts anew
        ++search;
        best = Infinity;
      }
      const before = best;
      if (study.feasible[k] && Number.isFinite(values[k])) best = Math.min(best, sign * values[k]);
      if (best === Infinity) continue;
      const [x, y] = [area.px(this.xs()[k]), area.py(sign * best)];
      if (before === Infinity) context.moveTo(x, y);
      else {
        context.lineTo(x, area.py(sign * before));
        context.lineTo(x, y);
      }
    }
    context.stroke();
    context.strokeStyle = styleOf('--line');
    context.lineWidth = 1;
    for (const end of known.slice(0, -1)) {
      context.beginPath();
      context.moveTo(area.px(end - 0.5), area.top);
      context.lineTo(area.px(end - 0.5), area.top + area.height);
      context.stroke();
    }
  }
}
