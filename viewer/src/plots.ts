// The plots: one panel per group, all over the same time, marked where the animation is.

import uPlot from 'uplot';
import { Result } from './contract';
import { Curve, Curves, Group, startsOn } from './curves';
import { number, tick } from './numbers';
import { curveColour, styleOf } from './theme';

const dashes = [[], [7, 4], [2, 3], [8, 3, 2, 3]];
const mostCurves = 8;

class Panel {
  readonly element = document.createElement('section');
  private readonly legend = document.createElement('div');
  private readonly chart = document.createElement('div');
  private readonly marker = document.createElement('div');
  private readonly values: HTMLElement[] = [];
  private readonly shown: boolean[];
  private plot: uPlot | null = null;

  constructor(readonly group: Group, private readonly plots: Plots, private readonly labels: string[]) {
    const names = [...new Set(group.curves.map((curve) => curve.name))];
    // Where there are driven joints, these are what a reader asks for; the others wait to be switched on.
    const anyDriven = group.curves.some((curve) => curve.driven);
    // What is zero throughout (z in a plane, losses without friction) waits too, unless everything is.
    const allZero = group.curves.every((curve) => curve.zero);
    this.shown = group.curves.map((curve) =>
      names.indexOf(curve.name) < mostCurves && (curve.driven || !anyDriven) && (!curve.zero || allZero));
    this.element.className = 'panel';
    const heading = document.createElement('h3');
    heading.textContent = group.title;
    const unit = document.createElement('span');
    unit.textContent = group.unit ? ` ${group.unit}` : '';
    heading.append(unit);
    this.legend.className = 'legend';
    this.marker.className = 'marker';
    this.element.append(heading, this.legend, this.chart);
    group.curves.forEach((curve, k) => this.legend.append(this.key(curve, k, names)));
  }

  /** A switch with the colour, the name and the value now. */
  private key(curve: Curve, k: number, names: string[]): HTMLElement {
    const button = document.createElement('button'), swatch = document.createElement('i'), value = document.createElement('b');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(this.shown[k]));
    swatch.style.setProperty('--colour', `var(--c${names.indexOf(curve.name) % 8})`);
    swatch.dataset.dash = String(curve.result % dashes.length);
    const name = curve.name.slice(curve.name.indexOf('.') + 1);
    button.append(swatch, this.labels.length > 1 ? `${name}, ${this.labels[curve.result]} ` : `${name} `, value);
    button.addEventListener('click', () => {
      this.shown[k] = !this.shown[k];
      button.setAttribute('aria-pressed', String(this.shown[k]));
      this.plot?.setSeries(k + 1, { show: this.isDrawn(k) });
    });
    this.values.push(value);
    return button;
  }

  private isDrawn(k: number): boolean { return this.shown[k] && this.plots.visible[this.group.curves[k].result]; }

  /** A result was switched off or on: its curves and their names follow. */
  followResult(result: number): void {
    this.group.curves.forEach((curve, k) => {
      if (curve.result !== result) return;
      (this.legend.children[k] as HTMLElement).hidden = !this.plots.visible[result];
      this.plot?.setSeries(k + 1, { show: this.isDrawn(k) });
    });
  }

  draw(): void {
    this.plot?.destroy();
    const grid = styleOf('--line'), ink = styleOf('--soft');
    const names = [...new Set(this.group.curves.map((curve) => curve.name))];
    const font = '11px system-ui, sans-serif';
    const ticks = (_: uPlot, splits: number[]) => splits.map(tick);
    const seconds = (_: uPlot, splits: number[]) => splits.map((t, k) => (k === splits.length - 1 ? `${tick(t)} s` : tick(t)));
    const axis = { stroke: ink, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, values: ticks };
    this.plot = new uPlot({
      width: this.width(), height: 168, pxAlign: false, padding: [null, 30, null, null],
      legend: { show: false },
      cursor: { sync: { key: 'time' }, drag: { x: true, y: false }, points: { size: 6 } },
      scales: { x: { time: false }, y: { range: (_, low, high) => paddedRange(low, high) } },
      axes: [{ ...axis, size: 28, values: seconds }, { ...axis, size: 62 }],
      series: [{}, ...this.group.curves.map((curve, k) => ({
        label: curve.name, show: this.isDrawn(k), width: 1.6, points: { show: this.plots.curves.time.length < 3 },
        stroke: curveColour(names.indexOf(curve.name)), dash: dashes[curve.result % dashes.length],
      }))],
      hooks: {
        setScale: [(plot, key) => { if (key === 'x') this.plots.zoomed(plot.scales.x.min, plot.scales.x.max); this.mark(this.plots.now); }],
        setCursor: [(plot) => this.plots.hovered(plot.cursor.idx ?? null, (plot.cursor.left ?? -1) >= 0)],
      },
    }, [this.plots.curves.time, ...this.group.curves.map((curve) => curve.values)] as unknown as uPlot.AlignedData, this.chart);
    this.plot.over.append(this.marker);
    this.legend.classList.toggle('more', this.legend.scrollHeight > this.legend.clientHeight + 2);
    this.listenForClicks(this.plot);
    this.zoom(this.plots.from, this.plots.until);
    this.mark(this.plots.now);
  }

  /** A click goes to that instant; a drag is a zoom. */
  private listenForClicks(plot: uPlot): void {
    let pressed = 0;
    plot.over.addEventListener('pointerdown', (event) => { pressed = event.clientX; });
    plot.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - pressed) > 3) return;
      this.plots.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
  }

  private width(): number { return Math.max(220, this.element.clientWidth - 2); }
  resize(): void { this.plot?.setSize({ width: this.width(), height: 168 }); }
  clear(): void { this.plot?.destroy(); this.plot = null; }

  zoom(from: number, until: number): void {
    if (this.plot && (this.plot.scales.x.min !== from || this.plot.scales.x.max !== until)) {
      this.plot.setScale('x', { min: from, max: until });
    }
  }

  mark(t: number): void {
    if (!this.plot) return;
    // The width from the plot, not from the page: asking the page in every frame makes it lay itself out.
    const x = this.plot.valToPos(t, 'x'), width = this.plot.bbox.width / uPlot.pxRatio;
    this.marker.hidden = !(x >= -1 && x <= width + 1);
    this.marker.style.transform = `translateX(${x}px)`;
  }

  tell(index: number): void {
    this.group.curves.forEach((curve, k) => {
      const text = number(curve.values[index]);
      if (this.values[k].textContent !== text) this.values[k].textContent = text;
    });
  }
}

export class Plots {
  readonly curves: Curves;
  readonly panels: Panel[];
  readonly visible: boolean[]; // per result
  now = 0;
  from: number;
  until: number;
  private readonly on: boolean[];
  private readonly body = document.createElement('div');
  private readonly chips = document.createElement('div');
  private hover: number | null = null;
  private busy = false;

  constructor(private readonly host: HTMLElement, results: Result[], private readonly resetButton: HTMLElement,
              readonly seek: (t: number) => void) {
    this.curves = new Curves(results);
    this.visible = results.map(() => true);
    this.from = this.start;
    this.until = this.end;
    const labels = results.map((result) => result.label);
    this.panels = this.curves.groups.map((group) => new Panel(group, this, labels));
    this.on = this.curves.groups.map((group) => startsOn(group));
    this.chips.className = 'chips';
    this.panels.forEach((panel, k) => this.chips.append(this.chip(panel, k)));
    this.body.className = 'panels';
    host.append(this.chips, this.body);
    resetButton.addEventListener('click', () => this.zoom(this.start, this.end));
    this.draw();
    new ResizeObserver(() => this.panels.forEach((panel) => panel.resize())).observe(this.body);
  }

  private get start(): number { return this.curves.time[0]; }
  private get end(): number { return this.curves.time[this.curves.time.length - 1]; }

  private chip(panel: Panel, k: number): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = panel.group.title;
    button.setAttribute('aria-pressed', String(this.on[k]));
    button.addEventListener('click', () => {
      this.on[k] = !this.on[k];
      button.setAttribute('aria-pressed', String(this.on[k]));
      this.draw();
    });
    return button;
  }

  /** Anew, with the colours of the day. */
  draw(): void {
    this.panels.forEach((panel, k) => {
      panel.clear();
      panel.element.remove();
      if (!this.on[k]) return;
      this.body.append(panel.element);
      panel.draw();
    });
    if (!this.on.some(Boolean)) this.body.textContent = '';
    this.host.classList.toggle('empty', !this.on.some(Boolean));
    this.at(this.now);
  }

  showResult(result: number, on: boolean): void {
    this.visible[result] = on;
    for (const panel of this.panels) panel.followResult(result);
  }

  /** The animation is at t; with the values there when `tells`. */
  at(t: number, tells = true): void {
    this.now = t;
    const index = this.hover ?? this.curves.nearest(t);
    this.panels.forEach((panel, k) => {
      if (!this.on[k]) return;
      panel.mark(t);
      if (tells) panel.tell(index);
    });
  }

  hovered(index: number | null, inside: boolean): void {
    this.hover = inside ? index : null;
    const shown = this.hover ?? this.curves.nearest(this.now);
    this.panels.forEach((panel, k) => { if (this.on[k]) panel.tell(shown); });
  }

  /** One panel was zoomed: all follow. */
  zoomed(from: number | undefined, until: number | undefined): void {
    if (this.busy || from === undefined || until === undefined || from === null || until === null) return;
    this.zoom(from, until);
  }

  zoom(from: number, until: number): void {
    this.from = Math.max(from, this.start);
    this.until = Math.min(until, this.end);
    this.busy = true;
    for (const panel of this.panels) panel.zoom(this.from, this.until);
    this.busy = false;
    this.resetButton.toggleAttribute('disabled', this.from <= this.start && this.until >= this.end);
  }

  /** Around the present instant. */
  zoomBy(factor: number): void {
    const half = (0.5 * (this.until - this.from)) / factor, whole = this.end - this.start;
    const centre = Math.min(Math.max(this.now, this.start + Math.min(half, whole / 2)), this.end - Math.min(half, whole / 2));
    this.zoom(centre - half, centre + half);
  }
}

/** A little room above and below; a constant, or round-off about one, is a flat line rather than noise. */
function paddedRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-6 * size || size === 0) {
    const half = size === 0 ? 1 : 0.5 * size;
    return [low - half, high + half];
  }
  const margin = 0.06 * (high - low);
  return [low - margin, high + margin];
}
