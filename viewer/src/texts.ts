// What a result says about itself: how the run ended, its audit, the model text, the options.

import { placeText } from './colouring';
import { Audit, isPose, LinkStress, Report, Result } from './contract';
import { number } from './numbers';

type Row = [what: string, value: string, remark?: string];

export function writeTexts(host: HTMLElement, report: Report): void {
  for (const result of report.results) {
    const box = document.createElement('article');
    if (report.results.length > 1) {
      const heading = document.createElement('h2');
      heading.textContent = result.label;
      box.append(heading);
    }
    box.append(outcome(result), ...remarks(result), section('Audit', auditOf(result), true), section('Model', modelOf(result), false),
      section('Run', runOf(result), false));
    host.append(box);
  }
}

function outcome(result: Result): HTMLElement {
  const line = document.createElement('p');
  const fine = result.complete || isPose(result);
  line.className = fine ? 'outcome' : 'outcome stopped';
  line.textContent = isPose(result) ? 'The mechanism as it is assembled at its start; there was no run.'
    : result.complete ? 'The run is complete.' : `The run is not complete: ${result.outcome}`;
  return line;
}

/** What speaks against the result, then the choices that the run made by itself. */
function remarks(result: Result): HTMLElement[] {
  const kinds: [texts: string[], name: string, head: string][] = [
    [result.audit?.distrust ?? [], 'remark distrust', 'Not to be trusted: '],
    [result.audit?.warnings ?? [], 'remark warning', 'Warning: '],
    [result.audit?.notes ?? [], 'remark', 'Note: '],
  ];
  return kinds.flatMap(([texts, name, head]) => texts.map((text) => {
    const line = document.createElement('p');
    line.className = name;
    line.textContent = head + text;
    return line;
  }));
}

function section(title: string, content: HTMLElement, open: boolean): HTMLElement {
  const details = document.createElement('details'), summary = document.createElement('summary');
  details.open = open;
  summary.textContent = title;
  details.append(summary, content);
  return details;
}

function table(rows: Row[]): HTMLElement {
  const element = document.createElement('table');
  for (const [what, value, remark] of rows) {
    const row = element.insertRow();
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = what;
    row.append(head);
    row.insertCell().textContent = value;
    row.insertCell().textContent = remark ?? '';
  }
  const scroll = document.createElement('div');
  scroll.className = 'scroll';
  scroll.append(element);
  return scroll;
}

/** Peak in MPa; where and when, and what it means for the material. */
function stressOf({ peak, place, time, safety, damage, life }: LinkStress): [string, string] {
  const remarks = [`at ${placeText(place.replace(/ /g, ''))}, ${number(time, 3)} s`];
  if (typeof safety === 'number') remarks.push(`safety against yield ${number(safety, 3)}`);
  if (damage !== undefined) remarks.push(`damage ${number(damage, 3)}`, `life ${typeof life === 'number' ? `${number(life / 3600, 3)} h` : 'unlimited'}`);
  return [`${number(peak / 1e6, 4)} MPa`, remarks.join('; ')];
}

function auditOf(result: Result): HTMLElement {
  const audit = result.audit;
  if (!audit) {
    const note = document.createElement('p');
    note.textContent = isPose(result) ? 'There is an audit after a run.' : 'The run was killed before it could write its audit.';
    return note;
  }
  const share = audit.energy_scale > 0 ? `${number(audit.energy_error / audit.energy_scale, 2)} of the ${number(audit.energy_scale, 3)} J exchanged` : '';
  const rows: Row[] = [
    ['ended at', `${number(audit.t_end)} s`],
    ['energy balance error', `${number(audit.energy_error, 3)} J`, share],
    ...closures(audit),
    ['steps', String(audit.steps), `${audit.rejected} rejected`],
    ['evaluations', String(audit.evaluations), `${audit.jacobians} Jacobians`],
    ['projections', String(audit.projections), `${audit.set_changes} changes of the independent coordinates`],
    ['computing time', `${number(audit.wall_seconds, 3)} s`, split(audit.time_split)],
  ];
  if (audit.worst_residual > 0) rows.push(['worst residual', number(audit.worst_residual, 3), 'what the actuators cannot supply']);
  const bent = Object.entries(audit.bending ?? {}).sort((a, b) => b[1] - a[1]);
  if (bent.length) rows.push(['largest bending', number(bent[0][1], 3), `of its length, link ${bent[0][0]}`]);
  for (const [link, stress] of Object.entries(audit.stress ?? {})) rows.push([`largest stress, ${link}`, ...stressOf(stress)]);
  for (const [name, motor] of Object.entries(audit.motors ?? {}))
    rows.push([
      `motor ${name}`, `${number(motor.peak_torque, 3)} N m (N), rms ${number(motor.rms_torque, 3)}`,
      `up to ${number(motor.peak_speed, 3)} rad/s (m/s) and ${number(motor.peak_power, 3)} W`,
    ]);
  return table(rows);
}

function closures(audit: Audit): Row[] {
  if (audit.worst_condition === 0) return [['closures', 'none', 'the mechanism has no loop']];
  return [
    ['worst closure error', number(audit.worst_closure, 3), 'm or 1, after accepted steps'],
    ['worst condition number', number(audit.worst_condition, 3), 'of the closures'],
  ];
}

function split(parts: Record<string, number>): string {
  return Object.entries(parts).map(([part, seconds]) => `${part} ${number(1e3 * seconds, 3)} ms`).join(', ');
}

function modelOf(result: Result): HTMLElement {
  const box = document.createElement('div'), note = document.createElement('p'), text = document.createElement('pre');
  const parameters = Object.entries(result.model.parameters).map(([name, value]) => `${name} = ${number(value, 6)}`);
  note.textContent = `${result.model.path}${parameters.length ? `, run with ${parameters.join(', ')}` : ''}`;
  text.tabIndex = 0;
  // The file as it was written; with includes or replaced values, what really ran.
  for (const line of (result.model.flattened || result.model.text).split('\n')) {
    const comment = line.search(/(^|\s)#/);
    const plain = comment < 0 ? line : line.slice(0, comment);
    text.append(plain);
    if (comment >= 0) {
      const soft = document.createElement('span');
      soft.textContent = line.slice(comment);
      text.append(soft);
    }
    text.append('\n');
  }
  box.append(note, text);
  return box;
}

function runOf(result: Result): HTMLElement {
  const shown = Object.entries(result.options ?? {}).map(([name, value]): Row => [name, typeof value === 'number' ? number(value, 6) : String(value)]);
  return table([['result file', result.file], ['written by', `lithe ${result.lithe}`], ['rows', String(result.rows)], ...shown]);
}
