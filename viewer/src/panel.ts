// One panel of the plots: curves of a group over time (uPlot), as a spectrum or against another curve (SVG).

import uPlot from 'uplot';
import { Curve, Group } from './curves';
import { number, ticks } from './numbers';
import type { Plots } from './plots';
import { spectrumOf } from './spectrum';
import { Chart, ChartCurve, svgChart } from './svg_chart';
import { curveColour, styleOf } from './theme';
import { Reading, reading } from './units';

const dashes = [[], [7, 4], [2, 3], [8, 3, 2, 3]];
const mostCurves = 8, tall = 168, smallest = 6; // px: a drag shorter than this along an axis does not zoom along it

/** What stands along the horizontal axis: the time, the frequency, or a curve by its name. */
export type Abscissa = 'time' | 'spectrum' | string;

export class Panel {
  readonly element = document.createElement('section');
  abscissa: Abscissa = 'time';
  private readonly heading = document.createElement('h3');
  private readonly unit = document.createElement('span');
  private readonly legend = document.createElement('div');
  private readonly chart = document.createElement('div');
  private readonly marker = document.createElement('div');
  private readonly picker = document.createElement('select');
  private readonly more = document.createElement('button');
  private readonly values: HTMLElement[] = [];
  private readonly peaks: HTMLElement[] = [];
  private readonly names: string[];
  readonly shown: boolean[];
  private plot: uPlot | null = null;
  private read: Reading = { factor: 1, unit: '' };
  private zoomedY: [number, number] | null = null;
  private sighted = false; // on the screen, or nearly
  private due = false; // its chart, once it comes in sight

  constructor(public group: Group, private readonly plots: Plots, private readonly labels: string[]) {
    this.names = [...new Set(group.curves.map((curve) => curve.name))];
    // Where there are driven joints, or places of the largest stress, these are what a reader asks for; the others wait.
    const anyLeads = group.curves.some((curve) => curve.leads);
    // What is zero throughout (z in a plane, losses without friction) waits too, unless everything is.
    const allZero = group.curves.every((curve) => curve.zero);
    this.shown = group.curves.map((curve) =>
      this.names.indexOf(curve.name) < mostCurves && (curve.leads || !anyLeads) && (!curve.zero || allZero));
    this.element.className = 'panel';
    this.heading.append(group.title, this.unit);
    this.legend.className = 'legend folded';
    this.marker.className = 'marker';
    this.chart.className = 'chart';
    const head = document.createElement('div');
    head.className = 'head';
    head.append(this.heading, this.makePicker());
    this.element.append(head, this.legend, this.chart);
    group.curves.forEach((curve, k) => this.legend.append(this.key(curve, k)));
    this.makeMore();
  }

  /** A switch with the colour, the name, the value now, and peak and rms. */
  private key(curve: Curve, k: number): HTMLElement {
    const button = document.createElement('button'), swatch = document.createElement('i'), value = document.createElement('b');
    const peak = document.createElement('small');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(this.shown[k]));
    button.classList.toggle('waits', !this.shown[k]);
    swatch.style.setProperty('--colour', `var(--c${this.names.indexOf(curve.name) % 8})`);
    swatch.dataset.dash = String(curve.result % dashes.length);
    button.append(swatch, `${this.nameOf(curve)} `, value, peak);
    button.addEventListener('click', () => this.switchCurve(k, !this.shown[k]));
    this.values.push(value);
    this.peaks.push(peak);
    return button;
  }

  switchCurve(k: number, on: boolean): void {
    this.shown[k] = on;
    this.legend.children[k].setAttribute('aria-pressed', String(on));
    if (this.element.isConnected) this.draw();
  }

  private nameOf(curve: Curve): string {
    const name = curve.name.slice(curve.name.indexOf('.') + 1);
    return this.labels.length > 1 ? `${name}, ${this.labels[curve.result]}` : name;
  }

  /** Names that wait are folded away behind their number. */
  private makeMore(): void {
    const waiting = this.shown.filter((on) => !on).length;
    this.more.type = 'button';
    this.more.className = 'more';
    this.more.hidden = waiting === 0;
    const tell = () => { this.more.textContent = this.legend.classList.contains('folded') ? `+ ${waiting} more` : 'fewer'; };
    this.more.addEventListener('click', () => {
      this.legend.classList.toggle('folded');
      tell();
    });
    tell();
    this.legend.append(this.more);
  }

  private makePicker(): HTMLElement {
    this.picker.setAttribute('aria-label', `${this.group.title}: what stands along the axis`);
    this.picker.append(new Option('over time', 'time'), new Option('spectrum', 'spectrum'));
    this.picker.addEventListener('change', () => {
      this.abscissa = this.picker.value;
      this.sighted = true; // who chooses looks at it
      this.draw();
    });
    return this.picker;
  }

  /** Curves of all groups that this one can be plotted against. */
  offer(names: string[]): void {
    const group = document.createElement('optgroup');
    group.label = 'against';
    for (const name of names) group.append(new Option(name, name));
    this.picker.append(group);
  }

  /** What stands along the axis, if the panel knows it. */
  stand(abscissa: Abscissa): void {
    if ([...this.picker.options].some((option) => option.value === abscissa)) this.abscissa = abscissa;
  }

  isDrawn(k: number): boolean {
    const { result } = this.group.curves[k];
    return this.shown[k] && this.plots.visible[result] && !(this.plots.difference && result === 0);
  }

  /** A result was switched off or on, or the difference: curves and their names follow. */
  followResults(): void {
    this.group.curves.forEach((curve, k) => {
      (this.legend.children[k] as HTMLElement).hidden = !this.plots.visible[curve.result] || (this.plots.difference && curve.result === 0);
    });
    if (this.element.isConnected) this.draw();
  }

  /** Other values of the same curves. */
  replace(group: Group, drawn: boolean): void {
    const { factor } = this.read;
    this.group = group;
    if (!drawn) return;
    this.findUnit();
    if (this.sighted && this.plot && this.read.factor === factor) {
      this.plot.setData(this.aligned(), false);
      this.plot.setScale('x', { min: this.plots.from, max: this.plots.until });
      this.tell(this.plots.index);
      this.summarise();
    } else {
      this.draw();
    }
  }

  /** The panel has come in sight, or has left it: nobody sees the charts of the others, which take longer than all the rest. */
  see(sighted: boolean): void {
    this.sighted = sighted;
    if (sighted && this.due && this.element.isConnected) this.drawChart();
  }

  /** The unit in which what is drawn reads best. */
  private findUnit(): void {
    let largest = 0;
    this.group.curves.forEach((_, k) => {
      if (this.isDrawn(k)) for (const value of this.data(k)) if (value !== null && Math.abs(value) > largest) largest = Math.abs(value);
    });
    this.read = reading(this.group.unit, largest, this.plots.degrees);
  }

  private aligned(): uPlot.AlignedData {
    return [this.plots.curves.time, ...this.group.curves.map((_, k) => this.scaled(k))] as unknown as uPlot.AlignedData;
  }

  /** Values of a curve in the unit of the data: as recorded, or against the first result. */
  private data(k: number): (number | null)[] {
    const curve = this.group.curves[k];
    return this.plots.difference ? this.plots.curves.difference(curve) : curve.values;
  }

  private scaled(k: number): (number | null)[] {
    const { factor } = this.read;
    return factor === 1 ? this.data(k) : this.data(k).map((value) => (value === null ? null : value * factor));
  }

  draw(): void {
    this.findUnit();
    this.unit.textContent = `${this.plots.difference ? ', difference' : ''} ${this.read.unit}`;
    this.picker.value = this.abscissa;
    this.chart.style.minHeight = `${this.height}px`;
    this.due = true;
    if (this.sighted) this.drawChart();
    this.tell(this.plots.index);
    this.summarise();
  }

  private get height(): number { return tall + (this.isPath() ? 110 : 0); }

  private drawChart(): void {
    this.due = false;
    this.plot?.destroy();
    this.plot = null;
    this.chart.textContent = '';
    if (this.abscissa === 'time') this.drawOverTime();
    else this.chart.innerHTML = svgChart(this.asChart(this.width(), this.height, false));
  }

  private drawOverTime(): void {
    const grid = styleOf('--line'), ink = styleOf('--soft'), font = '11px system-ui, sans-serif';
    const marks = (_: uPlot, splits: number[]) => ticks(splits);
    const seconds = (_: uPlot, splits: number[]) => ticks(splits).map((t, k) => (k === splits.length - 1 ? `${t} s` : t));
    const axis = { stroke: ink, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, values: marks };
    this.plot = new uPlot({
      width: this.width(), height: tall, pxAlign: false, padding: [null, 30, null, null],
      legend: { show: false },
      cursor: { sync: { key: 'time', scales: ['x', null] }, drag: { x: true, y: true, setScale: false }, points: { size: 6 } },
      scales: { x: { time: false }, y: { range: (_, low, high) => this.zoomedY ?? paddedRange(low, high) } },
      axes: [{ ...axis, size: 28, values: seconds }, { ...axis, size: 62 }],
      series: [{}, ...this.group.curves.map((curve, k) => ({
        label: curve.name, show: this.isDrawn(k), width: 1.6, points: { show: this.plots.curves.time.length < 3 },
        stroke: curveColour(this.names.indexOf(curve.name)), dash: dashes[curve.result % dashes.length],
      }))],
      hooks: {
        setSelect: [(plot) => this.zoomInto(plot)],
        setScale: [() => this.mark(this.plots.now)],
        setCursor: [(plot) => this.plots.hovered(plot.cursor.idx ?? null, (plot.cursor.left ?? -1) >= 0)],
      },
    }, this.aligned(), this.chart);
    this.plot.over.append(this.marker);
    this.listenForClicks(this.plot);
    this.zoom(this.plots.from, this.plots.until);
    this.mark(this.plots.now);
  }

  /** A drag along time zooms all panels; one along the values this one. */
  private zoomInto(plot: uPlot): void {
    const { left, top, width, height } = plot.select;
    if (width < smallest && height < smallest) return;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const room = plot.bbox.height / uPlot.pxRatio;
    if (height >= smallest && height < 0.97 * room && (height > 40 || width < smallest)) {
      this.zoomedY = [plot.posToVal(top + height, 'y'), plot.posToVal(top, 'y')];
      this.plots.zoomedAlong();
    }
    if (width >= smallest) this.plots.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
    plot.setScale('x', { min: this.plots.from, max: this.plots.until }); // the values are ranged with it
  }

  get isZoomedY(): boolean { return this.zoomedY !== null; }

  resetY(): void {
    if (!this.zoomedY) return;
    this.zoomedY = null;
    this.plot?.setScale('x', { min: this.plots.from, max: this.plots.until });
  }

  /** A click goes to that instant; a drag is a zoom. */
  private listenForClicks(plot: uPlot): void {
    let pressed = { x: 0, y: 0 };
    plot.over.addEventListener('pointerdown', (event) => { pressed = { x: event.clientX, y: event.clientY }; });
    plot.over.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 3) return;
      this.plots.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
  }

  /** Positions against positions: both axes have one scale. */
  private isPath(): boolean { return this.group.title === 'positions' && this.abscissa.startsWith('pos.'); }

  /** What is shown now, for a picture that stands still. */
  asChart(width: number, height: number, alone: boolean): Chart {
    const curves: ChartCurve[] = [], { time } = this.plots.curves, other = this.abscissa;
    this.group.curves.forEach((curve, k) => {
      if (!this.isDrawn(k)) return;
      const look = { name: this.nameOf(curve), colour: curveColour(this.names.indexOf(curve.name)), dash: dashes[curve.result % dashes.length] };
      const values = this.scaled(k);
      if (other === 'spectrum') {
        const { frequency, amplitude } = spectrumOf(time, values, this.plots.from, this.plots.until);
        curves.push({ ...look, x: frequency, y: Array.from(amplitude) });
      } else if (other === 'time') {
        curves.push({ ...look, x: time, y: values });
      } else if (other !== curve.name) {
        const abscissae = this.plots.find(other, curve.result);
        if (abscissae) curves.push({ ...look, x: abscissae.values.map((value) => (value ?? NaN) * abscissae.factor), y: values });
      }
    });
    const xLabel = other === 'time' ? 's' : other === 'spectrum' ? 'Hz' : `${other} ${this.plots.find(other, 0)?.unit ?? ''}`;
    const unit = this.unit.textContent ?? '';
    return {
      title: alone ? `${this.group.title}${unit}` : '', xLabel, width, height, curves, legend: alone, equal: this.isPath(),
      ink: styleOf('--ink'), soft: styleOf('--soft'), line: styleOf('--line'),
      x: other === 'time' ? [this.plots.from, this.plots.until] : other === 'spectrum' ? spectrumRange(curves) : undefined,
    };
  }

  /** Columns of what is shown, for a table: name with unit, values. */
  columns(): { name: string; values: (number | null)[] }[] {
    return this.group.curves.flatMap((curve, k) =>
      (this.isDrawn(k) ? [{ name: `${this.nameOf(curve)}${this.plots.difference ? ' difference' : ''} [${this.read.unit}]`, values: this.scaled(k) }] : []));
  }

  private width(): number { return Math.max(220, this.element.clientWidth - 2); }
  resize(): void {
    if (this.plot) this.plot.setSize({ width: this.width(), height: tall });
    else if (this.element.isConnected) this.draw();
  }
  clear(): void { this.plot?.destroy(); this.plot = null; }

  zoom(from: number, until: number): void {
    if (this.plot && (this.plot.scales.x.min !== from || this.plot.scales.x.max !== until)) {
      this.plot.setScale('x', { min: from, max: until });
    } else if (!this.plot && this.element.isConnected && this.abscissa === 'spectrum') {
      this.draw();
    }
    this.summarise();
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
      if (!this.shown[k] && this.legend.classList.contains('folded')) return;
      const value = this.plots.difference ? this.data(k)[index] : curve.values[index];
      const text = number(value && (Math.abs(value) > this.group.nothing ? value * this.read.factor : 0));
      if (this.values[k].textContent !== text) this.values[k].textContent = text;
    });
  }

  /** Peak and rms of the part in sight. */
  summarise(): void {
    const { time } = this.plots.curves, { from, until, summaries } = this.plots;
    this.legend.classList.toggle('summed', summaries);
    if (!summaries) return;
    this.peaks.forEach((element, k) => {
      let peak = 0, square = 0, span = 0;
      const values = this.data(k);
      for (let row = 0; row < time.length; ++row) {
        const value = values[row];
        if (time[row] < from || time[row] > until || value === null) continue;
        if (Math.abs(value) > Math.abs(peak)) peak = value;
        // The mean over time, whatever the distances of the instants: half of the ways to both neighbours.
        const width = 0.5 * ((time[row + 1] ?? time[row]) - (time[row - 1] ?? time[row])) || 1e-300;
        square += width * value * value;
        span += width;
      }
      element.textContent = span > 0 ? `peak ${number(peak * this.read.factor, 3)}, rms ${number(Math.sqrt(square / span) * this.read.factor, 3)}` : '';
    });
  }
}

/** Up to the highest frequency that has a hundredth of the largest amplitude: beyond there is nothing to see. */
function spectrumRange(curves: ChartCurve[]): [number, number] | undefined {
  let largest = 0, last = 0;
  for (const { y } of curves) for (let k = 0; k < y.length; ++k) largest = Math.max(largest, y[k] ?? 0);
  for (const { x, y } of curves) for (let k = 0; k < y.length; ++k) if ((y[k] ?? 0) > 0.01 * largest) last = Math.max(last, x[k]);
  return last > 0 ? [0, 1.15 * last] : undefined;
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
