// Response surface of an output over two axes: the quadratic that fits all variants best, the others as they are on average.

import { drawColourBar } from '../data_page/colour_bar';
import { css, steps } from '../data_page/colours';
import { Levels } from '../data_page/levels';
import { PlotArea } from '../data_page/plot_area';
import { number } from '../numbers';
import { styleOf } from '../theme';
import type { Surface } from './contract';
import type { Selection } from './selection';
import type { Study } from './study';
import { Colouring, onDrag, View } from './view';

const left = 74, right = 70, top = 10, bottom = 44, samples = 90;
const most = 1500, mostMoving = 300; // variants that are drawn; while a brush moves

/** Value of a surface at values of all axes. */
export function surfaceAt(surface: Surface, values: ArrayLike<number>): number {
  const x = surface.mean.map((mean, k) => (values[k] - mean) / surface.scale[k]);
  let sum = surface.constant ?? NaN, term = 0;
  for (let i = 0; i < x.length; ++i) sum += surface.linear[i] * x[i];
  if (surface.quadratic.length > 0) for (let i = 0; i < x.length; ++i) for (let j = i; j < x.length; ++j) sum += surface.quadratic[term++] * x[i] * x[j];
  return sum;
}

export class SurfaceView extends View {
  /** Axes along x and y, and the output. */
  x = 0;
  y = 1;
  output: number;
  private heat: { key: string; levels: Levels; image: HTMLCanvasElement | null } | null = null;

  constructor(parent: HTMLElement, study: Study, selection: Selection, colouring: Colouring) {
    super(parent, study, selection, colouring, (width) => Math.min(Math.max(280, 0.75 * width), 440));
    this.output = study.objectives[0]?.variable ?? study.axes;
    this.canvas.element.style.touchAction = 'pan-y';
    let from: [number, number] = [0, 0];
    onDrag(this.canvas, {
      start: (at) => {
        from = at;
        return this.area().has(...at);
      },
      move: (at) => selection.brush([[this.x, [this.area().xAt(from[0]), this.area().xAt(at[0])]], [this.y, [this.area().yAt(from[1]), this.area().yAt(at[1])]]], true),
      end: () => selection.brush([], false),
      click: (at) => selection.pick(this.nearest(...at)),
    });
    this.canvas.element.addEventListener('pointermove', (event) => { if (event.buttons === 0) selection.hover(this.nearest(...this.canvas.place(event))); });
    this.canvas.element.addEventListener('pointerleave', () => selection.hover(-1));
  }

  get surface(): Surface | null { return this.study.data.surfaces[this.output - this.study.axes] ?? null; }

  private area(): PlotArea {
    const { variables } = this.study;
    return new PlotArea(left, top, this.canvas.width - left - right, this.canvas.height - top - bottom, variables[this.x].range, variables[this.y].range);
  }

  private nearest(x: number, y: number): number {
    const area = this.area(), a = this.study.variables[this.x].values, b = this.study.variables[this.y].values;
    let best = -1, least = 9;
    for (let k = 0; k < this.study.count; ++k) {
      const far = Math.hypot(area.px(a[k]) - x, area.py(b[k]) - y);
      if (far < least && this.selection.selected[k]) [best, least] = [k, far];
    }
    return best;
  }

  protected paint(context: CanvasRenderingContext2D): void {
    const area = this.area(), { study } = this, values = study.variables[this.output].values, { levels, image } = this.heatNow(area);
    if (image) context.drawImage(image, area.left, area.top, area.width, area.height);
    this.paintVariants(context, area, values, levels);
    area.frame(context, study.variables[this.x].name, study.variables[this.y].name);
    drawColourBar(context, area, levels, 14, 10, (level) => number(level, 3));
  }

  /** Levels and picture of the surface, made once per choice of axes and output. */
  private heatNow(area: PlotArea): { levels: Levels; image: HTMLCanvasElement | null } {
    const key = [this.x, this.y, this.output].join(' ');
    if (this.heat?.key === key) return this.heat;
    const { surface } = this, levels = new Levels(this.study.variables[this.output].values);
    let image: HTMLCanvasElement | null = null;
    if (surface) {
      image = document.createElement('canvas');
      const own = image.getContext('2d')!;
      [image.width, image.height] = [samples, samples];
      const pixels = own.createImageData(samples, samples), out = new Uint32Array(pixels.data.buffer), place = [...surface.mean];
      for (let r = 0; r < samples; ++r) {
        for (let c = 0; c < samples; ++c) {
          place[this.x] = area.xAt(area.left + ((c + 0.5) / samples) * area.width);
          place[this.y] = area.yAt(area.top + ((r + 0.5) / samples) * area.height);
          const value = surfaceAt(surface, place), part = levels.part(value);
          if (!Number.isNaN(value)) out[r * samples + c] = steps[Math.round(255 * Math.min(Math.max(Number.isNaN(part) ? 0 : part, 0), 1))];
        }
      }
      own.putImageData(pixels, 0, 0);
    }
    this.heat = { key, levels, image };
    return this.heat;
  }

  private paintVariants(context: CanvasRenderingContext2D, area: PlotArea, values: Float64Array, levels: Levels): void {
    const { study } = this;
    const chosen = study.variables[this.x].values, other = study.variables[this.y].values, step = Math.max(1, Math.ceil(this.selection.count / (this.selection.moving ? mostMoving : most)));
    let seen = 0;
    for (let k = 0; k < study.count; ++k) {
      if (!this.selection.selected[k] || ++seen % step !== 0) continue;
      context.beginPath();
      context.arc(area.px(chosen[k]), area.py(other[k]), 3.2, 0, 2 * Math.PI);
      context.fillStyle = Number.isFinite(values[k]) ? css(levels.part(values[k])) : styleOf('--c6');
      context.fill();
      context.strokeStyle = 'rgb(255 255 255 / 80%)';
      context.lineWidth = 0.8;
      context.stroke();
    }
  }

  protected mark(context: CanvasRenderingContext2D, variant: number, colour: string): void {
    const area = this.area();
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(area.px(this.study.variables[this.x].values[variant]), area.py(this.study.variables[this.y].values[variant]), 6, 0, 2 * Math.PI);
    context.stroke();
  }
}
