// What the pictures of a study have in common: painted once per selection, marks on top, colours by one quantity.

import { Canvas } from '../data_page/canvas';
import { Levels } from '../data_page/levels';
import { styleOf } from '../theme';
import type { Selection } from './selection';
import type { Study } from './study';

/** Colours of variants by one variable. */
export class Colouring {
  variable = 0;
  private steps = new Uint8Array(0); // per variant, of 256 of the scale
  levels!: Levels;

  constructor(private readonly study: Study) {}

  by(variable: number): void {
    this.variable = variable;
    const { values } = this.study.variables[variable];
    this.levels = new Levels(values);
    this.steps = Uint8Array.from(values, (value) => Math.round(255 * Math.min(Math.max(this.levels.part(value), 0), 1)));
  }
  step(variant: number): number { return this.steps[variant]; }
}

/** A colour of the style sheet as little-endian RGBA. */
export function pixelOf(name: string, alpha = 255): number {
  const value = parseInt(styleOf(name).slice(1), 16);
  return ((alpha << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

export abstract class View {
  readonly canvas: Canvas;
  private base: { image: HTMLCanvasElement; key: string } | null = null;

  constructor(parent: HTMLElement, protected readonly study: Study, protected readonly selection: Selection, protected readonly colouring: Colouring, heightOf: (width: number) => number) {
    this.canvas = new Canvas(parent, heightOf, () => this.draw());
    selection.listen(() => this.refresh(), () => this.canvas.redraw());
  }

  /** What is painted has changed. */
  refresh(): void {
    this.base = null;
    this.canvas.redraw();
  }

  /** Paints everything but the marked variants, in page pixels. */
  protected abstract paint(context: CanvasRenderingContext2D, pixels: { width: number; height: number; ratio: number }): void;
  /** Marks one variant. */
  protected abstract mark(context: CanvasRenderingContext2D, variant: number, colour: string): void;

  private draw(): void {
    const { context, width, height, ratio } = this.canvas, key = `${width} ${height} ${ratio} ${styleOf('--paper')}`;
    if (this.base?.key !== key) {
      const image = document.createElement('canvas');
      [image.width, image.height] = [this.canvas.element.width, this.canvas.element.height];
      const own = image.getContext('2d')!;
      own.scale(ratio, ratio);
      this.paint(own, { width: image.width, height: image.height, ratio });
      this.base = { image, key };
    }
    context.drawImage(this.base.image, 0, 0, width, height);
    if (this.selection.picked >= 0) this.mark(context, this.selection.picked, styleOf('--c6'));
    if (this.selection.hovered >= 0) this.mark(context, this.selection.hovered, styleOf('--ink'));
  }
}

/** A drag over a canvas, or a click where it has not moved. */
export function onDrag(canvas: Canvas, handlers: { start(at: [number, number]): boolean; move(at: [number, number]): void; end(): void; click(at: [number, number]): void }): void {
  const { element } = canvas;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const from = canvas.place(event), drags = handlers.start(from);
    let moved = false;
    element.setPointerCapture(event.pointerId);
    const move = (now: PointerEvent) => {
      const at = canvas.place(now);
      moved ||= Math.hypot(at[0] - from[0], at[1] - from[1]) > 4;
      if (moved && drags) handlers.move(at);
    };
    const stop = (now: PointerEvent) => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', stop);
      element.removeEventListener('pointercancel', stop);
      if (moved && drags) handlers.end();
      else if (!moved && now.type === 'pointerup') handlers.click(from);
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', stop);
    element.addEventListener('pointercancel', stop);
  });
}

/** A name cut to the room that it has. */
export function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) --length;
  return `${text.slice(0, length)}…`;
}
