// The page of a map: choose a quantity, point at a place for its values, click for the pose and its modes.

import { readData } from '../data_page/bytes';
import { redrawAll } from '../data_page/canvas';
import { number } from '../numbers';
import { byId, press, pressed, write } from '../page_elements';
import { onThemeChange, styleOf } from '../theme';
import { MapData, pointWords } from './contract';
import { Machine } from './machine';
import { WorkspaceMap } from './map';
import { lineStyles, Picture } from './picture';
import { PoseView } from './pose_view';

const swingPeriod = 1.2; // s, on the screen
const data = readData<MapData>('map'), map = new WorkspaceMap(data);
const picture = new Picture(byId('picture'), map);
const view = data.scene ? new PoseView(byId('pose'), map, new Machine(data.scene, data.modes)) : null;

/** The grid point whose values are shown. */
let shown = 0;

function placeText(place: number[]): string {
  return place.map((value, axis) => `${map.axes[axis].coordinate.replace(/^(pos|rot|q)\./, '').replace(/^.*\./, '')} = ${number(value, 5)} ${map.axes[axis].unit}`).join(', ');
}

function tellHead(): void {
  document.title = `${data.title} – map`;
  write('title', data.title);
  const reached = map.kinds.filter((kind) => kind === 1 || kind === 4).length, whole = map.axes.map(({ whole: all }) => all).join(' × ');
  const held = Object.entries(data.held).map(([name, value]) => `${name} = ${number(value, 5)}`);
  const thinned = map.axes.some(({ count, whole: all }) => count !== all) ? `, ${map.axes.map(({ count }) => count).join(' × ')} of them on this page` : '';
  write('subtitle', [`map of ${data.model.name}`, `${whole} points${thinned}`, `${number((100 * reached) / map.kinds.length, 3)} % reached`,
    `tool ${data.frame}`, ...(held.length ? [`held: ${held.join(', ')}`] : []), ...(data.finished ? [] : ['unfinished']), `${data.file}, Lithe ${data.lithe}`].join(' · '));
}

/** Columns by the quantity that they belong to; full compliance matrices would hide the others in one long list. */
function offerQuantities(): void {
  const select = byId<HTMLSelectElement>('quantity'), groups = new Map<string, HTMLOptGroupElement>();
  map.columns.forEach(({ name, unit }, k) => {
    const family = name.split('.')[0];
    if (!groups.has(family)) {
      const group = document.createElement('optgroup');
      group.label = family;
      groups.set(family, group);
      select.append(group);
    }
    groups.get(family)!.append(new Option(unit && unit !== '1' ? `${name} (${unit})` : name, String(k)));
  });
}

function tellKeys(): void {
  const keys = byId('keys'), kinds = new Map(map.linesOf(picture.look.layer).map((line) => [line.words, line.kind]));
  const mark = (svg: string, words: string) => {
    const span = document.createElement('span');
    span.innerHTML = `<svg width="26" height="12" aria-hidden="true">${svg}</svg>`;
    span.append(words);
    return span;
  };
  const lines = [...kinds].map(([words, kind]) => {
    const style = lineStyles[kind] ?? lineStyles.reach;
    return mark(`<path d="M1 6h24" stroke="${styleOf(style.colour)}" stroke-width="2" stroke-dasharray="${style.dash.join(' ')}"/>`, words);
  });
  const hatched = mark(`<rect x=".5" y=".5" width="25" height="11" fill="none" stroke="${styleOf('--line')}"/><path d="M2 12l12-12M9 12l12-12M16 12l10-10" stroke="${styleOf('--stage-grid')}" stroke-width="1.5"/>`, 'not reached, or without a value');
  keys.replaceChildren(...lines, hatched);
}

function tellValues(point: number): void {
  shown = point;
  const place = map.place(point), table = byId('values');
  write('values-place', `${placeText(place)}: ${pointWords[map.kinds[point]]}`);
  table.replaceChildren(...map.columns.map(({ name, unit, values }, k) => {
    const row = document.createElement('tr'), head = document.createElement('th');
    if (k === picture.look.column) row.className = 'now';
    head.scope = 'row';
    head.textContent = name;
    row.append(head);
    for (const text of [number(values[point], 5), unit === '1' ? '' : unit]) row.append(Object.assign(document.createElement('td'), { textContent: text }));
    return row;
  }));
}

function hover(point: number | null): void {
  const before = picture.hovered;
  picture.hovered = point === null ? null : map.place(point);
  if (point !== null && (point !== shown || !before)) tellValues(point);
  picture.canvas.redraw();
}

/** The grid point under a place of the canvas. */
function pointAt(event: MouseEvent): number | null {
  const values = picture.valuesAt(...picture.canvas.place(event));
  return values && map.nearest([...values, map.axes.length > 2 ? map.axisValue(2, picture.look.layer) : 0]);
}

function showPose(place: number[]): void {
  if (!view) return;
  view.drawn = map.nearestDrawn(place);
  if (view.drawn < 0) return;
  const at = map.drawnPlace(view.drawn);
  picture.posed = at;
  write('pose-place', placeText(at));
  offerModes();
  view.canvas.redraw();
  picture.canvas.redraw();
}

/** Frequencies at the pose; a choice that was made stays. */
function offerModes(): void {
  if (!data.modes || !view) return;
  const select = byId<HTMLSelectElement>('mode'), before = select.value, point = map.nearest(map.drawnPlace(view.drawn));
  select.replaceChildren(new Option('none', '-1'), ...data.modes.columns.map((column, k) => {
    const { name, values } = map.columns[column], option = new Option(`${name}: ${number(values[point], 4)} Hz`, String(k));
    option.disabled = !view.machine.knows(view.drawn, k);
    return option;
  }));
  if (select.options.length > 1) select.value = before === '' ? '0' : before;
  if (select.selectedOptions[0]?.disabled) select.value = '-1';
  view.mode = Number(select.value);
}

function swing(time: number): void {
  if (!view) return;
  if (view.mode >= 0 && pressed('swing') && !document.hidden) view.phase = (2 * Math.PI * time) / 1000 / swingPeriod;
  requestAnimationFrame(swing);
}

function listen(): void {
  const { element } = picture.canvas;
  byId('quantity').addEventListener('change', () => {
    picture.look = { ...picture.look, column: Number(byId<HTMLSelectElement>('quantity').value) };
    tellValues(shown);
  });
  byId('layer').addEventListener('input', () => setLayer(Number(byId<HTMLInputElement>('layer').value)));
  byId('contours').addEventListener('click', () => {
    press('contours', !pressed('contours'));
    picture.look = { ...picture.look, contours: pressed('contours') };
  });
  element.addEventListener('pointermove', (event) => hover(pointAt(event)));
  element.addEventListener('pointerleave', () => hover(null));
  element.addEventListener('click', (event) => {
    const point = pointAt(event);
    if (point === null) return;
    tellValues(point);
    showPose(map.place(point));
  });
  byId('picture').addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === 'Enter') showPose(map.place(shown));
    if (!step) return;
    event.preventDefault();
    const place = map.place(shown).map((value, axis) => value + (step[axis] ?? 0) * ((map.axes[axis].to - map.axes[axis].from) / (map.axes[axis].count - 1)));
    const point = map.nearest(place);
    tellValues(point);
    hover(point);
  });
  byId('mode').addEventListener('change', () => {
    if (!view) return;
    view.mode = Number(byId<HTMLSelectElement>('mode').value);
    view.canvas.redraw();
  });
  byId('swing').addEventListener('click', () => press('swing', !pressed('swing')));
  onThemeChange(() => {
    redrawAll();
    tellKeys();
  });
}

function setLayer(layer: number): void {
  picture.look = { ...picture.look, layer };
  if (view) view.layer = layer;
  if (map.axes.length < 3) return;
  const axis = map.axes[2];
  byId<HTMLInputElement>('layer').value = String(layer);
  write('layer-name', axis.coordinate);
  write('layer-value', `${number(map.axisValue(2, layer), 4)} ${axis.unit}`);
  tellKeys();
  const place = map.place(shown);
  place[2] = map.axisValue(2, layer);
  tellValues(map.nearest(place));
  showPose(picture.posed ? [picture.posed[0], picture.posed[1], place[2]] : place);
}

/** The drawn point in the middle of those of the layer. */
function firstPlace(layer: number): number[] {
  const middle = map.axes.map(({ from, to }, axis) => (axis === 2 ? map.axisValue(2, layer) : 0.5 * (from + to))), drawn = map.nearestDrawn(middle);
  return drawn >= 0 ? map.drawnPlace(drawn) : middle;
}

tellHead();
offerQuantities();
listen();
byId('layer-control').hidden = map.axes.length < 3;
byId<HTMLInputElement>('layer').max = String(map.layers - 1);
byId('mode-control').hidden = byId('swing').hidden = !data.modes || !view;
if (matchMedia('(prefers-reduced-motion: reduce)').matches) press('swing', false);
if (!view) {
  byId('pose').hidden = true;
  byId('pose-note').hidden = false;
  write('pose-note', `There is no picture of the mechanism: ${data.without_scene}`);
}
setLayer(Math.floor(map.layers / 2));
const start = firstPlace(picture.look.layer);
tellValues(map.nearest(start));
showPose(start);
tellKeys();
requestAnimationFrame(swing);
