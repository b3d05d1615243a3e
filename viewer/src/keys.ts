// What keys do.

import { byId } from './page_elements';
import type { Plots } from './plots';

/** What of the page keys act on. */
export interface Keyed {
  readonly start: number;
  readonly end: number;
  readonly t: number;
  readonly playing: boolean;
  readonly plots: Plots;
  play(on: boolean): void;
  go(t: number): void;
}

export function listenForKeys(page: Keyed): void {
  const help = byId<HTMLDialogElement>('help');
  byId('help-button').addEventListener('click', () => help.showModal());
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (target.matches('select, textarea, input:not([type=range]), pre')) return;
    const ranged = target.matches('input[type=range]');
    // A focused button keeps its own Space.
    if (event.key === ' ' && target.matches('button, summary')) return;
    if (ranged && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (act(page, event.key, event.shiftKey)) event.preventDefault();
  });
}

/** False when a key means nothing here. */
function act(page: Keyed, key: string, shift: boolean): boolean {
  const step = ((page.end - page.start) / 200) * (shift ? 10 : 1), views = byId('views').querySelectorAll('button');
  const slider = byId<HTMLInputElement>('deformation'), speed = byId<HTMLSelectElement>('speed'), ghost = byId<HTMLSelectElement>('ghost');
  const colour = byId<HTMLSelectElement>('colour');
  const change = (element: HTMLSelectElement, by: number, wrap: boolean) => {
    const count = element.options.length, next = element.selectedIndex + by;
    element.selectedIndex = wrap ? (next + count) % count : Math.min(Math.max(next, 0), count - 1);
    element.dispatchEvent(new Event('change'));
  };
  const slide = (by: number) => {
    slider.value = String(Number(slider.value) + by);
    slider.dispatchEvent(new Event('input'));
  };
  switch (key) {
    case ' ': page.play(!page.playing); return true;
    case 'ArrowLeft': page.go(page.t - step); return true;
    case 'ArrowRight': page.go(page.t + step); return true;
    case 'Home': page.go(page.start); return true;
    case 'End': page.go(page.end); return true;
    case ',': change(speed, -1, false); return true;
    case '.': change(speed, 1, false); return true;
    case '[': slide(-0.05); return true;
    case ']': slide(0.05); return true;
    case 'g': change(ghost, 1, true); return true;
    case 'c': if (colour.options.length > 0) change(colour, 1, true); return true;
    case 't': byId('traces').click(); return true;
    case 'n': byId('labels').click(); return true;
    case 'f': byId('forces').click(); return true;
    case 'x': byId('frames').click(); return true;
    case 'd': byId('degrees').click(); return true;
    case '+': case '=': page.plots.zoomBy(2); return true;
    case '-': page.plots.zoomBy(0.5); return true;
    case '0': byId('zoom-reset').click(); return true;
    case '?': byId<HTMLDialogElement>('help').showModal(); return true;
    default:
      if (!/^[1-5]$/.test(key) || !views[Number(key) - 1]) return false;
      views[Number(key) - 1].click();
      return true;
  }
}
