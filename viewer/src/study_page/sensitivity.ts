// What an output depends on, as bars: Sobol's indices, Morris's effects, or correlation and share of the variance.

import { number } from '../numbers';
import type { Study } from './study';

interface Bar { value: number; error?: number; words: string; colour: string }
interface Group { axis: string; bars: Bar[] }

function groupsOf(study: Study, output: string): { title: string; groups: Group[]; rest?: number } | null {
  const known = study.data.analysis.outputs?.[output], nothing = (value: number | null) => value ?? 0;
  if (known?.sobol) {
    return { title: 'Sobol’s indices: parts of the variance', groups: Object.entries(known.sobol).map(([axis, index]) => ({ axis, bars: [
      { value: nothing(index.first), error: nothing(index['first-error']), words: 'alone', colour: '--c0' },
      { value: nothing(index.total), error: nothing(index['total-error']), words: 'with all that it takes part in', colour: '--c1' }] })) };
  }
  if (known?.morris) {
    return { title: 'Morris’s effects, per whole range of an axis', groups: Object.entries(known.morris).map(([axis, effect]) => ({ axis, bars: [
      { value: nothing(effect['mean-size']), words: 'mean size', colour: '--c0' },
      { value: nothing(effect.deviation), words: 'deviation: bends, or depends on others', colour: '--c1' }] })) };
  }
  if (!known?.axes) return null;
  return { title: 'Parts of the variance, and correlation of ranks', rest: nothing(known.unexplained ?? null), groups: Object.entries(known.axes).map(([axis, each]) => ({ axis, bars: [
    { value: nothing(each.share), words: 'share of the variance', colour: '--c0' },
    { value: nothing(each['rank-correlation']), words: 'correlation of ranks', colour: '--c1' }] })) };
}

const element = (tag: string, name: string, text = '') => Object.assign(document.createElement(tag), { className: name, textContent: text });

/** Fills `parent`; false when the study has no sensitivities of this output. */
export function showSensitivity(parent: HTMLElement, study: Study, output: string): boolean {
  const found = groupsOf(study, output);
  parent.replaceChildren();
  if (!found) return false;
  const largest = Math.max(1e-300, ...found.groups.flatMap(({ bars }) => bars.map(({ value, error }) => Math.abs(value) + (error ?? 0))));
  parent.append(element('p', 'soft title', found.title));
  const list = element('div', 'sensitivities');
  for (const { axis, bars } of found.groups) {
    const group = element('div', 'group');
    group.append(element('span', 'axis', axis));
    const rows = element('div', 'rows');
    for (const { value, error, words, colour } of bars) {
      const row = element('div', 'row'), track = element('div', 'track'), bar = element('i', value < 0 ? 'below' : ''), text = element('b', '', number(value, 3) + (error ? ` ± ${number(error, 2)}` : ''));
      bar.style.width = `${(100 * Math.abs(value)) / largest}%`;
      bar.style.background = `var(${colour})`;
      row.title = words;
      track.append(bar);
      if (error) {
        const whisker = element('u', '');
        whisker.style.left = `${(100 * Math.max(0, value - error)) / largest}%`;
        whisker.style.width = `${(200 * error) / largest}%`;
        track.append(whisker);
      }
      row.append(track, text);
      rows.append(row);
    }
    group.append(rows);
    list.append(group);
  }
  parent.append(list);
  const key = element('div', 'keys');
  for (const { words, colour } of found.groups[0]?.bars ?? []) {
    const span = element('span', ''), swatch = element('i', 'swatch');
    swatch.style.background = `var(${colour})`;
    span.append(swatch, words);
    key.append(span);
  }
  parent.append(key);
  if (found.rest !== undefined) parent.append(element('p', 'soft', `Squares, products and noise bring ${number(found.rest, 3)} of the variance.`));
  return true;
}
