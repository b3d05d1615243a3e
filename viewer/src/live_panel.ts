// What `lithe live` adds to the page: how the model is, its errors, sliders, the pose, verbs and what they print.

import { Mode, PulledJoint, PulledPose } from './contract';
import { number } from './numbers';
import { byId } from './page_elements';

export interface Parameter {
  name: string;
  value: number;
  unit?: string; // 'deg', or nothing
  from?: number;
  to?: number;
}

export interface Fault {
  file: string;
  line: number;
  column: number;
  key: string;
  message: string;
  source: string; // the line as it stands in the file
}

/** What the server tells. */
export interface News {
  version: number;
  closed: boolean;
  model: string;
  reading: boolean;
  running: boolean;
  progress: number;
  errors: Fault[];
  run_fault: string;
  parameters: Parameter[];
  moved: boolean; // sliders stand elsewhere than the file says
  verb: { name: string; command: string; running: boolean; text: string; exit: number | null } | null;
  pose: { number: number; change: number; ms: number };
  run: { number: number; change: number; ms: number };
}

export interface Wishes {
  slide(parameter: Parameter, value: string): void;
  unslide(): void; // all values as in the file
  show(view: 'run' | 'pose'): void;
  pull(request: object): void;
  verb(verb: string): void;
}

const verbs = ['check', 'statics', 'modes', 'linearize', 'simulate'];
const degrees = 180 / Math.PI;

function element<K extends keyof HTMLElementTagNameMap>(kind: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(kind);
  Object.assign(made, properties).append(...children);
  return made;
}

function button(text: string, id: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', textContent: text, id });
  made.addEventListener('click', act);
  return made;
}

interface Slider {
  range: HTMLInputElement;
  field: HTMLInputElement;
}

export class LivePanel {
  private readonly state = element('output', { id: 'live-state', className: 'live-state' });
  private readonly time = element('span', { id: 'live-time', className: 'soft' });
  private readonly faults = element('div', { id: 'live-errors' });
  private readonly sliders = element('div', { id: 'live-sliders', className: 'live-sliders' });
  private readonly others = element('details', { id: 'live-others', hidden: true }, element('summary', { textContent: 'Other parameters' }));
  private readonly pose = element('div', { id: 'live-pose', className: 'live-pose', hidden: true });
  private readonly verbText = element('pre', { id: 'verb-text', tabIndex: 0 });
  private readonly verbBox = element('details', { id: 'live-verb', hidden: true }, element('summary'), this.verbText);
  private readonly back: HTMLButtonElement;
  private readonly views: Record<'run' | 'pose', HTMLButtonElement>;
  private parameters: Parameter[] = [];
  private controls = new Map<string, Slider>();
  private joints = new Map<string, Slider>();
  private posed: PulledPose | null = null;

  constructor(private readonly wishes: Wishes) {
    this.state.setAttribute('role', 'status');
    this.faults.setAttribute('role', 'alert');
    this.views = { run: button('Run', 'live-run', () => wishes.show('run')), pose: button('Pose', 'live-pose-view', () => wishes.show('pose')) };
    this.back = button('As in the file', 'live-back', () => wishes.unslide());
    this.back.hidden = true;
    const bar = element('div', { className: 'live-bar' }, this.state, this.time, this.back,
      element('span', { className: 'control live-views' }, this.views.run, this.views.pose),
      element('span', { className: 'control live-verbs' }, ...verbs.map((verb) => button(verb, `verb-${verb}`, () => wishes.verb(verb)))));
    const section = element('section', { id: 'live' }, bar, this.faults, this.sliders, this.others, this.verbBox);
    section.setAttribute('aria-label', 'Live model');
    document.querySelector('main')!.before(section);
    byId('plots').before(this.pose); // in place of the plots, which have nothing to show of a single instant
    this.show('run');
    this.say('busy', 'reading the model');
  }

  show(view: 'run' | 'pose'): void {
    for (const [name, each] of Object.entries(this.views)) each.setAttribute('aria-pressed', String(name === view));
    this.pose.hidden = view !== 'pose';
    byId('plots').hidden = view === 'pose';
  }

  private say(kind: 'good' | 'busy' | 'bad', text: string): void {
    this.state.dataset.kind = kind;
    if (this.state.textContent !== text) this.state.textContent = text;
  }

  lost(): void { this.say('bad', 'lithe live has ended or cannot be reached; the page shows what it had'); }

  /** How long it took until what was asked for was on the screen, and until the page had computed it: the rest is drawing. */
  measured(ms: number, computed: number): void {
    this.time.textContent = `shown after ${Math.round(ms)} ms`;
    byId('live').dataset.computed = computed.toFixed(1);
    byId('live').dataset.ms = ms.toFixed(1);
  }

  complain(text: string): void { this.showFaults([{ file: '', line: 0, column: 0, key: '', message: text, source: '' }]); }

  tell(news: News, sliding: boolean): void {
    if (news.errors.length > 0) this.say('bad', `${news.errors.length === 1 ? 'an error' : `${news.errors.length} errors`}: the page shows the model before`);
    else if (news.reading) this.say('busy', 'reading the model');
    else if (news.running) this.say('busy', news.progress > 0 ? `simulating, ${Math.round(100 * news.progress)} %` : 'simulating');
    else if (news.run_fault) this.say('bad', 'the run has failed');
    else this.say('good', 'up to date');
    const faults = [...news.errors];
    if (news.run_fault && faults.length === 0) faults.push({ file: '', line: 0, column: 0, key: '', message: news.run_fault, source: '' });
    this.showFaults(faults);
    this.showParameters(news.parameters, sliding);
    this.showVerb(news.verb);
    this.back.hidden = !news.moved;
    byId('live').dataset.version = String(news.version);
  }

  private showFaults(faults: Fault[]): void {
    const text = JSON.stringify(faults);
    if (this.faults.dataset.shown === text) return;
    this.faults.dataset.shown = text;
    this.faults.replaceChildren(...joined(faults).map((fault) => {
      const place = fault.line > 0 ? `${fault.file}, line ${fault.line}` : fault.file, what = [place, fault.key].filter(Boolean).join(': ');
      const box = element('div', { className: 'live-error' }, element('b', { textContent: what }), element('p', { textContent: fault.message }));
      if (fault.source.trim()) {
        const mark = fault.column > 0 ? `\n${' '.repeat(fault.column - 1)}^` : '';
        box.append(element('pre', { textContent: fault.source + mark }));
      }
      return box;
    }));
  }

  private showParameters(parameters: Parameter[], sliding: boolean): void {
    const layout = (list: Parameter[]) => list.map(({ name, from, to, unit }) => `${name} ${from} ${to} ${unit}`).join('/');
    if (layout(parameters) !== layout(this.parameters) && !sliding) this.layOut(parameters);
    this.parameters = parameters;
    if (sliding) return;
    for (const { name, value } of parameters) {
      const control = this.controls.get(name);
      if (!control || document.activeElement === control.field) continue;
      control.range.value = String(value);
      control.field.value = short(value);
    }
  }

  private layOut(parameters: Parameter[]): void {
    this.controls.clear();
    const ranged = parameters.filter(({ from }) => from !== undefined), others = parameters.filter(({ from }) => from === undefined);
    this.sliders.replaceChildren(...ranged.map((each) => this.slider(each)));
    this.others.hidden = others.length === 0;
    this.others.replaceChildren(this.others.firstElementChild!, element('div', { className: 'live-sliders' }, ...others.map((each) => this.slider(each))));
  }

  private slider(parameter: Parameter): HTMLElement {
    const { name, value, unit } = parameter, from = parameter.from ?? 0, to = parameter.to ?? 1, id = `live-${name}`;
    const range = element('input', { type: 'range', id, min: String(from), max: String(to), step: String((to - from) / 500) });
    const field = element('input', { type: 'number', step: 'any', value: short(value) });
    range.value = String(value);
    range.hidden = parameter.from === undefined;
    field.setAttribute('aria-label', `${name}${unit ? `, ${unit}` : ''}`);
    range.addEventListener('input', () => {
      field.value = short(Number(range.value));
      this.wishes.slide(parameter, field.value);
    });
    field.addEventListener('change', () => {
      if (!Number.isFinite(field.valueAsNumber)) return;
      range.value = field.value;
      this.wishes.slide(parameter, field.value);
    });
    this.controls.set(name, { range, field });
    return element('div', { className: 'live-slider' }, element('label', { htmlFor: id, textContent: name }), range, field, element('span', { textContent: unit ?? '', className: 'soft' }));
  }

  private showVerb(verb: News['verb']): void {
    this.verbBox.hidden = !verb;
    if (!verb) return;
    const ending = verb.running ? 'runs …' : verb.exit === 0 ? '' : `exit code ${verb.exit}`;
    const head = this.verbBox.firstElementChild!, text = `${verb.command}${ending ? ` · ${ending}` : ''}`;
    if (head.textContent !== text) {
      head.textContent = text;
      this.verbBox.open = true;
    }
    if (this.verbText.textContent !== verb.text) this.verbText.textContent = verb.text;
  }

  /** Joints that have been pulled, how near a singular pose is, and what the mechanism would ring with here. */
  tellPose(pose: PulledPose, modes: Mode[]): void {
    const names = (joints: PulledJoint[]) => joints.map((each) => each.name).join('/');
    if (!this.posed || names(this.posed.joints) !== names(pose.joints)) this.layOutPose(pose);
    this.posed = pose;
    for (const joint of pose.joints) {
      const control = this.joints.get(joint.name), shown = joint.value * (joint.angle ? degrees : 1);
      if (!control) continue;
      if (document.activeElement !== control.range) control.range.value = String(shown);
      if (document.activeElement !== control.field) control.field.value = short(shown);
      control.range.parentElement!.classList.toggle('at-limit', joint.at_limit);
    }
    const { closure, motors } = pose.condition, parts = [];
    if (closure !== null && closure > 0) parts.push(`of the loops ${number(closure, 3)}`);
    if (motors !== null && motors > 0) parts.push(`of holding them by the motors ${number(motors, 3)}`);
    const limits = pose.joints.filter((joint) => joint.at_limit).map((joint) => joint.name);
    this.line('pose-condition', parts.length ? `condition ${parts.join(', ')}` : '');
    this.line('pose-singular', pose.singular ? `near a singular pose: ${pose.singular}` : '');
    this.line('pose-limits', limits.length ? `at its limit: ${limits.join(', ')}` : '');
    this.line('pose-missed', pose.missed > 1e-3 * pose.length ? 'out of reach: this is as near as it comes' : '');
    this.line('pose-note', pose.note);
    this.line('pose-modes', modes.length ? `modes here: ${modes.slice(0, 6).map((mode) => `${number(mode.frequency, 4)} Hz`).join(', ')}` : '');
  }

  private line(id: string, text: string): void {
    const element = byId(id);
    element.hidden = text === '';
    if (element.textContent !== text) element.textContent = text;
  }

  private layOutPose(pose: PulledPose): void {
    this.joints.clear();
    const motors = pose.joints.filter((joint) => joint.actuated), others = pose.joints.filter((joint) => !joint.actuated);
    const leading = motors.length ? motors : others, waiting = motors.length ? others : [];
    const more = element('details', { hidden: waiting.length === 0 }, element('summary', { textContent: 'Passive joints' }),
      element('div', { className: 'live-sliders' }, ...waiting.map((joint) => this.jointSlider(joint, pose.length))));
    const line = (id: string, className: string) => element('p', { id, className, hidden: true });
    this.pose.replaceChildren(
      element('h2', { textContent: 'Pose' }),
      element('p', { className: 'soft', textContent: 'Pull any frame of the picture, or move a joint. Elastic links bend under gravity and the loads of the start.' }),
      element('div', { className: 'live-sliders' }, ...leading.map((joint) => this.jointSlider(joint, pose.length))), more,
      line('pose-condition', 'soft'), line('pose-singular', 'warning'), line('pose-limits', 'warning'), line('pose-missed', 'warning'),
      line('pose-note', 'soft'), line('pose-modes', ''),
      element('div', { className: 'control' }, button('Back to the start', 'pose-reset', () => this.wishes.pull({ reset: true })),
        button('Copy as initial:', 'pose-copy', () => this.copy()), element('span', { id: 'pose-copied', className: 'soft' })),
    );
  }

  private jointSlider(joint: PulledJoint, length: number): HTMLElement {
    const factor = joint.angle ? degrees : 1, room = joint.angle ? Math.PI : length, id = `joint-${joint.name}`;
    const from = factor * (joint.lower ?? joint.value - room), to = factor * (joint.upper ?? joint.value + room);
    const range = element('input', { type: 'range', id, min: String(from), max: String(to), step: String((to - from) / 1000) });
    const field = element('input', { type: 'number', step: 'any' });
    field.setAttribute('aria-label', `${joint.name}, ${joint.angle ? 'deg' : 'm'}`);
    const pull = (text: string) => this.wishes.pull({ joint: joint.name, to: Number(text) / factor });
    range.addEventListener('input', () => {
      field.value = short(Number(range.value));
      pull(range.value);
    });
    field.addEventListener('change', () => { if (Number.isFinite(field.valueAsNumber)) pull(field.value); });
    this.joints.set(joint.name, { range, field });
    return element('div', { className: 'live-slider' }, element('label', { htmlFor: id, textContent: joint.name }), range, field,
      element('span', { textContent: joint.angle ? 'deg' : 'm', className: 'soft' }));
  }

  /** The pose as a model file takes it. */
  private copy(): void {
    const joints = (this.posed?.joints ?? []).filter((joint) => !joint.name.includes('.'));
    const text = `initial: {${joints.map((joint) => `${joint.name}: ${joint.angle ? `${Number((joint.value * degrees).toFixed(4))} deg` : Number(joint.value.toPrecision(6))}`).join(', ')}}`;
    byId('pose-copy').dataset.text = text;
    navigator.clipboard?.writeText(text).catch(() => undefined);
    byId('pose-copied').textContent = 'copied';
    setTimeout(() => { byId('pose-copied').textContent = ''; }, 3000);
  }
}

/** One cause that spoils several entries (a line with an anchor, a repetition) is told once. */
function joined(faults: Fault[]): Fault[] {
  const first = new Map<string, Fault>();
  for (const fault of faults) {
    const id = [fault.file, fault.line, fault.column, fault.message].join('\n'), known = first.get(id);
    if (known) known.key += `, ${fault.key}`;
    else first.set(id, { ...fault });
  }
  return [...first.values()];
}

/** Four digits: what a hand sets is not finer. */
function short(value: number): string { return String(Number(value.toPrecision(4))); }
