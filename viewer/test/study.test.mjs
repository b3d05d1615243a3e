// The page of a study in a browser: brushing links all views, points tell their values and open their runs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, looks, open, pageOf, run, settle, shots, take, text } from './browser.mjs';
import { parabolaStudy } from './data_blocks.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

const digest = async (page, where) => {
  await settle(page);
  // What is drawn, whatever lies over it.
  return createHash('sha1').update(await page.locator(`${where} canvas`).first().evaluate((canvas) => canvas.toDataURL())).digest('hex');
};
const selected = async (page) => Number(/^(\d+) of/.exec(await text(page, '#selected'))[1]);
/** Drags within a canvas; places in page pixels from its corner, negative ones from the other. */
async function drag(page, where, from, to) {
  await page.locator(where).scrollIntoViewIfNeeded();
  const box = await page.locator(`${where} canvas`).first().boundingBox(), at = ([x, y]) => [box.x + (x < 0 ? box.width + x : x), box.y + (y < 0 ? box.height + y : y)];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 6 });
  await page.mouse.up();
  await settle(page);
}
const parabola = (count) => pageOf(`study-${count}`, parabolaStudy(count), 'study.html');
const unpacked = (packed) => { const bytes = Buffer.from(packed, 'base64'); return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8).slice(); };

test('a brush in one view selects in all of them', async () => {
  const page = await open(browser, parabola(400));
  assert.match(await text(page, '#selected'), /^400 of 400 variants selected, \d+ within all limits$/);
  const before = await digest(page, '#scatter'), bars = await digest(page, '#outputs');
  await drag(page, '#parallel', [56, 60], [56, 176]); // the first axis is a, from 0 to 1 upwards
  const half = await selected(page);
  assert.ok(half > 120 && half < 260, `${half} selected`);
  assert.notEqual(await digest(page, '#scatter'), before);
  assert.notEqual(await digest(page, '#outputs'), bars);
  await drag(page, '#outputs', [20, 60], [120, 60]);
  assert.ok((await selected(page)) < half, 'both brushes count');
  await page.keyboard.press('Escape');
  assert.equal(await selected(page), 400);
  assert.equal(await digest(page, '#scatter'), before);
  await drag(page, '#scatter', [70, 160], [130, 210]);
  assert.ok((await selected(page)) < 400, 'a rectangle in the scatter matrix');
  await page.click('#clear');
  assert.equal(await selected(page), 400);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a variant tells its values, its run, or its command; a failure its message', async () => {
  const page = await open(browser, parabola(400)), block = parabolaStudy(400), a = unpacked(block.axes[0].values), b = unpacked(block.axes[1].values);
  assert.equal(await text(page, '#variant-title'), 'Variant 7', 'the one whose run was kept');
  assert.equal(await page.getAttribute('#variant a', 'href'), 'parabola-7.html');
  assert.equal(await text(page, '#variant pre'), `lithe simulate 'my arm.yaml' --set run.until=0.5 --set a=${a[7]} --set run.b=${b[7]} -o variant-7.h5 && lithe show variant-7.h5 -o variant-7.html`);
  await page.click('#failures button');
  assert.equal(await text(page, '#variant-title'), 'Variant 398');
  assert.equal(await text(page, '#variant .failure'), 'joint crank: the loop <cannot> close');
  assert.equal(await page.locator('#variant a').count(), 0);
  // A click on the front picks a variant.
  await page.locator('#front').scrollIntoViewIfNeeded();
  const box = await page.locator('#front canvas').boundingBox();
  for (let x = 80; x < box.width - 20 && (await text(page, '#variant-title')) === 'Variant 398'; x += 7) await page.mouse.click(box.x + x, box.y + 140);
  assert.notEqual(await text(page, '#variant-title'), 'Variant 398');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the command of a map has its grid', async () => {
  const block = parabolaStudy(20), [a, b] = block.axes.map(({ values }) => unpacked(values)[7]);
  block.command = { verb: 'map', model: 'arm.yaml', sets: [], records: false, more: ['--over', 'q.a=0:1:3', '--hold', 'q.long name=1'] };
  const page = await open(browser, pageOf('study-map', block, 'study.html'));
  assert.equal(await text(page, '#variant pre'), `lithe map arm.yaml --set a=${a} --set run.b=${b} --over q.a=0:1:3 --hold 'q.long name=1'`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('front, surface, sensitivity and limits', async () => {
  const page = await open(browser, parabola(400)), block = parabolaStudy(400), [y, z] = block.outputs.map(({ values }) => unpacked(values));
  const good = [...y.keys()].filter((k) => y[k] <= 2.5);
  const front = good.filter((k) => !good.some((other) => y[other] <= y[k] && z[other] <= z[k] && (y[other] < y[k] || z[other] < z[k])));
  assert.match(await text(page, '#front-note'), new RegExp(`^${front.length} variants`));
  assert.match(await text(page, '#surface-note'), /^Quadratic fit .* explains 100 %/);
  await page.selectOption('#surface-output', { label: 'z' });
  assert.match(await text(page, '#surface-note'), /Too few variants/);
  await page.selectOption('#surface-x', { label: 'run.b' });
  assert.equal(await page.locator('#surface-y option:checked').textContent(), 'a', 'not the same axis twice');
  assert.match(await text(page, '#sensitivity'), /0.69 ± 0.01/);
  assert.match(await text(page, '#limits-note'), /probability 0.025, 0.01 to 0.05 with 95 % confidence/);
  assert.ok(await page.locator('#history-card').isHidden());
  await page.selectOption('#colour', { label: 'z' });
  await page.click('#chosen button:has-text("run.b")');
  assert.equal(await page.getAttribute('#chosen button:has-text("run.b")', 'aria-pressed'), 'false');
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** Keeps how long the work of every frame takes, ms. */
function timeFrames() {
  const ask = window.requestAnimationFrame.bind(window);
  window.frameTimes = [];
  window.requestAnimationFrame = (call) => ask((t) => {
    const begin = performance.now();
    call(t);
    window.frameTimes.push(performance.now() - begin);
  });
}

test('10,000 variants: brushing does not stutter', async () => {
  const file = parabola(10000), page = await open(browser, file, {}, timeFrames), box = await page.locator('#parallel canvas').boundingBox();
  assert.ok(statSync(file).size < 6e6, `${statSync(file).size} bytes`);
  const steps = [];
  await page.mouse.move(box.x + 56, box.y + 60);
  await page.mouse.down();
  for (let y = 62; y < 220; y += 8) {
    await page.evaluate(() => { window.frameTimes = []; });
    await page.mouse.move(box.x + 56, box.y + y);
    await settle(page);
    steps.push((await page.evaluate(() => window.frameTimes)).reduce((sum, time) => sum + time, 0));
  }
  // Every view draws in a call of its own: the sum over the views is what a step of the brush takes. The machine may be busy with
  // other tests: the quick steps tell what the work is.
  const step = steps.sort((a, b) => a - b)[2];
  await page.mouse.up();
  await settle(page);
  writeFileSync(path.join(shots, 'study-frames.json'), JSON.stringify({ variants: 10000, brush_step_ms: step, median_ms: steps[10] }, null, 1));
  assert.ok(step < 100, `a step of the brush takes ${step} ms`);
  assert.ok((await selected(page)) < 10000);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a study in four looks: brushes, values, colours', async (t) => {
  const page = await open(browser, parabola(400)), seen = new Set();
  for (const look of looks) {
    await t.test(look.name, async () => {
      await take(page, look);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
      seen.add(await digest(page, '#scatter'));
      await drag(page, '#parallel', [56, 60], [56, 140]);
      const some = await selected(page);
      assert.ok(some > 0 && some < 400, `${some} selected`);
      await page.keyboard.press('Escape');
      assert.equal(await selected(page), 400);
      await page.click('#failures button');
      assert.match(await text(page, '#variant-title'), /^Variant 39[89]$/, 'one of the two that failed');
      const scheme = await digest(page, '#front');
      await page.click('#theme');
      assert.notEqual(await digest(page, '#front'), scheme, 'the other colours');
      await page.click('#theme');
    });
  }
  assert.equal(seen.size, 4, 'each look is drawn in its own way');
  assert.deepEqual(page.problems, []);
  await page.close();
});

const study = (name) => path.join(process.env.LITHE_EXAMPLES, 'studies', `${name}.yaml`);

test('a sweep of the program: kept runs are opened', async () => {
  const results = path.join(shots, 'tolerances.h5'), file = path.join(shots, 'tolerances.html');
  run('sweep', study('five-bar-tolerances'), '-o', results, '--keep', 'worst:1');
  assert.match(run('show', results, '-o', file), /^study tolerances of the five-bar: 60 variants \(latin-hypercube\), 3 axes, 6 outputs, 0 failed/);
  const page = await open(browser, file);
  const kept = await page.evaluate(() => Object.entries(JSON.parse(document.getElementById('report-data').textContent).pages));
  assert.equal(kept.length, 1);
  // The best variant is picked; the worst is the one with a page.
  const href = await page.evaluate(([row]) => document.querySelector('#variant-title').textContent === `Variant ${row}`, kept[0]);
  assert.equal(href, false);
  const run1 = await open(browser, path.join(shots, kept[0][1]));
  assert.match(await text(run1, '#title'), new RegExp(`variant ${kept[0][0]}$`));
  assert.deepEqual(run1.problems, []);
  assert.deepEqual(page.problems, []);
  await run1.close();
  await page.close();
});

test('a search of the program: its history', async () => {
  const results = path.join(shots, 'light.h5'), file = path.join(shots, 'light.html');
  run('optimize', study('light-five-bar'), '-o', results);
  run('show', results, '-o', file);
  const page = await open(browser, file);
  assert.match(await text(page, '#history-note'), /^3 searches, \d within limits/);
  assert.ok(await page.locator('#front-card').isHidden());
  assert.match(await text(page, '#variant-title'), /^Variant \d+$/, 'the best one is picked');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('Sobol indices of the Ishigami function: 10,240 variants', async () => {
  const results = path.join(shots, 'ishigami.h5'), file = path.join(shots, 'ishigami.html');
  run('sweep', study('ishigami'), '-o', results);
  run('show', results, '-o', file);
  const page = await open(browser, file);
  const alone = Number(/x2.*?(0\.\d+) ±/.exec(await text(page, '#sensitivity'))[1]);
  assert.ok(Math.abs(alone - 0.4424) < 0.02, `x2 alone brings ${alone}`); // closed form
  assert.equal(await page.locator('#variant pre').count(), 0, 'a study without a model has no command');
  assert.deepEqual(page.problems, []);
  await page.close();
});
