// One layer of one quantity of a map: values between the grid points.

import type { MapAxis } from './contract';

/** Lines at which values end, sorted into the cells of the grid; places in cells. */
export class Ends {
  private readonly cells = new Map<number, number[]>(); // ends of pieces: x y x y

  constructor(private readonly x: MapAxis, private readonly y: MapAxis, lines: Float32Array[]) {
    for (const line of lines) for (let k = 0; k + 3 < line.length; k += 2) this.add(line, k);
  }

  private add(line: Float32Array, k: number): void {
    const { x, y } = this, i = (value: number) => ((value - x.from) / (x.to - x.from)) * (x.count - 1), j = (value: number) => ((value - y.from) / (y.to - y.from)) * (y.count - 1);
    const piece = [i(line[k]), j(line[k + 1]), i(line[k + 2]), j(line[k + 3])];
    for (let b = Math.floor(Math.min(piece[1], piece[3])); b <= Math.max(piece[1], piece[3]); ++b) {
      for (let a = Math.floor(Math.min(piece[0], piece[2])); a <= Math.max(piece[0], piece[2]); ++a) {
        const cell = b * x.count + a;
        this.cells.set(cell, [...(this.cells.get(cell) ?? []), ...piece]);
      }
    }
  }

  /** Does a line pass between two places of the cell i, j? */
  part(i: number, j: number, ax: number, ay: number, bx: number, by: number): boolean {
    const pieces = this.cells.get(j * this.x.count + i);
    if (!pieces) return false;
    const side = (px: number, py: number, qx: number, qy: number, rx: number, ry: number) => (qx - px) * (ry - py) - (qy - py) * (rx - px) > 0;
    for (let k = 0; k < pieces.length; k += 4) {
      const [cx, cy, dx, dy] = [pieces[k], pieces[k + 1], pieces[k + 2], pieces[k + 3]];
      if (side(ax, ay, bx, by, cx, cy) !== side(ax, ay, bx, by, dx, dy) && side(cx, cy, dx, dy, ax, ay) !== side(cx, cy, dx, dy, bx, by)) return true;
    }
    return false;
  }
}

const beyond = 1e-3;
const corners = [[0, 0], [1, 0], [1, 1], [0, 1]];

/** Linear within cells whose corners all have a value, else that of the nearest corner on the same side of the ends. */
export class Field {
  constructor(readonly values: Float32Array, readonly nx: number, readonly ny: number, private readonly ends: Ends) {}

  at(x: number, y: number): number {
    const { nx, ny, values } = this, i = Math.min(Math.max(Math.floor(x), 0), nx - 2), j = Math.min(Math.max(Math.floor(y), 0), ny - 2);
    const a = x - i, b = y - j, k = j * nx + i;
    const mixed = (1 - a) * (1 - b) * values[k] + a * (1 - b) * values[k + 1] + (1 - a) * b * values[k + nx] + a * b * values[k + nx + 1];
    if (Number.isFinite(mixed)) return mixed;
    let nearest = 1, value = NaN;
    for (const [di, dj] of corners) {
      const corner = values[k + di + dj * nx], far = Math.hypot(a - di, b - dj);
      if (far >= nearest || !Number.isFinite(corner)) continue;
      // A little beyond the corner, which may lie on the line itself.
      if (this.ends.part(i, j, x, y, i + di + beyond * (di - a), j + dj + beyond * (dj - b))) continue;
      nearest = far;
      value = corner;
    }
    return value;
  }

  /** Lines of equal value through the cells, each by its four corners: pieces x y x y in cells. */
  contour(level: number): number[] {
    const { nx, ny, values } = this, pieces: number[] = [];
    for (let j = 0; j + 1 < ny; ++j) {
      for (let i = 0; i + 1 < nx; ++i) {
        const v = corners.map(([di, dj]) => values[(j + dj) * nx + i + di]);
        if (!v.every(Number.isFinite)) continue;
        const cuts: number[] = [];
        for (let k = 0; k < 4; ++k) {
          const l = (k + 1) % 4;
          if (v[k] < level === v[l] < level) continue;
          const part = (level - v[k]) / (v[l] - v[k]);
          cuts.push(i + corners[k][0] + part * (corners[l][0] - corners[k][0]), j + corners[k][1] + part * (corners[l][1] - corners[k][1]));
        }
        for (let k = 0; k + 3 < cuts.length; k += 4) pieces.push(cuts[k], cuts[k + 1], cuts[k + 2], cuts[k + 3]);
      }
    }
    return pieces;
  }
}
