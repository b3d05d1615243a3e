// The report page: reads the data block, wires the controls to the picture and the plots.

import { isPose, readReport, Report, Result } from './contract';
import { length, number } from './numbers';
import { Plots } from './plots';
import { GhostKind, Stage } from './stage';
import { writeTexts } from './texts';
import { onThemeChange } from './theme';
import { ViewName } from './views';

const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const modeSeconds = 1.6; // one swing of a mode on the screen
const tellEvery = 100; // ms between numbers while the animation plays: nobody reads faster
const modeSize = 0.12; // of the radius of the mechanism

function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element '${id}'`);
  return element as T;
}

/** A text that stays is not written again: the browser would lay it out anew. */
function write(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

class Page {
  private readonly stage: Stage | null;
  private readonly plots: Plots;
  private readonly visible: boolean[];
  private readonly scrub = byId<HTMLInputElement>('scrub');
  private readonly start: number;
  private readonly end: number;
  private t: number;
  private phase = 0;
  private playing = false;
  private speed = 1;
  private last = 0;
  private told = 0;

  constructor(report: Report) {
    this.visible = report.results.map(() => true);
    this.stage = this.makeStage(report.results);
    this.plots = new Plots(byId('plots'), report.results, byId('zoom-reset'), (t) => this.go(t));
    const time = this.plots.curves.time;
    this.start = time[0];
    this.end = time[time.length - 1];
    this.t = this.start;
    this.head(report);
    this.transport();
    this.views();
    this.switches();
    this.deformation();
    this.modes();
    this.keys();
    onThemeChange(() => {
      this.stage?.dress();
      this.plots.draw();
    });
    writeTexts(byId('texts'), report);
    this.show();
  }

  private makeStage(results: Result[]): Stage | null {
    const missing = results.find((result) => !result.scene);
    try {
      if (results.some((result) => result.scene)) return new Stage(byId('stage'), results);
      throw new Error(missing?.without_scene || 'The results hold no picture.');
    } catch (error) {
      const note = byId('no-stage');
      note.textContent = `No picture: ${(error as Error).message}`;
      note.hidden = false;
      byId('stage').hidden = true;
      document.querySelector<HTMLElement>('.controls')!.hidden = true;
      return null;
    }
  }

  private head(report: Report): void {
    document.title = `${report.title} – Lithe`;
    byId('title').textContent = report.title;
    const first = report.results[0], kept = this.plots.curves.time.length;
    const thinned = report.results.length === 1 && kept < first.rows ? `, ${kept} of ${first.rows} rows shown` : '';
    const ending = report.results.every((result) => result.complete) ? 'complete' : 'stopped early';
    const span = isPose(first) ? 'assembled, without a run' : `${number(this.start)} to ${number(this.end)} s, ${ending}${thinned}`;
    byId('subtitle').textContent = `${report.results.map((result) => result.file).join(', ')} · ${span} · Lithe ${report.lithe}`;
    const chips = byId('results');
    chips.hidden = report.results.length < 2;
    report.results.forEach((result, k) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = result.label;
      button.setAttribute('aria-pressed', 'true');
      if (k > 0) button.style.boxShadow = `inset 0 -3px var(--c${k % 8})`;
      button.addEventListener('click', () => {
        this.visible[k] = !this.visible[k];
        button.setAttribute('aria-pressed', String(this.visible[k]));
        this.plots.showResult(k, this.visible[k]);
        this.show();
      });
      chips.append(button);
    });
  }

  private transport(): void {
    this.scrub.min = String(this.start);
    this.scrub.max = String(this.end);
    this.scrub.value = String(this.start);
    this.scrub.addEventListener('input', () => this.go(Number(this.scrub.value)));
    byId('play').addEventListener('click', () => this.play(!this.playing));
    const select = byId<HTMLSelectElement>('speed');
    for (const speed of speeds) select.append(new Option(`${speed}×`, String(speed)));
    // A run of a fraction of a second is shown slowly enough to be followed.
    const duration = this.end - this.start;
    this.speed = speeds.filter((speed) => duration / speed >= 4).pop() ?? speeds[0];
    if (duration >= 2 && duration <= 30) this.speed = 1;
    select.value = String(this.speed);
    select.addEventListener('change', () => { this.speed = Number(select.value); });
    const plays = !(duration > 0);
    byId('play').toggleAttribute('disabled', plays);
    this.scrub.disabled = plays;
    byId('zoom-in').addEventListener('click', () => this.plots.zoomBy(2));
    byId('zoom-out').addEventListener('click', () => this.plots.zoomBy(0.5));
  }

  private views(): void {
    if (!this.stage) return;
    const views: [ViewName, string][] = [['corner', '3-D'], ['xy', 'xy'], ['xz', 'xz'], ['yz', 'yz']];
    if (this.stage.first.scene.planar) views.unshift(['plane', 'plane']);
    const box = byId('views');
    for (const [view, name] of views) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = name;
      button.dataset.view = view;
      button.setAttribute('aria-pressed', String(this.stage.eye.current === view));
      button.addEventListener('click', () => {
        this.stage?.look(view);
        for (const each of box.querySelectorAll('button')) each.setAttribute('aria-pressed', String(each === button));
      });
      box.append(button);
    }
  }

  private switches(): void {
    for (const id of ['traces', 'labels', 'forces']) {
      const button = byId(id);
      button.addEventListener('click', () => {
        button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
        this.show();
      });
    }
    const ghost = byId<HTMLSelectElement>('ghost');
    ghost.append(new Option('none', 'none'));
    if (this.stage?.elastic) ghost.append(new Option('rigid twin', 'rigid'));
    ghost.append(new Option('start pose', 'start'));
    ghost.addEventListener('change', () => this.show());
    if (!this.stage) return;
    byId('traces').hidden = this.stage.first.scene.traced.length === 0;
    byId('forces').hidden = !(this.stage.largestForce > 0);
  }

  private deformation(): void {
    if (!this.stage?.elastic) return;
    byId('deformation-control').hidden = false;
    byId('deformation').addEventListener('input', () => this.show());
  }

  /** 1 to 100, equal ratios for equal ways of the slider. */
  private get scale(): number {
    if (!this.stage?.elastic) return 1;
    const raw = 100 ** Number(byId<HTMLInputElement>('deformation').value);
    return raw < 10 ? Math.round(10 * raw) / 10 : Math.round(raw);
  }

  private modes(): void {
    const modes = this.stage?.first.modes ?? [];
    if (modes.length === 0) return;
    byId('mode-control').hidden = false;
    const select = byId<HTMLSelectElement>('mode');
    select.append(new Option('none: the motion', ''));
    modes.forEach((mode, k) => {
      const frequency = mode.frequency > 0 ? `, ${number(mode.frequency, 4)} Hz` : '';
      select.append(new Option(`${mode.name}${frequency}`, String(k)));
    });
    select.addEventListener('change', () => {
      this.phase = 0.25; // at its largest, so that the shape is seen at once
      this.show();
    });
  }

  private get mode() {
    const chosen = byId<HTMLSelectElement>('mode').value;
    return chosen === '' ? null : this.stage?.first.modes[Number(chosen)] ?? null;
  }

  private play(on: boolean): void {
    if (on && !this.mode && this.t >= this.end) this.t = this.start;
    this.playing = on;
    const button = byId('play');
    button.setAttribute('aria-label', on ? 'Pause' : 'Play');
    button.firstElementChild!.textContent = on ? '❚❚' : '▶';
    if (!on) {
      this.show(); // with the numbers of this very instant
      return;
    }
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    if (this.mode) {
      this.phase = (this.phase + seconds / modeSeconds) % 1;
    } else {
      this.t += this.speed * seconds;
      if (this.t > this.end) this.t = this.start + ((this.t - this.start) % Math.max(this.end - this.start, 1e-12));
    }
    const tells = now - this.told >= tellEvery;
    if (tells) this.told = now;
    this.show(tells);
    requestAnimationFrame((next) => this.tick(next));
  }

  private go(t: number): void {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.show();
  }

  /** Everything as it is at this instant; the numbers beside the curves only when `tells`. */
  private show(tells = true): void {
    const pressed = (id: string) => byId(id).getAttribute('aria-pressed') === 'true';
    this.scrub.value = String(this.t);
    this.scrub.setAttribute('aria-valuetext', `${this.t.toFixed(3)} s`);
    write('time', `${this.t.toFixed(3)} s`);
    this.plots.at(this.t, tells);
    if (!this.stage) return;
    const mode = this.mode, scale = this.scale;
    const amplitude = mode && mode.largest > 0
      ? ((modeSize * this.stage.first.scene.radius) / mode.largest) * Math.sin(2 * Math.PI * this.phase) : 0;
    this.stage.show({
      query: { t: this.t, scale, mode: mode ? { mode, amplitude } : undefined },
      ghost: byId<HTMLSelectElement>('ghost').value as GhostKind,
      traces: pressed('traces'), labels: pressed('labels'), forces: pressed('forces'), visible: this.visible,
    });
    if (!tells) return;
    byId('force-scale').hidden = !pressed('forces');
    write('force-limit', `darkest at ${number(this.stage.largestForce, 3)} N`);
    if (!this.stage.elastic) return;
    write('deformation-text', `${scale}×`);
    byId('deformation').setAttribute('aria-valuetext', `${scale} times`);
    write('deflection', mode ? 'mode shape, size for the eye' : `largest deflection now ${length(this.stage.deflection(this.t))}`);
  }

  private keys(): void {
    const help = byId<HTMLDialogElement>('help');
    byId('help-button').addEventListener('click', () => help.showModal());
    document.addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
      if (target.matches('select, textarea, input:not([type=range]), pre')) return;
      const ranged = target.matches('input[type=range]');
      // A focused button keeps its own Space.
      if (event.key === ' ' && target.matches('button, summary')) return;
      if (ranged && /^(Arrow|Home|End|Page)/.test(event.key)) return;
      if (this.act(event.key, event.shiftKey)) event.preventDefault();
    });
  }

  /** What a key does; false when it means nothing here. */
  private act(key: string, shift: boolean): boolean {
    const step = ((this.end - this.start) / 200) * (shift ? 10 : 1), views = byId('views').querySelectorAll('button');
    const slider = byId<HTMLInputElement>('deformation'), speed = byId<HTMLSelectElement>('speed'), ghost = byId<HTMLSelectElement>('ghost');
    const change = (element: HTMLSelectElement, by: number, wrap: boolean) => {
      const count = element.options.length, next = element.selectedIndex + by;
      element.selectedIndex = wrap ? (next + count) % count : Math.min(Math.max(next, 0), count - 1);
      element.dispatchEvent(new Event('change'));
    };
    const slide = (by: number) => {
      slider.value = String(Number(slider.value) + by);
      slider.dispatchEvent(new Event('input'));
    };
    switch (key) {
      case ' ': this.play(!this.playing); return true;
      case 'ArrowLeft': this.go(this.t - step); return true;
      case 'ArrowRight': this.go(this.t + step); return true;
      case 'Home': this.go(this.start); return true;
      case 'End': this.go(this.end); return true;
      case ',': change(speed, -1, false); return true;
      case '.': change(speed, 1, false); return true;
      case '[': slide(-0.05); return true;
      case ']': slide(0.05); return true;
      case 'g': change(ghost, 1, true); return true;
      case 't': byId('traces').click(); return true;
      case 'n': byId('labels').click(); return true;
      case '+': case '=': this.plots.zoomBy(2); return true;
      case '-': this.plots.zoomBy(0.5); return true;
      case '0': byId('zoom-reset').click(); return true;
      case '?': byId<HTMLDialogElement>('help').showModal(); return true;
      default:
        if (!/^[1-5]$/.test(key) || !views[Number(key) - 1]) return false;
        views[Number(key) - 1].click();
        return true;
    }
  }
}

try {
  new Page(readReport());
} catch (error) {
  const note = byId('no-stage');
  note.textContent = `This page cannot show its data: ${(error as Error).message}`;
  note.hidden = false;
  byId('stage').hidden = true;
  throw error;
}
