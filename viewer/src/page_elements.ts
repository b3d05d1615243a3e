// The elements of the page by their names.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element '${id}'`);
  return element as T;
}

/** A text that stays is not written again: the browser would lay it out anew. */
export function write(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

export function pressed(id: string): boolean { return byId(id).getAttribute('aria-pressed') === 'true'; }
export function press(id: string, on: boolean): void { byId(id).setAttribute('aria-pressed', String(on)); }
