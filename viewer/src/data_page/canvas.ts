// A canvas that fills its element, in the pixels of the screen, and draws itself when it has to.

const all: Canvas[] = [];

/** When colours have changed. */
export function redrawAll(): void { for (const each of all) each.redraw(); }

const sharpest = 2; // pixels of the picture per pixel of the page

export class Canvas {
  readonly element = document.createElement('canvas');
  readonly context: CanvasRenderingContext2D;
  width = 0; // pixels of the page
  height = 0;
  ratio = 1;
  private waiting = false;

  /** `height` from the width; `draw` is called in a frame of the screen, with units of page pixels. */
  constructor(private readonly parent: HTMLElement, private readonly heightOf: (width: number) => number, private readonly draw: () => void) {
    this.element.style.display = 'block';
    parent.append(this.element);
    this.context = this.element.getContext('2d')!;
    new ResizeObserver(() => this.fit()).observe(parent);
    all.push(this);
  }

  /** Takes the size of its element; draws when that has changed, or `always`. */
  fit(always = false): void {
    const style = getComputedStyle(this.parent), width = Math.floor(this.parent.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)), height = Math.round(this.heightOf(width)), ratio = Math.min(devicePixelRatio || 1, sharpest);
    if (width <= 0 || (!always && width === this.width && height === this.height && ratio === this.ratio)) return;
    Object.assign(this, { width, height, ratio });
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(height * ratio);
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
    this.redraw();
  }

  /** Once in the next frame, however often it is asked for. */
  redraw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.width === 0) return;
      this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      this.context.clearRect(0, 0, this.width, this.height);
      this.draw();
    });
  }

  /** Where a pointer is, page pixels from the corner of the canvas. */
  place(event: MouseEvent): [number, number] {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}
