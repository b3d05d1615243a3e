// A data block made by hand, with answers in closed form: an arm of 1 m turns at 1 rad/s about z and bends as
// y = eta (x/L)^2 with eta = 0.02 sin(2 pi t) m; a payload box hangs on its tip. The mode of the assembly swings the arm by
// one radian per unit.

const instants = 201, seconds = 2;
export const arm = 1;
export const eta = (t) => 0.02 * Math.sin(2 * Math.PI * t);

export function pack(values) { return Buffer.from(Float32Array.from(values).buffer).toString('base64'); }

const times = Array.from({ length: instants }, (_, k) => (seconds * k) / (instants - 1));
const stations = Array.from({ length: 11 }, (_, k) => (arm * k) / 10);

/** Pose of the arm, and of the payload at the tip: bent (scale 1) or on the rigid twin (0). */
function poses(scale) {
  return times.flatMap((t) => {
    const tip = scale * eta(t), c = Math.cos(t), s = Math.sin(t), slope = Math.atan(2 * tip / arm);
    const turn = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
    return [0, 0, 0, ...turn(t), arm * c - tip * s, arm * s + tip * c, 0, ...turn(t + slope)];
  });
}

export function flexibleBlock() {
  const column = (name, group, unit, of) => ({ name, group, unit, values: pack(times.map(of)) });
  const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.05 + 0.05 * x, 0.05 * y, 0.05 * z])));
  const scene = {
    planar: true, normal: [0, 0, 1], up: [0, 1, 0], gravity: [0, -9.81, 0], centre: [0, 0.5, 0], radius: 1.2,
    links: [
      { name: 'ground', mass: 0, points: [[0, 0, 0]], lines: [], faces: [], frames: [{ name: 'origin', point: 0 }] },
      {
        name: 'arm', mass: 1, points: stations.map((x) => [x, 0, 0]), faces: [],
        lines: stations.slice(1).map((_, k) => [k, k + 1, 0.01]),
        frames: [{ name: 'origin', point: 0 }, { name: 'tip', point: 10 }],
        coordinates: [{ name: 'bending y 1', series: 'q.arm.e1', frequency: 12.5 }],
        shapes: pack(stations.flatMap((x) => [0, (x / arm) ** 2, 0])),
        // Forces in the sections per unit: N = 1000 x, M_z = 50 (1 - x).
        places: stations.map((x) => `${x}m`),
        ends: pack(stations.slice(1).flatMap((_, k) => [k, k, 0, k + 1, k + 1, 0])),
        section: pack(stations.flatMap((x) => [1000 * x, 0, 50 * (arm - x)])),
      },
      {
        name: 'payload', mass: 1, points: [[0, 0, 0], ...cube], lines: [],
        faces: [[1, 2, 4, 3], [5, 7, 8, 6], [1, 5, 6, 2], [3, 4, 8, 7], [1, 3, 7, 5], [2, 6, 8, 4]],
        frames: [{ name: 'origin', point: 0 }],
      },
    ],
    joints: [
      { name: 'shoulder', type: 'revolute', actuated: true, from: { link: 0, point: 0 }, to: { link: 1, point: 0 }, axis: [0, 0, 1] },
      { name: 'grip', type: 'fixed', actuated: false, from: { link: 1, point: 10 }, to: { link: 2, point: 0 }, axis: [0, 0, 1] },
    ],
    springs: [], traced: [[1, 1]], poses: pack(poses(1)), rigid: pack(poses(0)),
    modes: [{ name: 'mechanism mode 1', frequency: 3.25, damping: 0.01, t: 0.5,
      twists: pack([0, 0, 1, 0, 0, 0, 0, 0, 1, -Math.sin(0.5), Math.cos(0.5), 0]), elastic: pack([0.1]) }],
  };
  const result = {
    label: 'flexible', file: 'flexible.h5', lithe: 'test', outcome: 'complete', complete: true, rows: instants,
    model: { name: 'bending arm', path: 'arm.yaml', text: 'lithe: 1 # by hand\nname: bending arm\n', parameters: { L: 1 } },
    options: { integrator: 'bdf', rtol: 1e-8 },
    audit: { t_end: 2, steps: 10, rejected: 1, evaluations: 30, jacobians: 2, records: instants, projections: 0, set_changes: 0,
      worst_closure: 0, energy_error: 1e-9, energy_scale: 2, worst_condition: 1, worst_residual: 0, wall_seconds: 0.01,
      time_split: { dynamics: 0.005 } },
    time: pack(times), scene, without_scene: '',
    series: [
      column('q.shoulder', 'angles', 'rad', (t) => t),
      column('q.arm.e1', 'elastic amplitudes', 'm √kg', eta),
      column('tau.shoulder', 'torques', 'N m', (t) => Math.cos(t)),
      column('energy.kinetic', 'energies', 'J', (t) => t * t),
      column('closure', 'closure error', 'm or 1', () => 0),
    ],
  };
  return { format: 1, lithe: 'test', title: 'bending arm', results: [result] };
}

/** The same run with its stress recorded, 1e9 |eta| (1 - x) Pa: largest at the root at t = 0.25 s, 20 MPa. */
export function stressedBlock() {
  const block = flexibleBlock(), [result] = block.results;
  for (const x of stations) {
    result.series.push({ name: `stress.arm.${x}m`, group: 'stress', unit: 'Pa', values: pack(times.map((t) => 1e9 * Math.abs(eta(t)) * (arm - x))) });
  }
  result.audit.stress = { arm: { peak: 20e6, place: '0 m+', time: 0.25, safety: 11.75, damage: 1e-6, damaged: '0 m+', life: 7.2e6 } };
  return block;
}

/** The same run with rigid links, as a second result. */
export function rigidResult() {
  const result = structuredClone(flexibleBlock().results[0]);
  result.label = 'rigid';
  result.file = 'rigid.h5';
  result.scene.poses = result.scene.rigid;
  delete result.scene.rigid;
  delete result.scene.modes;
  delete result.scene.links[1].coordinates;
  delete result.scene.links[1].shapes;
  delete result.scene.links[1].places;
  result.series = result.series.filter((each) => each.name !== 'q.arm.e1');
  return result;
}
