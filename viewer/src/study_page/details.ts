// One variant: its values and outputs, its run or the command that computes it again, or why it failed.

import { number } from '../numbers';
import { byId } from '../page_elements';
import type { Study } from './study';

const element = (tag: string, text = '', name = '') => Object.assign(document.createElement(tag), { className: name, textContent: text });

function valuesTable(study: Study, k: number): HTMLElement {
  const table = element('table', '', 'values');
  study.variables.forEach((variable, v) => {
    const { name, values, least, most } = variable;
    if (v === 0 || v === study.axes) {
      const heading = element('tr', '', 'heading');
      heading.append(element('th', v === 0 ? 'axes' : 'outputs'));
      table.append(heading);
    }
    const row = element('tr'), broken = study.breaks(variable, k);
    row.append(element('th', name), element('td', number(values[k], 7)), element('td', broken && Number.isFinite(values[k]) ? (broken === 'least' ? `below ${number(least)}` : `above ${number(most)}`) : '', broken ? 'warning' : ''));
    table.append(row);
  });
  return table;
}

/** Fills the card; -1: none. */
export function showVariant(study: Study, k: number): void {
  const room = byId('variant');
  room.replaceChildren();
  byId('variant-title').textContent = k < 0 ? 'Variant' : `Variant ${study.numbers[k]}`;
  byId('variant-state').textContent = k < 0 ? '' : study.failure[k] >= 0 ? 'failed' : study.feasible[k] ? '' : 'breaks a limit';
  if (k < 0) {
    room.append(element('p', 'Click a point or a line to see its values and to open its run.', 'soft'));
    return;
  }
  if (study.failure[k] >= 0) room.append(element('p', study.data.failures[study.failure[k]].message, 'failure'));
  const page = study.data.pages[String(study.numbers[k])], command = study.command(k);
  if (page) {
    const link = element('a', 'Open its run', 'open') as HTMLAnchorElement;
    link.href = encodeURI(page);
    room.append(link);
  }
  room.append(valuesTable(study, k));
  if (!command) return;
  const head = element('div', '', 'again'), copy = element('button', 'Copy') as HTMLButtonElement, text = element('pre', command);
  head.append(element('span', page ? 'Compute it again:' : 'Its run was not kept; this computes it again:', 'soft'), copy);
  copy.type = 'button';
  copy.addEventListener('click', () => {
    getSelection()?.selectAllChildren(text);
    copy.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
  });
  room.append(head, text);
}
