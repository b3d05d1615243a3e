// Which variants are selected: those within all brushed intervals. All views share it.

import type { Study } from './study';

export class Selection {
  /** Interval per variable. */
  readonly brushes = new Map<number, [number, number]>();
  readonly selected: Uint8Array;
  count: number;
  /** Under the pointer, and clicked; -1: none. */
  hovered = -1;
  picked = -1;
  /** A brush is being drawn: views may draw less. */
  moving = false;
  private readonly changed: (() => void)[] = [];
  private readonly marked: (() => void)[] = [];

  constructor(private readonly study: Study) {
    this.selected = new Uint8Array(study.count).fill(1);
    this.count = study.count;
  }

  /** `changed`: other variants are selected; `marked`: another one is hovered or picked. */
  listen(changed: () => void, marked: () => void): void {
    this.changed.push(changed);
    this.marked.push(marked);
  }

  brush(intervals: [variable: number, interval: [number, number] | null][], moving = false): void {
    for (const [variable, interval] of intervals) {
      if (interval) this.brushes.set(variable, [Math.min(...interval), Math.max(...interval)]);
      else this.brushes.delete(variable);
    }
    this.moving = moving;
    this.select();
  }

  clear(): void { this.brush([...this.brushes.keys()].map((variable) => [variable, null])); }

  hover(variant: number): void {
    if (variant === this.hovered) return;
    this.hovered = variant;
    for (const call of this.marked) call();
  }

  pick(variant: number): void {
    this.picked = variant;
    for (const call of this.marked) call();
  }

  get isAll(): boolean { return this.brushes.size === 0; }

  private select(): void {
    this.selected.fill(1);
    for (const [variable, [low, high]] of this.brushes) {
      const { values } = this.study.variables[variable];
      for (let k = 0; k < values.length; ++k) if (!(values[k] >= low && values[k] <= high)) this.selected[k] = 0;
    }
    this.count = this.selected.reduce((sum, one) => sum + one, 0);
    for (const call of this.changed) call();
  }
}
