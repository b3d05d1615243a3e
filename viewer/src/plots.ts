// The plots: one panel per group, all over the same time, marked where the animation is.

import { Result } from './contract';
import { Curves, Group, startsOn } from './curves';
import { Panel } from './panel';
import { reading } from './units';

/** Groups whose curves others can be plotted against. */
const abscissae = ['positions', 'angles', 'distances', 'angular speeds', 'speeds', 'torques', 'forces', 'spring lengths'];
const mostAbscissae = 40, margin = 200; // px: charts are drawn before they come in sight

export class Plots {
  curves: Curves;
  panels: Panel[];
  visible: boolean[]; // per result
  now = 0;
  from: number;
  until: number;
  degrees = false;
  difference = false; // other results against the first
  summaries = false; // peak and rms
  private on: boolean[];
  private readonly body = document.createElement('div');
  private readonly chips = document.createElement('div');
  private hover: number | null = null;
  private readonly watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) this.panels.find(({ element }) => element === target)?.see(isIntersecting);
  }, { rootMargin: `${margin}px` });

  constructor(private readonly host: HTMLElement, results: Result[], private readonly resetButton: HTMLElement,
              readonly seek: (t: number) => void) {
    this.curves = new Curves(results);
    this.visible = results.map(() => true);
    this.from = this.start;
    this.until = this.end;
    this.panels = this.makePanels(results);
    this.on = this.curves.groups.map((group) => startsOn(group));
    this.chips.className = 'chips';
    this.panels.forEach((panel, k) => this.chips.append(this.chip(panel, k)));
    this.body.className = 'panels';
    host.append(this.chips, this.body);
    resetButton.addEventListener('click', () => {
      for (const panel of this.panels) panel.resetY();
      this.zoom(this.start, this.end);
    });
    this.draw();
    window.addEventListener('beforeprint', () => { for (const panel of this.shownPanels()) panel.see(true); });
    new ResizeObserver(() => this.panels.forEach((panel) => panel.resize())).observe(this.body);
  }

  private makePanels(results: Result[]): Panel[] {
    const labels = results.map((result) => result.label), { groups } = this.curves;
    const panels = groups.map((group) => new Panel(group, this, labels));
    const names = groups.filter((group) => abscissae.includes(group.title)).flatMap((group) => group.curves)
      .filter((curve) => curve.result === 0).map((curve) => curve.name).slice(0, mostAbscissae);
    for (const panel of panels) panel.offer(names);
    return panels;
  }

  /** Other results in place of these; panels and the part of the time that is in sight stay as far as they can. */
  replace(results: Result[]): void {
    const before = this.panels.map((panel) => panel.group), whole = this.from <= this.start && this.until >= this.end, { chosen } = this;
    this.curves = new Curves(results);
    if (this.host.hidden) return; // nobody sees them: with the next replacement in sight
    if (whole) [this.from, this.until] = [this.start, this.end];
    else [this.from, this.until] = [Math.max(this.from, this.start), Math.min(this.until, this.end)];
    if (!(this.from < this.until)) [this.from, this.until] = [this.start, this.end];
    const { groups } = this.curves;
    if (this.visible.length === results.length && isAlike(before, groups)) {
      this.panels.forEach((panel, k) => panel.replace(groups[k], this.on[k]));
      this.at(this.now);
      return;
    }
    for (const panel of this.panels) {
      panel.clear();
      this.watch.unobserve(panel.element);
      panel.element.remove();
    }
    this.visible = results.map(() => true);
    this.panels = this.makePanels(results);
    const known = new Set(before.map((group) => group.title));
    this.on = groups.map((group) => (known.has(group.title) ? chosen.includes(group.title) : startsOn(group)));
    this.chips.replaceChildren(...this.panels.map((panel, k) => this.chip(panel, k)));
    this.draw();
  }

  private get start(): number { return this.curves.time[0]; }
  private get end(): number { return this.curves.time[this.curves.time.length - 1]; }
  /** Of the instant whose values are told. */
  get index(): number { return this.hover ?? this.curves.nearest(this.now); }

  private chip(panel: Panel, k: number): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = panel.group.title;
    button.setAttribute('aria-pressed', String(this.on[k]));
    button.addEventListener('click', () => this.switchPanel(k, !this.on[k]));
    return button;
  }

  private switchPanel(k: number, on: boolean): void {
    this.on[k] = on;
    this.chips.children[k].setAttribute('aria-pressed', String(on));
    this.draw();
  }

  /** Panels that are shown, by the titles of their groups. */
  get chosen(): string[] { return this.shownPanels().map((panel) => panel.group.title); }
  set chosen(titles: string[]) {
    this.panels.forEach((panel, k) => {
      this.on[k] = titles.includes(panel.group.title);
      this.chips.children[k].setAttribute('aria-pressed', String(this.on[k]));
    });
    this.draw();
  }

  /** Panels that do not stand over time. */
  get axes(): [string, string][] { return this.panels.filter((panel) => panel.abscissa !== 'time').map((panel) => [panel.group.title, panel.abscissa]); }
  set axes(axes: [string, string][]) {
    for (const [title, abscissa] of axes) this.panels.find((panel) => panel.group.title === title)?.stand(abscissa);
    this.draw();
  }

  shownPanels(): Panel[] { return this.panels.filter((_, k) => this.on[k]); }

  /** A curve by its name, in the unit that reads best. */
  find(name: string, result: number): { values: (number | null)[]; factor: number; unit: string } | null {
    for (const group of this.curves.groups) {
      const curve = group.curves.find((each) => each.name === name && each.result === result);
      if (!curve) continue;
      const largest = curve.values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
      return { values: curve.values, ...reading(group.unit, largest, this.degrees) };
    }
    return null;
  }

  /** Anew, with the colours of the day. */
  draw(): void {
    this.panels.forEach((panel, k) => {
      panel.clear();
      panel.element.remove();
      if (!this.on[k]) return;
      this.body.append(panel.element);
      panel.draw();
      this.watch.observe(panel.element);
    });
    if (!this.on.some(Boolean)) this.body.textContent = '';
    this.host.classList.toggle('empty', !this.on.some(Boolean));
    this.at(this.now);
  }

  showResult(result: number, on: boolean): void {
    this.visible[result] = on;
    for (const panel of this.panels) panel.followResults();
  }

  /** Switches degrees, differences or summaries. */
  set(what: 'degrees' | 'difference' | 'summaries', on: boolean): void {
    this[what] = on;
    if (what === 'difference') for (const panel of this.panels) panel.followResults();
    this.draw();
  }

  /** The animation is at t; with the values there when `tells`. */
  at(t: number, tells = true): void {
    this.now = t;
    const { index } = this;
    this.panels.forEach((panel, k) => {
      if (!this.on[k]) return;
      panel.mark(t);
      if (tells) panel.tell(index);
    });
  }

  hovered(index: number | null, inside: boolean): void {
    this.hover = inside ? index : null;
    const shown = this.index;
    this.panels.forEach((panel, k) => { if (this.on[k]) panel.tell(shown); });
  }

  /** In time; all panels follow. */
  zoom(from: number, until: number): void {
    this.from = Math.max(from, this.start);
    this.until = Math.min(until, this.end);
    for (const panel of this.panels) panel.zoom(this.from, this.until);
    this.zoomedAlong();
  }

  /** Something was zoomed: there is a way back. */
  zoomedAlong(): void {
    const whole = this.from <= this.start && this.until >= this.end && !this.panels.some((panel) => panel.isZoomedY);
    this.resetButton.toggleAttribute('disabled', whole);
  }

  /** Around the present instant. */
  zoomBy(factor: number): void {
    const half = (0.5 * (this.until - this.from)) / factor, whole = this.end - this.start;
    const centre = Math.min(Math.max(this.now, this.start + Math.min(half, whole / 2)), this.end - Math.min(half, whole / 2));
    this.zoom(centre - half, centre + half);
  }
}

/** The same curves in the same groups. */
function isAlike(a: Group[], b: Group[]): boolean {
  return a.length === b.length && a.every((group, k) => group.title === b[k].title && group.unit === b[k].unit
    && group.curves.length === b[k].curves.length && group.curves.every((curve, c) => curve.name === b[k].curves[c].name));
}
