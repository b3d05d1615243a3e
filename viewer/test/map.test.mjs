// The page of a map in a browser: values under the pointer, poses, modes, layers; nothing is fetched, nothing complains.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, looks, open, pageOf, run, settle, shot, shotOf, shots, take, text } from './browser.mjs';
import { armMap } from './data_blocks.mjs';
import { pack } from './flexible_block.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

const digest = async (page, where) => {
  const clip = await page.locator(`${where} canvas`).evaluate((canvas) => {
    canvas.scrollIntoView({ block: 'nearest' });
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const { x, y, width, height } = canvas.getBoundingClientRect();
      done({ x: scrollX + x, y: scrollY + y, width, height });
    })));
  });
  return createHash('sha1').update(await shotOf(page, clip)).digest('hex');
};
/** Numbers in a text, minus signs included. */
const numbers = (words) => [...words.matchAll(/= ([−-]?[\d.e−-]+)/g)].map((match) => Number(match[1].replaceAll('−', '-')));
const shownValue = async (page, name) => Number((await text(page, `#values tr:has(th:text-is("${name}")) td`)).replace('−', '-'));
/** Moves the mouse to a part of the picture. */
async function pointAt(page, across, down) {
  const box = await page.locator('#picture canvas').boundingBox();
  await page.mouse.move(box.x + across * box.width, box.y + down * box.height);
  await settle(page);
  return [box.x + across * box.width, box.y + down * box.height];
}

test('the values are those of the point under the mouse', async () => {
  const page = await open(browser, pageOf('map-arm', armMap(), 'map.html'));
  for (const [across, down] of [[0.35, 0.5], [0.6, 0.6], [0.5, 0.4]]) {
    await pointAt(page, across, down);
    const [x, y] = numbers(await text(page, '#values-place'));
    assert.ok(Math.abs((await shownValue(page, 'slope')) - (10 * x + y)) < 1e-4 * (1 + Math.abs(10 * x + y)));
    assert.ok(Math.abs((await shownValue(page, 'frequency.1')) - (5 + Math.hypot(x, y))) < 1e-3);
  }
  await pointAt(page, 0.17, 0.08);
  assert.match(await text(page, '#values-place'), /not reached$/);
  assert.equal(await text(page, '#values td'), '–');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a click draws the pose, its mode swings and can be stopped', async () => {
  const page = await open(browser, pageOf('map-arm', armMap(), 'map.html'));
  assert.match(await text(page, '#mode option:checked'), /^frequency\.1: [\d.]+ Hz$/);
  const moving = await digest(page, '#pose');
  await page.waitForTimeout(200);
  assert.notEqual(await digest(page, '#pose'), moving, 'it swings');
  await page.click('#swing');
  const still = await digest(page, '#pose');
  await page.waitForTimeout(200);
  assert.equal(await digest(page, '#pose'), still, 'it stands');
  await page.selectOption('#mode', '-1');
  const before = await digest(page, '#pose'), where = await text(page, '#pose-place');
  await page.mouse.click(...(await pointAt(page, 0.62, 0.65)));
  assert.notEqual(await digest(page, '#pose'), before, 'another pose');
  assert.notEqual(await text(page, '#pose-place'), where);
  const [x, y] = numbers(await text(page, '#pose-place')), [px, py] = numbers(await text(page, '#values-place'));
  assert.ok(Math.abs(x - px) <= 0.101 && Math.abs(y - py) <= 0.101, 'poses stand at every second point');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('quantity, contours, layers and the keyboard', async () => {
  const page = await open(browser, pageOf('map-layers', armMap(3), 'map.html'));
  assert.equal(await page.inputValue('#layer'), '1');
  const slope = await digest(page, '#picture');
  await page.click('#contours');
  assert.notEqual(await digest(page, '#picture'), slope, 'without lines of equal value');
  await page.click('#contours');
  assert.equal(await digest(page, '#picture'), slope);
  await page.selectOption('#quantity', '1');
  assert.notEqual(await digest(page, '#picture'), slope);
  const low = await shownValue(page, 'slope');
  await page.locator('#layer').fill('2');
  assert.ok(Math.abs((await shownValue(page, 'slope')) - low - 100) < 0.02, 'the next layer');
  assert.match(await text(page, '#layer-value'), /^2 m$/);
  await page.focus('#picture');
  const [x] = numbers(await text(page, '#values-place'));
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs(numbers(await text(page, '#values-place'))[0] - x - 0.1) < 1e-6);
  assert.deepEqual(page.problems, []);
  await page.close();
});

// Two links that turn against each other: the end of the one and the root of the other go the same way, and are drawn so.
test('a mode keeps its joints together', async () => {
  const viewer = process.env.LITHE_VIEWER_BUILD, source = fileURLToPath(new URL('../src/map_page/machine.ts', import.meta.url)), bundle = path.join(shots, 'machine.mjs');
  await createRequire(path.join(viewer, 'index.js'))('esbuild').build({ entryPoints: [source], bundle: true, format: 'esm', outfile: bundle, logLevel: 'error' });
  const { Machine } = await import(pathToFileURL(bundle));
  const block = armMap(), still = new Machine(block.scene, null), twists = [], count = Buffer.from(block.drawn, 'base64').length / 16;
  for (let drawn = 0; drawn < count; ++drawn) {
    still.pose(drawn);
    const [x, y] = still.points[1][1];
    twists.push(0, 0, 1, 0, 0, 0, 0, 0, -2, -y, x, 0);
  }
  const machine = new Machine(block.scene, { columns: [1], twists: pack(twists), elastic: '' });
  for (const drawn of [0, 7, 100]) {
    still.pose(drawn);
    machine.pose(drawn, 0, 1);
    const [end, root, rest] = [machine.points[1][1], machine.points[2][0], still.points[1][1]];
    assert.ok(Math.hypot(end[0] - rest[0], end[1] - rest[1]) > 0.05, 'it swings');
    assert.ok(Math.hypot(end[0] - root[0], end[1] - root[1]) < 1e-6, 'the joint holds');
  }
});

test('a map without a picture of the mechanism says why', async () => {
  const page = await open(browser, pageOf('map-bare', { ...armMap(), scene: null, drawn: undefined, modes: null, without_scene: 'the model cannot be read' }, 'map.html'));
  assert.match(await text(page, '#pose-note'), /the model cannot be read$/);
  await pointAt(page, 0.5, 0.5);
  assert.match(await text(page, '#values-place'), /: reached$/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a map in four looks: colours, values, poses', async (t) => {
  const page = await open(browser, pageOf('map-arm', armMap(), 'map.html')), seen = new Set();
  await page.click('#swing');
  for (const look of looks) {
    await t.test(look.name, async () => {
      await take(page, look);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
      seen.add(await digest(page, '#picture'));
      await page.locator('#picture').scrollIntoViewIfNeeded();
      await pointAt(page, 0.6, 0.6);
      const [x, y] = numbers(await text(page, '#values-place'));
      assert.ok(Math.abs((await shownValue(page, 'slope')) - (10 * x + y)) < 1e-4 * (1 + Math.abs(10 * x + y)));
      const before = await digest(page, '#pose');
      await page.locator('#picture').scrollIntoViewIfNeeded();
      await page.mouse.click(...(await pointAt(page, 0.4 + 0.05 * seen.size, 0.6)));
      assert.notEqual(await digest(page, '#pose'), before, 'another pose');
      const scheme = await digest(page, '#picture');
      await page.click('#theme');
      assert.notEqual(await digest(page, '#picture'), scheme, 'the other colours');
      await page.click('#theme');
    });
  }
  assert.equal(seen.size, 4, 'each look is drawn in its own way');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a map of the program: elastic five-bar with modes', async () => {
  const model = path.join(process.env.LITHE_EXAMPLES, 'studies', 'models', 'elastic-five-bar.yaml'), map = path.join(shots, 'map-five-bar.h5'), file = path.join(shots, 'map-five-bar.html');
  run('map', model, '--over', 'pos.rod-1.tip.x=-0.1:0.4:30', '--over', 'pos.rod-1.tip.y=0.05:0.5:24', '--what', 'condition,frequency,sag', '-o', map);
  const said = run('show', map, '-o', file);
  assert.match(said, /^map of .*: 30 x 24 points, /);
  assert.ok(statSync(file).size < 6e6, `${statSync(file).size} bytes`);
  const page = await open(browser, file);
  assert.equal(await page.locator('#mode option').count(), 4, 'three modes');
  assert.equal(await page.locator('#mode option:disabled').count(), 0);
  await page.selectOption('#quantity', { label: 'frequency.1 (Hz)' });
  await page.mouse.click(...(await pointAt(page, 0.5, 0.45)));
  assert.match(await text(page, '#mode option:checked'), /^frequency\.1: [\d.]+ Hz$/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
