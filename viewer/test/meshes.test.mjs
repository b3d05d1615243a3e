// Meshes of links, arrows of forces and axes of frames: what stands in the scene, and what is seen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, looks, open, pageOf, picture, pictureShot, scrubTo, settle, shot, take, text } from './browser.mjs';
import { arm, eta, flexibleBlock, pack } from './flexible_block.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

const low = [0, -0.04, -0.04], size = [arm, 0.08, 0.08];

/** A square tube around the arm, a ring of four points every 0.1 m; packed as src/lithe/io/report_meshes.cpp does. */
function tube(colour) {
  const points = [], triangles = [];
  for (let ring = 0; ring <= 10; ++ring) {
    for (const [y, z] of [[0, 0], [1, 0], [1, 1], [0, 1]]) points.push((ring / 10) * 65535, y * 65535, z * 65535);
    for (let k = 0; k < 4 && ring < 10; ++k) {
      const a = 4 * ring + k, b = 4 * ring + ((k + 1) % 4);
      triangles.push(a, b, b + 4, a, b + 4, a + 4);
    }
  }
  const bytes = (values) => Buffer.from(Uint16Array.from(values.map(Math.round)).buffer).toString('base64');
  return { low, size, points: bytes(points), triangles: bytes(triangles), ...(colour ? { colour } : {}) };
}

function meshBlock(colour) {
  const block = flexibleBlock();
  block.results[0].scene.links[1].meshes = [tube(colour)];
  return block;
}

/** Corners of all triangles of the machine as it is saved, mesh by mesh. */
async function savedMeshes(page) {
  await page.click('#save summary');
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60e3 }), page.click('#save-gltf')]);
  const bytes = readFileSync(await file.path()), length = bytes.readUInt32LE(12), json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
  const binary = bytes.subarray(28 + length);
  return json.meshes.map((mesh, k) => {
    const accessor = json.accessors[mesh.primitives[0].attributes.POSITION], view = json.bufferViews[accessor.bufferView];
    const first = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0), node = json.nodes.find((each) => each.mesh === k);
    const m = node.matrix ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]; // by columns
    return Array.from({ length: accessor.count }, (_, p) => {
      const place = [0, 4, 8].map((at) => binary.readFloatLE(first + 12 * p + at));
      return [0, 1, 2].map((row) => m[row] * place[0] + m[4 + row] * place[1] + m[8 + row] * place[2] + m[12 + row]);
    });
  });
}

test('a mesh bends with its elastic link', async () => {
  const page = await open(browser, pageOf('mesh', meshBlock()), { drawing: false });
  await page.locator('#deformation').fill('0'); // as computed
  const t = 0.25;
  await scrubTo(page, t);
  const corners = (await savedMeshes(page)).find((mesh) => mesh.length === 240); // 80 triangles
  assert.ok(corners, 'the mesh is part of the machine');
  // At the tip: shifted by eta across the arm, turned by the slope of the last tenth, 0.19 eta / 0.1; then by the angle t = q.
  const slope = Math.atan((0.19 * eta(t)) / 0.1), wanted = [-0.04, 0.04].map((y) => {
    const x1 = arm - y * Math.sin(slope), y1 = eta(t) + y * Math.cos(slope);
    return [x1 * Math.cos(t) - y1 * Math.sin(t), x1 * Math.sin(t) + y1 * Math.cos(t)];
  });
  for (const place of wanted) {
    const nearest = Math.min(...corners.map((corner) => Math.hypot(corner[0] - place[0], corner[1] - place[1])));
    assert.ok(nearest < 2e-5, `a corner is missed by ${nearest} m`); // 16 bits of 1 m
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a mesh shows its colour in light and dark, on desktop and phone', async () => {
  const page = await open(browser, pageOf('mesh-red', meshBlock('#d01010')));
  await page.selectOption('#ghost', 'none');
  for (const look of looks) {
    await take(page, look);
    const red = await page.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let k = 0; k < pixels.length; k += 4) if (pixels[k] > 90 && pixels[k] > 3 * pixels[k + 1] && pixels[k] > 3 * pixels[k + 2]) ++count;
      return count / (pixels.length / 4);
    }, (await pictureShot(page)).toString('base64'));
    assert.ok(red > 0.003, `${look.name}: ${red} of the picture is red`);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('stress colours the mesh', async () => {
  const block = meshBlock();
  const page = await open(browser, pageOf('mesh-moment', block));
  await page.selectOption('#colour', '');
  await scrubTo(page, 0.25);
  const plain = await picture(page);
  await page.selectOption('#colour', 'moment');
  assert.notEqual(await picture(page), plain);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('forces and frames on demand', async () => {
  const block = flexibleBlock(), [result] = block.results, instants = 201;
  result.scene.loads = [{ name: 'push', at: [1, 10], force: pack(Array.from({ length: instants }, () => [0, -30, 0]).flat()) }];
  result.scene.links[1].frames.push({ name: 'turned', point: 5, turn: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] });
  const page = await open(browser, pageOf('arrows', block));
  await scrubTo(page, 0.5);
  const bare = await picture(page);
  await page.click('#forces');
  const arrows = await picture(page);
  assert.notEqual(arrows, bare);
  assert.equal(await text(page, '#forces-note'),
    'Loads (violet), motors (orange): longest arrow of the run 30 N, widest ring 1 N m. Reactions of joints are drawn when the model records them: record: [forces].');
  await page.click('#frames');
  assert.notEqual(await picture(page), arrows);
  await page.keyboard.press('f');
  await page.keyboard.press('x');
  assert.equal(await picture(page), bare, 'both are gone again');
  assert.ok(await page.locator('#forces-note').isHidden());
  assert.deepEqual(page.problems, []);
  await page.close();

  for (const axis of ['x', 'y']) result.series.push({ name: `force.grip.${axis}`, group: 'forces', unit: 'N', values: pack(Array.from({ length: instants }, () => 40)) });
  const recorded = await open(browser, pageOf('arrows-recorded', block), { colorScheme: 'dark', viewport: { width: 390, height: 780 }, drawing: false });
  await recorded.click('#forces');
  await settle(recorded);
  assert.equal(await text(recorded, '#forces-note'), 'Loads (violet), motors (orange), reactions (green): longest arrow of the run 56.6 N, widest ring 1 N m.');
  assert.deepEqual(recorded.problems, []);
  await recorded.close();
});
