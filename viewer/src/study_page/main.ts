// The page of a study: all views share one selection and one colouring.

import { doublesOf, readData } from '../data_page/bytes';
import { redrawAll } from '../data_page/canvas';
import { gradient } from '../data_page/colours';
import { number } from '../numbers';
import { byId, write } from '../page_elements';
import { onThemeChange } from '../theme';
import type { StudyData } from './contract';
import { showVariant } from './details';
import { Histogram } from './histogram';
import { Front, History } from './objectives';
import { Parallel } from './parallel';
import { Scatter } from './scatter';
import { Selection } from './selection';
import { showSensitivity } from './sensitivity';
import { Study } from './study';
import { SurfaceView } from './surface';
import { Colouring, View } from './view';

const data = readData<StudyData>('study'), study = new Study(data), selection = new Selection(study), colouring = new Colouring(study);
const views: View[] = [];

function tellHead(): void {
  document.title = `${data.title} – study`;
  write('title', data.title);
  const failed = data.failures.reduce((sum, { count }) => sum + count, 0), thinned = study.count < data.rows ? `, ${study.count} of them on this page` : '';
  write('subtitle', [`${study.isSearch ? 'search' : 'study'} (${data.study.method})`, `${data.rows} variants${thinned}`, `${failed} failed`, ...(data.outcome === 'complete' ? [] : [data.outcome]), `${data.file}, Lithe ${data.lithe}`].join(' · '));
  write('study-text', data.study.text);
}

function tellSelection(): void {
  const broken = data.limits.length > 0 ? `, ${selection.selected.reduce((sum, one, k) => sum + (one && study.feasible[k] ? 1 : 0), 0)} within all limits` : '';
  write('selected', `${selection.count} of ${study.count} variants selected${broken}`);
  byId<HTMLButtonElement>('clear').disabled = selection.isAll;
}

function options(id: string, variables: number[], chosen: number, changed: (variable: number) => void): HTMLSelectElement {
  const select = byId<HTMLSelectElement>(id);
  for (const variable of variables) select.append(new Option(study.variables[variable].name, String(variable)));
  select.value = String(chosen);
  select.addEventListener('change', () => changed(Number(select.value)));
  return select;
}

function colourBy(variable: number): void {
  colouring.by(variable);
  write('ramp-low', number(colouring.levels.low, 3));
  write('ramp-high', number(colouring.levels.high, 3));
  byId('ramp').style.background = gradient('to right');
  for (const view of views) view.refresh();
}

function makeScatter(): void {
  const scatter = new Scatter(byId('scatter'), study, selection, colouring), chips = byId('chosen');
  views.push(scatter);
  const tell = () => {
    for (const chip of chips.querySelectorAll('button')) chip.setAttribute('aria-pressed', String(scatter.chosen.includes(Number(chip.dataset.variable))));
  };
  study.variables.forEach(({ name }, variable) => {
    const chip = document.createElement('button');
    chip.type = 'button';
    chip.textContent = name;
    chip.dataset.variable = String(variable);
    chip.addEventListener('click', () => {
      scatter.toggle(variable);
      tell();
    });
    chips.append(chip);
  });
  tell();
}

function makeHistograms(): void {
  for (const variable of study.outputs) {
    const block = document.createElement('div'), head = document.createElement('h3'), mean = document.createElement('span');
    head.textContent = study.variables[variable].name;
    head.append(mean);
    block.append(head);
    byId('outputs').append(block);
    const room = document.createElement('div');
    block.append(room);
    views.push(new Histogram(room, study, selection, colouring, variable, (text) => { mean.textContent = text; }));
  }
  const { limits } = data.analysis;
  if (limits) write('limits-note', `limits broken by ${limits.broken} of ${limits.variants}: probability ${number(limits.probability, 3)}, ${number(limits.low, 3)} to ${number(limits.high, 3)} with ${number(100 * limits.confidence, 3)} % confidence`);
}

function makeSurface(): void {
  if (study.axes < 2) return;
  byId('surface-card').hidden = false;
  const view = new SurfaceView(byId('surface'), study, selection, colouring), axes = study.variables.map((_, k) => k).slice(0, study.axes);
  const tell = () => {
    const { surface } = view, others = study.axes > 2 ? ', the other axes at their means' : '';
    write('surface-note', surface ? `${surface.quadratic.length > 0 ? 'Quadratic' : 'Linear'} fit through all variants${others}; it explains ${number(100 * (surface.determination ?? NaN), 4)} % of the variance. Dots have the colours of their own values.` : 'Too few variants for a surface.');
    view.refresh();
  };
  const other = (taken: number) => axes.find((axis) => axis !== taken)!;
  options('surface-output', study.outputs, view.output, (variable) => { view.output = variable; tell(); });
  const x = options('surface-x', axes, view.x, (axis) => { view.x = axis; if (view.y === axis) y.value = String((view.y = other(axis))); tell(); });
  const y = options('surface-y', axes, view.y, (axis) => { view.y = axis; if (view.x === axis) x.value = String((view.x = other(axis))); tell(); });
  views.push(view);
  tell();
}

function makeObjectives(): void {
  const { analysis } = data;
  if (study.objectives.length === 2) {
    byId('front-card').hidden = false;
    views.push(new Front(byId('front'), study, selection, colouring));
    write('front-note', `${study.front().length} variants that none other beats in both; hollow: breaks a limit`);
  }
  if (!study.isSearch || study.objectives.length === 0) return;
  byId('history-card').hidden = false;
  views.push(new History(byId('history'), study, selection, colouring));
  const kept = analysis.searches!.filter(({ feasible }) => feasible).length;
  write('history-note', analysis.searches!.length > 0 ? `${analysis.searches!.length} searches, ${kept} within limits; line: best so far; hollow: breaks a limit` : 'line: best so far; hollow: breaks a limit');
}

function makeSensitivity(): void {
  const known = study.outputs.filter((output) => {
    const found = data.analysis.outputs?.[study.variables[output].name];
    return found?.sobol || found?.morris || found?.axes;
  });
  byId('sensitivity-card').hidden = known.length === 0;
  if (known.length === 0) return;
  const show = (output: number) => showSensitivity(byId('sensitivity'), study, study.variables[output].name);
  options('sensitivity-output', known, known[0], show);
  show(known[0]);
}

function makeFailures(): void {
  byId('failures-card').hidden = data.failures.length === 0;
  write('failures-count', `${data.failures.reduce((sum, { count }) => sum + count, 0)} of ${data.rows} variants; red crosses and lines`);
  for (const { message, count, places } of data.failures) {
    const button = document.createElement('button'), many = document.createElement('b');
    button.type = 'button';
    many.textContent = `${count} ×`;
    button.append(many, message);
    button.disabled = places.length === 0;
    let next = 0;
    button.title = 'Click: go through them';
    button.addEventListener('click', () => selection.pick(places[next++ % places.length]));
    byId('failures').append(button);
  }
}

/** The best variant, else the first with a page of its own. */
function firstPick(): number {
  const { best } = data.analysis, numbers = doublesOf(data.numbers);
  if (best?.number !== undefined) return numbers.indexOf(best.number);
  if (best) {
    const axes = study.variables.slice(0, study.axes);
    return numbers.findIndex((_, k) => axes.every(({ name, values }) => values[k] === best.values[name]));
  }
  const page = Object.keys(data.pages)[0];
  return page === undefined ? -1 : numbers.indexOf(Number(page));
}

tellHead();
colouring.by(study.objectives[0]?.variable ?? study.axes);
views.push(new Parallel(byId('parallel'), study, selection, colouring));
makeScatter();
makeObjectives();
makeHistograms();
makeSurface();
makeSensitivity();
makeFailures();
options('colour', study.variables.map((_, k) => k), colouring.variable, colourBy);
colourBy(colouring.variable);
selection.listen(tellSelection, () => showVariant(study, selection.picked));
tellSelection();
showVariant(study, -1);
byId('clear').addEventListener('click', () => selection.clear());
addEventListener('keydown', (event) => { if (event.key === 'Escape') selection.clear(); });
onThemeChange(() => {
  for (const view of views) view.refresh();
  redrawAll();
});
if (firstPick() >= 0) selection.pick(firstPick());
