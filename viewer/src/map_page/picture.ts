// The picture of a quantity: colours, contour lines, boundaries, what is not reached hatched, the colour scale.

import { Canvas } from '../data_page/canvas';
import { drawColourBar } from '../data_page/colour_bar';
import { steps } from '../data_page/colours';
import { Levels } from '../data_page/levels';
import { PlotArea } from '../data_page/plot_area';
import { number } from '../numbers';
import { styleOf } from '../theme';
import { reading } from '../units';
import { Field } from './field';
import type { Line, WorkspaceMap } from './map';

export const lineStyles: Record<string, { colour: string; dash: number[] }> = {
  reach: { colour: '--ink', dash: [] }, actuation: { colour: '--c6', dash: [8, 4] },
  task: { colour: '--c3', dash: [2, 3] }, stop: { colour: '--c1', dash: [8, 3, 2, 3] },
};
const top = 12, bottom = 44, hatch = 7;
/** Room for marks and names beside the picture: left, and right for the scale. */
const sides = (width: number): [number, number] => (width < 500 ? [54, 58] : [74, 86]);

export interface Look {
  column: number;
  layer: number;
  contours: boolean;
}

export class Picture {
  readonly canvas: Canvas;
  private area: PlotArea | null = null;
  private readonly levels: (Levels | undefined)[] = [];
  private coloured: { key: string; image: HTMLCanvasElement } | null = null;
  private lookNow: Look = { column: 0, layer: 0, contours: true };
  /** Axis values that are marked: under the pointer, and of the pose. */
  hovered: number[] | null = null;
  posed: number[] | null = null;

  constructor(parent: HTMLElement, private readonly map: WorkspaceMap) {
    const [x, y] = map.axes, same = x.unit === y.unit;
    this.canvas = new Canvas(parent, (width) => {
      const [left, right] = sides(width), inner = Math.max(80, width - left - right), wanted = same ? Math.min(Math.max((inner * (y.to - y.from)) / (x.to - x.from), 0.3 * inner), 1.6 * inner) : 0.75 * inner;
      return Math.min(wanted, Math.max(280, 0.72 * innerHeight)) + top + bottom;
    }, () => this.draw());
  }

  get look(): Look { return this.lookNow; }
  set look(look: Look) {
    this.lookNow = look;
    this.canvas.redraw();
  }

  /** Of the whole map, so that layers can be compared. */
  levelsOf(column: number): Levels { return (this.levels[column] ??= new Levels(this.map.columns[column].values)); }

  /** Values of the first two axes under a place of the canvas; null beside the picture. */
  valuesAt(px: number, py: number): [number, number] | null {
    return this.area?.has(px, py) ? [this.area.xAt(px), this.area.yAt(py)] : null;
  }
  /** Where values of the first two axes are on the canvas. */
  placeOf(x: number, y: number): [number, number] { return this.area ? [this.area.px(x), this.area.py(y)] : [0, 0]; }

  private areaNow(): PlotArea {
    const [x, y] = this.map.axes, { width, height } = this.canvas, [left, right] = sides(width);
    let wide = width - left - right, tall = height - top - bottom;
    if (x.unit === y.unit) {
      const ratio = (y.to - y.from) / (x.to - x.from);
      if (ratio >= 0.3 && ratio <= 3) [wide, tall] = [Math.min(wide, tall / ratio), Math.min(tall, wide * ratio)];
    }
    return new PlotArea(left + Math.max(0, (width - left - right - wide) / 2), top, wide, tall, { low: x.from, high: x.to }, { low: y.from, high: y.to });
  }

  private field(): Field {
    const { column, layer } = this.lookNow, { map } = this, { values } = map.columns[column];
    return new Field(values.subarray(layer * map.layerSize, (layer + 1) * map.layerSize), map.axes[0].count, map.axes[1].count, map.endsOf(layer));
  }

  private draw(): void {
    const { context } = this.canvas, { map } = this, area = (this.area = this.areaNow()), field = this.field(), levels = this.levelsOf(this.lookNow.column);
    this.drawHatching(area);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.colours(area, field, levels), area.left, area.top, area.width, area.height);
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    if (this.lookNow.contours) this.drawContours(area, field, levels);
    for (const line of map.linesOf(this.lookNow.layer)) this.drawLine(area, line);
    context.restore();
    const name = (axis: number) => `${map.axes[axis].coordinate} (${map.axes[axis].unit})`;
    area.frame(context, name(0), name(1));
    this.drawScale(area, levels);
    this.drawMarks(area);
  }

  private drawHatching({ left: x, top: y, width, height }: PlotArea): void {
    const { context } = this.canvas;
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.fillStyle = styleOf('--paper');
    context.fillRect(x, y, width, height);
    context.strokeStyle = styleOf('--stage-grid');
    context.lineWidth = 1.5;
    context.beginPath();
    for (let k = -height; k < width; k += hatch) {
      context.moveTo(x + k, y + height);
      context.lineTo(x + k + height, y);
    }
    context.stroke();
    context.restore();
  }

  /** Computed once per quantity, layer and size. */
  private colours(area: PlotArea, field: Field, levels: Levels): HTMLCanvasElement {
    const sharp = Math.min(this.canvas.ratio, 1.5), wide = Math.max(2, Math.round(area.width * sharp)), tall = Math.max(2, Math.round(area.height * sharp));
    const key = [this.lookNow.column, this.lookNow.layer, wide, tall].join(' ');
    if (this.coloured?.key === key) return this.coloured.image;
    const image = document.createElement('canvas');
    [image.width, image.height] = [wide, tall];
    const context = image.getContext('2d')!, pixels = context.createImageData(wide, tall), out = new Uint32Array(pixels.data.buffer);
    for (let r = 0; r < tall; ++r) {
      const y = (1 - (r + 0.5) / tall) * (field.ny - 1);
      for (let c = 0; c < wide; ++c) {
        const value = field.at(((c + 0.5) / wide) * (field.nx - 1), y);
        if (!Number.isNaN(value)) out[r * wide + c] = steps[Math.min(255, Math.max(0, Math.round(255 * levels.part(value))))];
      }
    }
    context.putImageData(pixels, 0, 0);
    this.coloured = { key, image };
    return image;
  }

  private drawContours(area: PlotArea, field: Field, levels: Levels): void {
    const { context } = this.canvas, x = (i: number) => area.left + (i / (field.nx - 1)) * area.width, y = (j: number) => area.top + area.height * (1 - j / (field.ny - 1));
    context.strokeStyle = 'rgb(255 255 255 / 65%)';
    context.lineWidth = 1;
    context.beginPath();
    for (const level of levels.at) {
      const pieces = field.contour(level);
      for (let k = 0; k < pieces.length; k += 4) {
        context.moveTo(x(pieces[k]), y(pieces[k + 1]));
        context.lineTo(x(pieces[k + 2]), y(pieces[k + 3]));
      }
    }
    context.stroke();
  }

  private drawLine(area: PlotArea, line: Line): void {
    const { context } = this.canvas, style = lineStyles[line.kind] ?? lineStyles.reach;
    context.strokeStyle = styleOf(style.colour);
    context.setLineDash(style.dash);
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.beginPath();
    for (let k = 0; k + 1 < line.places.length; k += 2) context.lineTo(area.px(line.places[k]), area.py(line.places[k + 1]));
    context.stroke();
    context.setLineDash([]);
  }

  private drawScale(area: PlotArea, levels: Levels): void {
    const { context } = this.canvas, { unit, values } = this.map.columns[this.lookNow.column];
    if (!Number.isFinite(levels.low)) return;
    let largest = 0;
    for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
    const shown = reading(unit === '1' ? '' : unit, Math.min(largest, Math.max(Math.abs(levels.low), Math.abs(levels.high))), false);
    drawColourBar(context, area, levels, 16, 12, (level) => number(level * shown.factor, 3));
    context.fillStyle = styleOf('--ink');
    context.textAlign = 'right';
    context.textBaseline = 'top';
    context.fillText(shown.unit, Math.min(this.canvas.width - 2, area.left + area.width + 70), area.top + area.height + 8);
  }

  private drawMarks(area: PlotArea): void {
    const { context } = this.canvas;
    for (const [place, radius, colour] of [[this.posed, 6, '#fff'], [this.hovered, 4, '#fff']] as const) {
      if (!place) continue;
      const [x, y] = [area.px(place[0]), area.py(place[1])];
      for (const [width, style] of [[4, '#111'], [2, colour]] as const) {
        context.strokeStyle = style;
        context.lineWidth = width;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.stroke();
      }
      if (radius < 6) continue;
      context.fillStyle = styleOf('--c6');
      context.fill();
    }
  }
}
