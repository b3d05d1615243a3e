// The study as the page reads it: one column of numbers per axis and output, and what is known of every variant.

import { doublesOf } from '../data_page/bytes';
import { Range, rangeOf } from '../data_page/plot_area';
import type { StudyData } from './contract';

export interface Variable {
  name: string;
  isOutput: boolean;
  values: Float64Array;
  range: Range;
  least: number | null; // limits of the study
  most: number | null;
}

const searchTolerance = 1e-6; // of the size of a limit

export class Study {
  readonly variables: Variable[]; // axes first
  readonly axes: number; // how many
  readonly count: number; // variants on this page
  readonly numbers: Float64Array;
  /** Per variant: index of its failure, or -1. */
  readonly failure: Int32Array;
  /** Per variant: 1 where all outputs keep their limits. */
  readonly feasible: Uint8Array;
  readonly objectives: { variable: number; maximize: boolean }[];

  constructor(readonly data: StudyData) {
    const limit = (name: string) => data.limits.find(({ output }) => output === name);
    const variable = (isOutput: boolean) => ({ name, values, log }: { name: string; values: string; log?: boolean }): Variable => {
      const numbers = doublesOf(values), limits = isOutput ? limit(name) : undefined;
      return { name, isOutput, values: numbers, range: rangeOf(numbers, log), least: limits?.least ?? null, most: limits?.most ?? null };
    };
    this.variables = [...data.axes.map(variable(false)), ...data.outputs.map(variable(true))];
    this.axes = data.axes.length;
    this.numbers = doublesOf(data.numbers);
    this.count = this.numbers.length;
    this.failure = new Int32Array(this.count).fill(-1);
    data.failures.forEach(({ places }, kind) => { for (const place of places) this.failure[place] = kind; });
    this.feasible = new Uint8Array(this.count).fill(1);
    for (const variable of this.variables) {
      if (variable.least === null && variable.most === null) continue;
      for (let k = 0; k < this.count; ++k) if (this.breaks(variable, k)) this.feasible[k] = 0;
    }
    this.objectives = data.objectives.map(({ output, maximize }) => ({ variable: this.variables.findIndex((each) => each.isOutput && each.name === output), maximize }))
      .filter(({ variable: at }) => at >= 0);
  }

  /** Which limit of a variable a variant breaks. A search stops at its limits up to rounding, as `lithe optimize` judges it. */
  breaks({ values, least, most }: Variable, k: number): 'least' | 'most' | null {
    const room = (limit: number) => (this.isSearch ? searchTolerance * Math.abs(limit) : 0);
    if (least !== null && !(values[k] >= least - room(least))) return 'least';
    return most !== null && !(values[k] <= most + room(most)) ? 'most' : null;
  }

  get isSearch(): boolean { return this.data.analysis.searches !== undefined; }
  get outputs(): number[] { return this.variables.map((_, k) => k).slice(this.axes); }

  /** Feasible variants that none other beats in both objectives, by the first one. */
  front(): number[] {
    if (this.objectives.length !== 2) return [];
    const [first, second] = this.objectives.map(({ variable, maximize }) => ({ values: this.variables[variable].values, sign: maximize ? -1 : 1 }));
    const good: number[] = [];
    for (let k = 0; k < this.count; ++k) if (this.feasible[k] && Number.isFinite(first.values[k]) && Number.isFinite(second.values[k])) good.push(k);
    good.sort((a, b) => first.sign * (first.values[a] - first.values[b]) || second.sign * (second.values[a] - second.values[b]));
    let best = Infinity;
    return good.filter((k) => {
      const value = second.sign * second.values[k];
      if (value >= best) return false;
      best = value;
      return true;
    });
  }

  /** Pearson's correlation over the variants that have both. */
  correlation(a: number, b: number): number {
    const x = this.variables[a].values, y = this.variables[b].values;
    let n = 0, mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (let k = 0; k < this.count; ++k) {
      if (!Number.isFinite(x[k]) || !Number.isFinite(y[k])) continue;
      ++n;
      const dx = x[k] - mx, dy = y[k] - my;
      mx += dx / n;
      my += dy / n;
      xx += dx * (x[k] - mx);
      yy += dy * (y[k] - my);
      xy += dx * (y[k] - my);
    }
    return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : NaN;
  }

  /** The command that computes a variant again. */
  command(k: number): string | null {
    const { command } = this.data, number = this.numbers[k];
    if (!command) return null;
    const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`);
    const sets = [...command.sets, ...this.variables.slice(0, this.axes).map(({ name, values }) => `${name}=${values[k]}`)];
    const words = ['lithe', command.verb, quoted(command.model), ...sets.map((set) => `--set ${quoted(set)}`)];
    if (command.at !== undefined) words.push(`--at ${command.at}`);
    words.push(...(command.more ?? []).map(quoted));
    if (command.records) words.push(`-o variant-${number}.h5`, `&& lithe show variant-${number}.h5 -o variant-${number}.html`);
    return words.join(' ');
  }
}
