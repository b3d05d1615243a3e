// The view in the address of the page: everything that a reader has set, so that a link shows the same.

export interface View {
  t: number;
  scale: number;
  ghost: string;
  view: string;
  mode: string;
  colour: string;
  on: string[]; // switches that are pressed
  panels: string[];
  axes: [title: string, abscissa: string][]; // panels that do not stand over time
  from: number;
  until: number;
  traced: string[]; // link/point numbers
  camera: number[] | null;
}

const rounded = (value: number) => String(Number(value.toPrecision(6)));

export function writeView(view: View): string {
  const words = new URLSearchParams({
    t: rounded(view.t), scale: rounded(view.scale), ghost: view.ghost, view: view.view, mode: view.mode, colour: view.colour, on: view.on.join(' '),
    panels: view.panels.join('|'), axes: view.axes.map((each) => each.join('~')).join('|'), from: rounded(view.from), until: rounded(view.until), traced: view.traced.join(' '),
  });
  if (view.camera) words.set('camera', view.camera.map(rounded).join(' '));
  return words.toString();
}

/** What of a view the address gives; nothing of it when there is none. */
export function readView(hash: string): Partial<View> {
  const words = new URLSearchParams(hash.replace(/^#/, '')), view: Partial<View> = {};
  for (const key of ['t', 'scale', 'from', 'until'] as const) {
    const value = Number(words.get(key) ?? NaN);
    if (Number.isFinite(value)) view[key] = value;
  }
  for (const key of ['ghost', 'view', 'mode', 'colour'] as const) if (words.has(key)) view[key] = words.get(key)!;
  const list = (key: string, by: string) => (words.get(key) ?? '').split(by).filter(Boolean);
  if (words.has('on')) view.on = list('on', ' ');
  if (words.has('panels')) view.panels = list('panels', '|');
  if (words.has('axes')) view.axes = list('axes', '|').map((each) => each.split('~')).filter((each) => each.length === 2) as [string, string][];
  if (words.has('traced')) view.traced = list('traced', ' ');
  if (words.has('camera')) view.camera = list('camera', ' ').map(Number);
  return view;
}
