// The choice of what colours the links, and its scale below the picture: what, in which unit, from where to
// where, and the peak of the run.

import { gradient, Kind, titles } from './colouring';
import { number } from './numbers';
import { byId, write } from './page_elements';
import type { Stage } from './stage';
import { reading } from './units';

const kinds = Object.keys(titles) as Kind[];

export class ColourScale {
  private readonly select = byId<HTMLSelectElement>('colour');
  private peakTime = 0;
  private told = ''; // what the scale shows

  private stage: Stage | null = null;

  constructor(page: { go(t: number): void; show(): void }) {
    this.select.addEventListener('change', () => page.show());
    byId('scale-peak').addEventListener('click', () => page.go(this.peakTime));
  }

  /** What the results of a stage can be coloured by; a choice that was made stays. */
  offer(stage: Stage | null): void {
    const known = kinds.filter((kind) => stage?.knows(kind)), before = this.select.options.length > 0 ? this.select.value : null;
    this.stage = stage;
    this.told = '';
    byId('colour-control').hidden = known.length === 0;
    this.select.replaceChildren();
    if (known.length === 0) return;
    this.select.append(new Option('of the link', ''));
    for (const kind of known) this.select.append(new Option(titles[kind].name, kind));
    // Who records stress wants to see it.
    if (known.includes('stress')) this.select.value = 'stress';
    if (before !== null && known.some((kind) => kind === before)) this.select.value = before;
    else if (before === '') this.select.value = '';
  }

  get kind(): Kind | null { return (this.select.value || null) as Kind | null; }

  /** While a mode swings nothing is coloured. */
  tell(swings: boolean): void {
    const { kind } = this, field = kind && !swings ? this.stage?.field(kind) : null;
    byId('scale').hidden = !field;
    if (!kind || !field || this.told === kind) return;
    this.told = kind;
    const { name, unit, signed } = titles[kind], shown = reading(unit, field.largest, false);
    const text = (value: number) => number(value * shown.factor, 3);
    write('scale-title', `${name}, ${shown.unit}`);
    byId('scale-ramp').style.background = gradient(kind);
    const marks = signed ? [-1, 0, 1] : [0, 0.5, 1];
    byId('scale-marks').replaceChildren(...marks.map((mark) => {
      const span = document.createElement('span');
      span.textContent = text(mark * field.largest);
      return span;
    }));
    const { peak } = field;
    this.peakTime = peak.t;
    write('scale-peak', `peak ${text(peak.value)} ${shown.unit}: ${peak.link} at ${peak.place}, ${number(peak.t, 3)} s`);
  }
}
