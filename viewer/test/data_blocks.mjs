// Data blocks of maps and studies whose numbers are known in closed form.
import { pack as packed } from './flexible_block.mjs';

const bytes = (values) => Buffer.from(Uint8Array.from(values)).toString('base64');
export const doubles = (values) => Buffer.from(Float64Array.from(values).buffer).toString('base64');

/** An arm of two links (1 m, 0.8 m) in the plane, over the places of its tip; out of reach beyond 1.8 m and within 0.2 m. */
export function armMap(layers = 1) {
  const nx = 41, ny = 31, x0 = -2, x1 = 2, y0 = -0.5, y1 = 2.5, kinds = [], height = [], frequency = [], drawn = [], poses = [], twists = [];
  const turn = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
  for (let l = 0; l < layers; ++l) {
    for (let j = 0; j < ny; ++j) {
      for (let i = 0; i < nx; ++i) {
        const x = x0 + ((x1 - x0) * i) / (nx - 1), y = y0 + ((y1 - y0) * j) / (ny - 1), r = Math.hypot(x, y), reached = r <= 1.8 && r >= 0.2;
        kinds.push(reached ? 1 : 2);
        height.push(reached ? 10 * x + y + 100 * l : NaN);
        frequency.push(reached ? 5 + r : NaN);
        if (!reached || i % 2 || j % 2) continue;
        const elbow = Math.acos(Math.min(1, Math.max(-1, (r * r - 1 - 0.64) / 1.6))), first = Math.atan2(y, x) - Math.atan2(0.8 * Math.sin(elbow), 1 + 0.8 * Math.cos(elbow));
        drawn.push(x, y, ...(layers > 1 ? [l] : []));
        poses.push(0, 0, 0, ...turn(first), Math.cos(first), Math.sin(first), 0, ...turn(first + elbow));
        // The mode: the second link swings about the elbow.
        twists.push(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
      }
    }
  }
  const circle = (radius) => Array.from({ length: 91 }, (_, k) => [radius * Math.cos((2 * Math.PI * k) / 90), radius * Math.sin((2 * Math.PI * k) / 90)]).flat();
  const link = (name, length) => ({ name, mass: 1, points: [[0, 0, 0], [length, 0, 0]], lines: [[0, 1, 0.02]], faces: [], frames: [{ name: 'tip', point: 1 }] });
  const joint = (name, from, to) => ({ name, type: 'revolute', actuated: true, from, to, axis: [0, 0, 1] });
  return {
    format: 1, kind: 'map', lithe: 'test', title: 'two-link arm', file: 'arm.h5', model: { name: 'arm', path: 'arm.yaml' }, frame: 'fore/tip', held: {}, finished: true,
    axes: [{ coordinate: 'pos.fore.tip.x', unit: 'm', from: x0, to: x1, count: nx, whole: nx }, { coordinate: 'pos.fore.tip.y', unit: 'm', from: y0, to: y1, count: ny, whole: ny },
      ...(layers > 1 ? [{ coordinate: 'q.lift', unit: 'm', from: 0, to: layers - 1, count: layers, whole: layers }] : [])],
    points: bytes(kinds),
    columns: [{ name: 'slope', unit: '1', values: packed(height) }, { name: 'frequency.1', unit: 'Hz', values: packed(frequency) }],
    curves: Array.from({ length: layers }, (_, layer) => [1.8, 0.2].map((radius) => ({ kind: 'reach', joint: '', layer, ends: true, line: packed(circle(radius)) }))).flat(),
    scene: { planar: true, normal: [0, 0, 1], up: [0, 1, 0], gravity: [0, 0, 0], centre: [0, 0.5, 0], radius: 2, springs: [], traced: [],
      links: [{ name: 'ground', mass: 0, points: [[0, 0, 0]], lines: [], faces: [], frames: [] }, link('upper', 1), link('fore', 0.8)],
      joints: [joint('shoulder', { link: 0, point: 0 }, { link: 1, point: 0 }), joint('elbow', { link: 1, point: 1 }, { link: 2, point: 0 })], poses: packed(poses) },
    without_scene: '', drawn: doubles(drawn), modes: { columns: [1], twists: packed(twists), elastic: '' },
  };
}

/** `count` variants: y = a^2 + 2 b and z = 1 - a, the last two failed; two objectives whose front is b = 0. */
export function parabolaStudy(count = 400) {
  const a = [], b = [], y = [], z = [];
  // A lattice that fills the square evenly.
  for (let k = 0; k < count; ++k) {
    a.push((k * 0.6180339887498949) % 1);
    b.push(k % 20 === 0 ? 0 : (k * 0.41421356237309515) % 1);
    const failed = k >= count - 2;
    y.push(failed ? NaN : a[k] ** 2 + 2 * b[k]);
    z.push(failed ? NaN : 1 - a[k]);
  }
  const index = (first, total) => ({ first, 'first-error': 0.01, total, 'total-error': 0.02 });
  return {
    format: 1, kind: 'study', lithe: 'test', title: 'parabola', file: 'parabola.h5', study: { path: 'parabola.yaml', method: 'sobol', text: 'study: 1\n' }, outcome: 'complete', rows: count,
    numbers: doubles(a.map((_, k) => k)),
    axes: [{ name: 'a', values: doubles(a) }, { name: 'run.b', values: doubles(b) }],
    outputs: [{ name: 'y', values: doubles(y) }, { name: 'z', values: doubles(z) }],
    failures: [{ message: 'joint crank: the loop <cannot> close', count: 2, places: [count - 2, count - 1] }],
    // Exact: a = 0.5 + 0.25 s, b = 0.5 + 0.25 t.
    surfaces: [{ mean: [0.5, 0.5], scale: [0.25, 0.25], constant: 1.25, linear: [0.25, 0.5], quadratic: [0.0625, 0, 0], determination: 1 }, null],
    analysis: { outputs: { y: { sobol: { a: index(0.3, 0.31), 'run.b': index(0.69, 0.7) } } }, limits: { broken: 10, variants: count, probability: 0.025, low: 0.01, high: 0.05, confidence: 0.95 } },
    objectives: [{ output: 'y', maximize: false }, { output: 'z', maximize: false }], limits: [{ output: 'y', least: null, most: 2.5 }],
    command: { verb: 'simulate', model: 'my arm.yaml', sets: ['run.until=0.5'], records: true }, pages: { 7: 'parabola-7.html' },
  };
}
