// What the page itself does in a frame of the animation, with a mechanism of twenty-one elastic links. The numbers are kept in
// frames.json beside the screenshots. The machine may be busy with other tests, so the quickest quarter of the frames has to keep the limit: what
// stands between is the others' time.
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open, reportOfText, scrubTo, shot, shots, text } from './browser.mjs';
import { chainModel, links } from './chain_model.mjs';

const frames = 50, mostScript = 4; // ms, of the 16 of a frame
let browser, file;
before(async () => {
  browser = await launch();
  file = reportOfText('chain', chainModel);
});
after(async () => { await browser?.close(); });

/** Runs before the page's own script: times what it does in each frame and counts its draw calls. */
function watchFrames() {
  const watch = (window.frameWatch = { works: [], now: null });
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => ask((stamp) => {
    if (watch.now?.stamp !== stamp) watch.works.push((watch.now = { stamp, time: 0, callbacks: 0, drawCalls: 0 }));
    const start = performance.now();
    callback(stamp);
    watch.now.time += performance.now() - start;
    watch.now.callbacks += 1;
  });
  for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...words) {
      if (watch.now) watch.now.drawCalls += 1;
      draw.apply(this, words);
    };
  }
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers, part) => sorted(numbers)[Math.floor(part * (numbers.length - 1))];
const rounded = (x) => Math.round(1000 * x) / 1000;

/** Plays some frames; what the page did in them, and what the browser did for it (from its own clocks). */
async function play(page, name) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' }); // of the processor, so that other work does not count
  const clocks = async () =>
    Object.fromEntries((await devtools.send('Performance.getMetrics')).metrics.map((each) => [each.name, each.value]));
  await page.evaluate(() => { window.drawing = false; });
  await page.click('#play');
  await page.evaluate(() => { frameWatch.works = []; frameWatch.now = null; });
  const first = await clocks();
  await page.waitForFunction((count) => frameWatch.works.length > count, frames,
    { timeout: 120e3, polling: 200 });
  const last = await clocks(), works = (await page.evaluate(() => frameWatch.works)).slice(1, frames);
  await page.click('#play');
  await page.evaluate(() => { window.drawing = true; });
  const count = (await page.evaluate(() => frameWatch.works.length)) - 1;
  const perFrame = (clock) => rounded((1e3 * (last[clock] - first[clock])) / count);
  return {
    name, frames: works.length, callbacks: quantile(works.map((each) => each.callbacks), 1),
    drawCalls: quantile(works.map((each) => each.drawCalls), 1),
    'script, elapsed ms, quickest quarter': rounded(quantile(works.map((each) => each.time), 0.25)),
    'script, elapsed ms, median': rounded(quantile(works.map((each) => each.time), 0.5)),
    'script, elapsed ms, 95 %': rounded(quantile(works.map((each) => each.time), 0.95)),
    'script, processor ms, mean': perFrame('ScriptDuration'),
    'style, processor ms, mean': perFrame('RecalcStyleDuration'), 'layout, processor ms, mean': perFrame('LayoutDuration'),
    'all tasks, processor ms, mean': perFrame('TaskDuration'),
  };
}

/** How long the page takes to bend the whole path of the traced frames anew, ms. */
const slide = (page) => page.locator('#deformation').evaluate((slider) => {
  const start = performance.now();
  slider.value = '0.3';
  slider.dispatchEvent(new Event('input'));
  return performance.now() - start;
});

test('a frame of a large mechanism', async () => {
  const large = await open(browser, file, {}, watchFrames);
  const plain = await play(large, 'motion');
  const slid = await slide(large);
  await large.locator('#deformation').fill('0.35');
  await large.selectOption('#ghost', 'rigid');
  await large.click('#labels');
  const full = await play(large, 'motion, deformation 5 times, rigid twin, names');
  await scrubTo(large, 7);
  await shot(large, 'chain');
  const megabytes = statSync(file).size / 1e6, report = { links, 'page, MB': rounded(megabytes), 'deformation slider, elapsed ms': rounded(slid), frames: [plain, full] };
  writeFileSync(path.join(shots, 'frames.json'), `${JSON.stringify(report, null, 2)}\n`);
  console.log(JSON.stringify(report, null, 2));

  for (const run of [plain, full]) {
    assert.ok(run.frames >= frames - 1);
    assert.equal(run.callbacks, 2, 'a frame computes once and draws once');
    assert.ok(run['script, elapsed ms, quickest quarter'] < mostScript, `${run.name}: ${run['script, elapsed ms, quickest quarter']} ms of script`);
  }
  // The bars of all links share their draw calls; joints have one each.
  assert.ok(plain.drawCalls < 2 * links, `${plain.drawCalls} draw calls`);
  assert.notEqual(await text(large, '#time'), '0.000 s');
  // A run of twenty seconds in less than 5 MB.
  assert.equal(await large.locator('#scrub').getAttribute('max'), '20');
  assert.ok(megabytes < 5, `${megabytes} MB`);
  assert.deepEqual(large.problems, []);
  await large.close();
});
