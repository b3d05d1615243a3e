// The report page: reads the data block, wires the controls to the picture and the plots.

import { ColourScale } from './colour_scale';
import { forgetUnpacked, isPose, readReport, Report, Result } from './contract';
import { mostOffered, openingScale, roundDown, scaleAt } from './enlargement';
import { listenForKeys } from './keys';
import { startLive } from './live';
import { number, length } from './numbers';
import { arrowsNote } from './arrows_note';
import { byId, press, pressed, write } from './page_elements';
import { Plots } from './plots';
import { asGltf, film, plotsAsCsv, plotsAsSvg, save } from './saving';
import { GhostKind, Stage } from './stage';
import { writeTexts } from './texts';
import { onThemeChange } from './theme';
import { readView, writeView } from './view_link';
import { ViewName } from './views';

const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const modeSeconds = 1.6; // one swing of a mode on the screen
const tellEvery = 100; // ms between numbers while the animation plays: nobody reads faster
const restAfter = 200; // ms after a new report until all that belongs to it is shown
const modeSize = 0.1; // of the radius of the mechanism
const switches = ['traces', 'labels', 'forces', 'frames', 'degrees', 'difference', 'summaries'];

export class Page {
  readonly plots: Plots;
  t: number;
  playing = false;
  stage: Stage | null = null;
  private visible: boolean[];
  private readonly colours: ColourScale;
  private readonly scrub = byId<HTMLInputElement>('scrub');
  private most = 100; // enlargement at the end of the slider
  private phase = 0;
  private speed = 1;
  private last = 0;
  private told = 0;
  private filming: (() => void) | null = null;
  private swung = 0; // when the film of a mode ends, ms
  private rest = 0; // timer of what follows a new report

  constructor(private report: Report) {
    this.visible = report.results.map(() => true);
    this.stage = this.makeStage(report.results);
    this.colours = new ColourScale({ go: (t) => this.go(t), show: () => this.show() });
    this.plots = new Plots(byId('plots'), report.results, byId('zoom-reset'), (t) => this.go(t));
    this.t = this.start;
    this.transport();
    this.switches();
    this.deformation();
    this.listenForModes();
    this.exports();
    listenForKeys(this);
    onThemeChange(() => {
      this.stage?.dress();
      this.plots.draw();
    });
    this.fill();
    this.showBending(this.goodScale());
    this.restore();
    this.show();
  }

  get start(): number { return this.plots.curves.time[0]; }
  get end(): number { return this.plots.curves.time[this.plots.curves.time.length - 1]; }

  /** Another report in place of this one, in the same view; the camera of a `steady` one stays wherever it goes. */
  replace(report: Report, steady = false): void {
    const { scale } = this, bent = (this.stage?.bending.size ?? 0) > 0, length = report.results.length;
    this.report = report;
    forgetUnpacked();
    if (this.visible.length !== length) this.visible = report.results.map(() => true);
    let stays = false; // what is drawn
    if (!this.stage || !report.results.some((result) => result.scene)) this.stage = this.makeStage(report.results);
    else stays = this.stage.replace(report.results, steady);
    this.plots.replace(report.results);
    this.t = Math.min(Math.max(this.t, this.start), this.end);
    clearTimeout(this.rest);
    if (stays && bent === (this.stage!.bending.size > 0)) {
      this.head();
      this.span();
      this.modes();
      this.show();
      this.rest = window.setTimeout(() => this.furnishAgain(), restAfter);
      return;
    }
    this.fill();
    if (bent) this.scale = Math.min(scale, this.most);
    else this.showBending(this.goodScale());
    this.show();
  }

  /** Everything that depends on the report. */
  private fill(): void {
    this.head();
    this.span();
    this.views();
    this.ghosts();
    this.modes();
    byId('deformation-control').hidden = !this.stage?.elastic;
    byId('degrees').hidden = !this.plots.curves.groups.some((group) => /^rad/.test(group.unit));
    this.furnish();
  }

  /** What takes longer than a hand on a slider waits, and nobody reads meanwhile. */
  private furnish(): void {
    this.most = this.stage?.elastic ? mostOffered(this.stage.first, this.stage.bending.size) : 100;
    this.colours.offer(this.stage);
    byId('texts').replaceChildren();
    writeTexts(byId('texts'), this.report);
  }

  private furnishAgain(): void {
    const { scale } = this;
    this.furnish();
    this.scale = Math.min(scale, this.most);
    this.show();
  }

  /** The enlargement that shows the bending, as far as joints stay closed. */
  private goodScale(): number {
    const wanted = this.stage ? openingScale(this.stage.bending.size, this.stage.first.scene.radius) : 1;
    return Math.min(wanted, roundDown(this.most));
  }

  private makeStage(results: Result[]): Stage | null {
    const missing = results.find((result) => !result.scene), controls = document.querySelector<HTMLElement>('.controls')!;
    byId('no-stage').hidden = true;
    byId('stage').hidden = controls.hidden = false;
    try {
      if (results.some((result) => result.scene)) return new Stage(byId('stage'), results);
      throw new Error(missing?.without_scene || 'The results hold no picture.');
    } catch (error) {
      const note = byId('no-stage');
      note.textContent = `No picture: ${(error as Error).message}`;
      note.hidden = false;
      byId('stage').hidden = true;
      controls.hidden = true;
      return null;
    }
  }

  private head(): void {
    const { report } = this;
    if (!document.title.startsWith(`${report.title} –`)) document.title = `${report.title} – Lithe`;
    write('title', report.title);
    const first = report.results[0], kept = this.plots.curves.time.length;
    const thinned = report.results.length === 1 && kept < first.rows ? `, ${kept} of ${first.rows} rows shown` : '';
    const ending = report.results.every((result) => result.complete) ? 'complete' : 'stopped early';
    const span = isPose(first) ? 'assembled, without a run' : `${number(this.start)} to ${number(this.end)} s, ${ending}${thinned}`;
    write('subtitle', `${report.results.map((result) => result.file).join(', ')} · ${span} · Lithe ${report.lithe}`);
    const chips = byId('results');
    chips.replaceChildren();
    chips.hidden = report.results.length < 2;
    byId('difference').hidden = report.results.length < 2;
    byId('difference').textContent = `Difference to ${report.results[0].label}`;
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

  /** The time that the run takes. */
  private span(): void {
    this.scrub.min = String(this.start);
    this.scrub.max = String(this.end);
    const still = !(this.end > this.start);
    byId('play').toggleAttribute('disabled', still);
    this.scrub.disabled = still;
  }

  private transport(): void {
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
    byId('zoom-in').addEventListener('click', () => this.plots.zoomBy(2));
    byId('zoom-out').addEventListener('click', () => this.plots.zoomBy(0.5));
  }

  private views(): void {
    if (!this.stage) return;
    const views: [ViewName, string][] = [['corner', '3-D'], ['xy', 'xy'], ['xz', 'xz'], ['yz', 'yz']];
    if (this.stage.first.scene.planar) views.unshift(['plane', 'plane']);
    const box = byId('views');
    box.replaceChildren();
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
    for (const id of switches) {
      byId(id).addEventListener('click', () => {
        press(id, !pressed(id));
        if (id === 'degrees' || id === 'difference' || id === 'summaries') this.plots.set(id, pressed(id));
        else this.show();
      });
    }
    byId('ghost').addEventListener('change', () => this.show());
    byId('stage').addEventListener('traced', () => {
      press('traces', true);
      this.show();
    });
  }

  private ghosts(): void {
    const ghost = byId<HTMLSelectElement>('ghost'), before = ghost.value;
    ghost.replaceChildren(new Option('none', 'none'), ...(this.stage?.elastic ? [new Option('rigid twin', 'rigid')] : []), new Option('start pose', 'start'));
    if ([...ghost.options].some((option) => option.value === before)) ghost.value = before;
  }

  private deformation(): void {
    byId('deformation').addEventListener('input', () => this.show());
    // Not with every step of the slider: the picture would breathe.
    byId('deformation').addEventListener('change', () => this.stage?.frame(this.scale));
  }

  get scale(): number {
    if (!this.stage?.elastic) return 1;
    return scaleAt(Number(byId<HTMLInputElement>('deformation').value), this.most);
  }

  set scale(scale: number) {
    if (this.stage?.elastic && scale > 0) byId<HTMLInputElement>('deformation').value = String(Math.log(scale) / Math.log(this.most));
  }

  /** On opening: the instant of the largest deflection, enlarged so that it is seen, beside the rigid twin. */
  private showBending(scale: number): void {
    if (!this.stage?.elastic || !(this.stage.bending.size > 0)) return;
    this.t = this.stage.bending.t;
    this.scale = scale;
    byId<HTMLSelectElement>('ghost').value = 'rigid';
    this.stage.frame(this.scale);
  }

  private modes(): void {
    const modes = this.stage?.first.modes ?? [], select = byId<HTMLSelectElement>('mode'), before = select.value;
    byId('mode-control').hidden = modes.length === 0;
    const names = ['none: the motion', ...modes.map(({ name, frequency }) => `${name}${frequency > 0 ? `, ${number(frequency, 4)} Hz` : ''}`)];
    // Options that stay are not made anew: with every step of a slider of `lithe live` their frequencies change.
    if (select.options.length !== names.length) select.replaceChildren(...names.map((_, k) => new Option('', k === 0 ? '' : String(k - 1))));
    names.forEach((name, k) => { if (select.options[k].text !== name) select.options[k].text = name; });
    if (Number(before) < modes.length) select.value = before;
  }

  private listenForModes(): void {
    const select = byId<HTMLSelectElement>('mode');
    select.addEventListener('change', () => {
      this.phase = 0.25; // at its largest, so that the shape is seen at once
      this.play(select.value !== '');
    });
  }

  private get mode() {
    const chosen = byId<HTMLSelectElement>('mode').value;
    return chosen === '' ? null : this.stage?.first.modes[Number(chosen)] ?? null;
  }

  play(on: boolean): void {
    if (on && !this.mode && this.t >= this.end) this.t = this.start;
    const was = this.playing;
    this.playing = on;
    const button = byId('play');
    button.setAttribute('aria-label', on ? 'Pause' : 'Play');
    button.firstElementChild!.textContent = on ? '❚❚' : '▶';
    if (!on) {
      this.show(); // with the numbers of this very instant
      return;
    }
    this.last = performance.now();
    if (!was) requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    if (this.mode) {
      this.phase = (this.phase + seconds / modeSeconds) % 1;
      if (now >= this.swung) this.filming?.();
    } else {
      this.t += this.speed * seconds;
      if (this.t > this.end) {
        this.filming?.();
        this.t = this.start + ((this.t - this.start) % Math.max(this.end - this.start, 1e-12));
      }
    }
    const tells = now - this.told >= tellEvery;
    if (tells) this.told = now;
    this.show(tells);
    requestAnimationFrame((next) => this.tick(next));
  }

  go(t: number): void {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.show();
  }

  /** Everything as it is at this instant; the numbers beside the curves only when `tells`. */
  show(tells = true): void {
    this.scrub.value = String(this.t);
    this.scrub.setAttribute('aria-valuetext', `${this.t.toFixed(3)} s`);
    write('time', `${this.t.toFixed(3)} s`);
    this.plots.at(this.t, tells);
    if (!this.stage) return;
    const mode = this.mode, scale = this.scale;
    const largest = mode ? this.stage.first.largestOf(mode) : 0;
    const amplitude = largest > 0 ? ((modeSize * this.stage.first.scene.radius) / largest) * Math.sin(2 * Math.PI * this.phase) : 0;
    this.stage.show({
      query: { t: this.t, scale, mode: mode ? { mode, amplitude } : undefined },
      ghost: byId<HTMLSelectElement>('ghost').value as GhostKind,
      traces: pressed('traces'), labels: pressed('labels'), forces: pressed('forces'), frames: pressed('frames'), colour: this.colours.kind, visible: this.visible,
    });
    if (!tells) return;
    this.colours.tell(mode !== null);
    byId('forces-note').hidden = !pressed('forces');
    if (pressed('forces')) write('forces-note', arrowsNote(this.stage.arrows));
    byId('stage').dataset.opening = this.stage.opening.toFixed(2);
    if (!this.stage.elastic) return;
    write('deformation-text', `${scale}×`);
    byId('deformation').setAttribute('aria-valuetext', `${scale} times`);
    write('deflection', mode ? 'mode shape, size for the eye' : `largest deflection now ${length(this.stage.deflection(this.t))}`);
    const damped = mode?.damping ? `, damping ${number(100 * mode.damping, 2)} %` : '';
    byId('badge').hidden = !mode && scale === 1;
    write('badge', mode ? `${mode.name}${mode.frequency > 0 ? ` · ${number(mode.frequency, 4)} Hz` : ''}${damped}` : `bending × ${scale}`);
  }

  private exports(): void {
    const name = this.report.results[0].file.replace(/\.\w+$/, '') || 'lithe';
    const act: Record<string, () => void | Promise<void>> = {
      'save-png': async () => { const { stage } = this; if (stage) save(`${name}.png`, (await stage.snapshot())!); },
      'save-svg': () => save(`${name}-plots.svg`, plotsAsSvg(this.plots), 'image/svg+xml'),
      'save-csv': () => save(`${name}.csv`, plotsAsCsv(this.plots), 'text/csv'),
      'save-gltf': async () => { const { stage } = this; if (stage) save(`${name}.glb`, await asGltf(stage.figure, stage.first.scene.up)); },
      'save-webm': () => this.film(`${name}.webm`),
      'copy-link': () => this.link(),
    };
    for (const [id, action] of Object.entries(act)) {
      byId(id).addEventListener('click', async () => {
        byId<HTMLDetailsElement>('save').open = false;
        await action();
      });
    }
    for (const id of ['save-png', 'save-gltf', 'save-webm']) byId(id).hidden = !this.stage;
    if (!('MediaRecorder' in window)) byId('save-webm').hidden = true;
  }

  /** Once through the run, or one swing of the mode. */
  private film(name: string): void {
    if (!this.stage || this.filming) return;
    const { finish } = film(this.stage.canvas);
    this.swung = performance.now() + 1e3 * modeSeconds;
    if (!this.mode) this.t = this.start;
    byId('badge').classList.add('filming');
    this.filming = async () => {
      this.filming = null;
      this.play(false);
      byId('badge').classList.remove('filming');
      save(name, await finish());
    };
    this.play(true);
  }

  /** The address of this view: in the address line, and copied where the browser allows it. */
  private link(): void {
    history.replaceState(null, '', `#${writeView({
      t: this.t, scale: this.scale, ghost: byId<HTMLSelectElement>('ghost').value, view: this.stage?.eye.current ?? '',
      mode: byId<HTMLSelectElement>('mode').value, colour: byId<HTMLSelectElement>('colour').value, on: switches.filter(pressed), panels: this.plots.chosen, axes: this.plots.axes, from: this.plots.from,
      until: this.plots.until, traced: (this.stage?.traced ?? []).map((each) => each.join('/')), camera: this.stage?.eye.pose ?? null,
    })}`);
    navigator.clipboard?.writeText(location.href).catch(() => undefined);
    write('linked', 'The address of this page now shows this view.');
    setTimeout(() => write('linked', ''), 4000);
  }

  private restore(): void {
    const view = readView(location.hash);
    if (view.scale !== undefined) this.scale = Math.min(Math.max(view.scale, 1), this.most);
    if (view.t !== undefined) this.t = Math.min(Math.max(view.t, this.start), this.end);
    for (const key of ['ghost', 'mode', 'colour'] as const) {
      const select = byId<HTMLSelectElement>(key);
      if ([...select.options].some((option) => option.value === view[key])) select.value = view[key]!;
    }
    if (this.mode) this.phase = 0.25;
    if (view.on) {
      for (const id of switches) press(id, view.on.includes(id));
      this.plots.degrees = pressed('degrees');
      this.plots.summaries = pressed('summaries');
      if (pressed('difference')) this.plots.set('difference', true);
    }
    if (view.panels) this.plots.chosen = view.panels;
    if (view.axes) this.plots.axes = view.axes;
    if (view.from !== undefined && view.until !== undefined && view.from < view.until) this.plots.zoom(view.from, view.until);
    if (!this.stage) return;
    if (view.scale !== undefined) this.stage.frame(this.scale);
    byId('views').querySelector<HTMLButtonElement>(`[data-view="${CSS.escape(view.view ?? '')}"]`)?.click();
    const { links } = this.stage.first.scene, traced = (view.traced ?? []).map((each) => each.split('/').map(Number) as [number, number]);
    if (view.traced) this.stage.trace(traced.filter(([link, point]) => links[link]?.points[point] !== undefined));
    if (view.camera) this.stage.eye.pose = view.camera;
  }
}

try {
  const report = readReport();
  const page = report.results.length > 0 ? new Page(report) : null;
  if (report.live) startLive(report.live.token, page, (first) => new Page(first));
} catch (error) {
  const note = byId('no-stage');
  note.textContent = `This page cannot show its data: ${(error as Error).message}`;
  note.hidden = false;
  byId('stage').hidden = true;
  throw error;
}
