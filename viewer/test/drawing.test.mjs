// How large and where the page draws what no model gives a size or a place: planes of contacts, feet of rails.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { flexibleBlock, pack } from './flexible_block.mjs';

const viewer = process.env.LITHE_VIEWER_BUILD;
let code;
before(async () => {
  const contents = "export { floorOf, cornersOfFloors } from './floors'; export { heldAt } from './slides'; export { Motion } from './motion'; export { placesToSee } from './picture_needs';";
  const { outputFiles } = await createRequire(path.join(viewer, 'index.js'))('esbuild').build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('../src/', import.meta.url)) }, bundle: true, write: false, format: 'esm', nodePaths: [path.join(viewer, 'node_modules')],
  });
  code = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
});

const upright = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0], level = [1, 0, 0, 0]; // z onto y; as it is
const near = (vector, wanted) => vector.toArray().forEach((value, k) => assert.ok(Math.abs(value - wanted[k]) < 1e-9, `${vector.toArray()}`));

/** The bending arm with a block of 0.2 x 0.4 x 0.6 m on another link, its middle 0.1 m along x. */
function withBlock() {
  const block = flexibleBlock(), [result] = block.results, { scene } = result;
  scene.links[2] = { ...scene.links[2], points: [[0.1, 0, 0], [0.2, 0, 0]], faces: [], solids: [{ kind: 'box', centre: [0.1, 0, 0], turn: level, size: [0.2, 0.4, 0.6] }] };
  return { result, scene };
}

test('a plane on a link is as large as the link', () => {
  const { scene } = withBlock();
  // On the side x = 0.2: z of the plane along x, its x along -z, its y along y.
  const side = code.floorOf(scene, { plane: [2, 1], turn: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], size: [0, 0], point: [0, 0], radius: 0 });
  assert.ok(Math.abs(side.length - 0.6) < 1e-9 && Math.abs(side.width - 0.4) < 1e-9, JSON.stringify(side));
  near(side.shift, [0, 0, 0]);
  // On top of it, from a point that is not in the middle: shifted there.
  const top = code.floorOf(scene, { plane: [2, 1], turn: level, size: [0, 0], point: [0, 0], radius: 0 });
  assert.ok(Math.abs(top.length - 0.2) < 1e-9 && Math.abs(top.width - 0.4) < 1e-9, JSON.stringify(top));
  near(top.shift, [-0.1, 0, 0]);
});

test('floors are in the picture, but for those that are larger than it', () => {
  const { result, scene } = withBlock(), floor = { name: 'floor', plane: [0, 0], turn: upright, size: [0, 0], point: [2, 0], radius: 0 };
  const half = 0.75 * scene.radius, bare = code.placesToSee([new code.Motion(result, scene)], 1);
  scene.contacts = [floor];
  // Through the point of the plane, the origin; under the middle of the picture, which is (0, 0.5, 0).
  const corners = code.cornersOfFloors(scene);
  assert.equal(corners.length, 4);
  for (const { x, y, z } of corners) assert.ok(Math.abs(Math.abs(x) - half) < 1e-9 && Math.abs(y) < 1e-9 && Math.abs(Math.abs(z) - half) < 1e-9, `${[x, y, z]}`);
  const seen = code.placesToSee([new code.Motion(result, scene)], 1), reach = (places) => places.reduce((most, value, k) => (k % 3 === 2 ? Math.max(most, Math.abs(value)) : most), 0);
  assert.ok(Math.abs(reach(seen) - half) < 1e-6 && reach(bare) < half, `${reach(bare)} and ${reach(seen)}`);
  scene.contacts = [{ ...floor, size: [100, 100] }];
  assert.equal(code.cornersOfFloors(scene).length, 0);
});

test('a rail is held where it is', () => {
  const { result, scene } = withBlock(), instants = 201;
  const moving = (from, to) => pack(Array.from({ length: instants }, (_, k) => [0, 0, 0, 1, 0, 0, 0, from + ((to - from) * k) / (instants - 1), 0, 0, 1, 0, 0, 0]).flat());
  const rail = { name: 'rail', type: 'prismatic', actuated: false, from: { link: 0, point: 0 }, to: { link: 2, point: 0 }, axis: [1, 0, 0] }, at = (from, to) => {
    scene.poses = scene.rigid = moving(from - 0.1, to - 0.1); // the point lies 0.1 m along the axis
    return code.heldAt(new code.Motion(result, scene), rail);
  };
  assert.ok(Math.abs(at(0.5, 0.8) - 0.5) < 1e-6, 'the end that is nearer to the origin');
  assert.ok(Math.abs(at(-0.8, -0.3) + 0.3) < 1e-6);
  assert.equal(at(-0.2, 0.8), 0, 'the origin lies on it');
  scene.links[2].solids = [{ kind: 'cylinder', centre: [0.1, 0, 0], turn: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], size: [0.2, 0.2, 0.3] }];
  assert.equal(at(0.5, 0.8), 0, 'a bore stands by itself');
});
