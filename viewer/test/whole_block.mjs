// The bending arm with one of everything that is drawn: a spring, a damper, a rope, a bushing, a floor, a telescope, a carriage, a piston, balls and
// universals, loads, reactions, stress.
import { arm, pack, stressedBlock } from './flexible_block.mjs';

const instants = 201, upright = [Math.SQRT1_2, 0, -Math.SQRT1_2, 0]; // z onto -x

export function wholeBlock() {
  const block = stressedBlock(), [result] = block.results, { scene } = result, [ground, beam] = scene.links;
  const place = (x, y) => ground.points.push([x, y, 0]) - 1;
  const spring = place(0, 0.7), damper = place(-0.3, 0.6), rope = place(0.9, 1.2), rubber = place(-0.5, 0), rail = place(-0.9, 0.1), bore = place(-0.8, 1.1), base = place(-0.7, 0.5);
  scene.springs = [{ name: 'coil', a: [0, spring], b: [1, 3] }, { name: 'dashpot', a: [0, damper], b: [1, 2], damper: true }];
  scene.ropes = [{ name: 'line', through: [[0, rope], [1, 8]] }];
  scene.bushings = [{ name: 'block', from: [0, rubber], to: [0, rubber], turn: [1, 0, 0, 0] }];
  scene.contacts = [{ name: 'floor', point: [2, 0], radius: 0, plane: [0, 0], turn: [Math.SQRT1_2, -Math.SQRT1_2, 0, 0], size: [0, 0] }];
  const still = (name, points, more) => scene.links.push({ name, mass: 1, points, lines: [], faces: [], frames: [{ name: 'origin', point: 0 }], ...more }) - 1;
  const carriage = still('carriage', [[0, 0, 0]], {});
  const piston = still('piston', [[0, 0, 0]], { solids: [{ kind: 'cylinder', centre: [0, 0, 0], turn: upright, size: [0.16, 0.16, 0.2] }] });
  const tube = still('tube', [[0, 0, 0], [0.2, 0, 0]], { lines: [[0, 1, 0.03]] }), rod = still('rod', [[0, 0, 0]], {}), knob = still('knob', [[0, 0, 0]], {});
  const joint = (name, type, from, to, more = {}) => scene.joints.push({ name, type, actuated: false, from, to, axis: [1, 0, 0], ...more });
  joint('slide', 'prismatic', { link: 0, point: rail }, { link: carriage, point: 0 }, { actuated: true });
  joint('stroke', 'prismatic', { link: 0, point: bore }, { link: piston, point: 0 });
  joint('leg', 'universal', { link: 0, point: base }, { link: tube, point: 0 }, { axis2: [0, 1, 0] });
  joint('extension', 'prismatic', { link: tube, point: 0 }, { link: rod, point: 0 }, { actuated: true });
  joint('socket', 'spherical', { link: rod, point: 0 }, { link: knob, point: 0 });
  scene.loads = [{ name: 'push', at: [1, 10], force: pack(Array.from({ length: instants }, () => [0, -30, 0]).flat()) }];
  for (const axis of ['x', 'y']) result.series.push({ name: `force.grip.${axis}`, group: 'joint forces', unit: 'N', values: pack(Array.from({ length: instants }, () => 40)) });
  // What was added stands still or slides by a tenth of a metre.
  const add = (packed) => {
    const old = new Float32Array(Uint8Array.from(Buffer.from(packed, 'base64')).buffer), rows = [];
    for (let k = 0; k < instants; ++k) {
      const way = (0.1 * k) / instants, standing = [1, 0, 0, 0];
      rows.push(...old.slice(14 * k, 14 * k + 14), -0.9 + way, 0.1, 0, ...standing, -0.8 + way, 1.1, 0, ...standing, -0.7, 0.5, 0, ...standing, -0.35 + way, 0.5, 0, ...standing, -0.35 + way, 0.5, 0, ...standing);
    }
    return pack(rows);
  };
  scene.poses = add(scene.poses);
  scene.rigid = add(scene.rigid);
  scene.modes[0].twists = pack([0, 0, 1, 0, 0, 0, 0, 0, 1, -Math.sin(0.5), Math.cos(0.5), 0, ...new Array(30).fill(0)]);
  beam.profiles = [{ kind: 'rectangle', size: [0.04, 0.02], across: [0, 1, 0] }];
  beam.lines = beam.lines.map(([a, b, r]) => [a, b, r, 0]);
  scene.radius = 1.4 * arm;
  return block;
}
