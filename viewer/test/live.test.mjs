// The page of `lithe live`: it follows the file, its sliders and the hand that pulls the mechanism.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, picture, settle, shot, shots, text } from './browser.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'lithe-live-'));
const file = path.join(folder, 'robot.yaml');
const robot = readFileSync(path.join(process.env.LITHE_EXAMPLES, 'flexible-3rrr.yaml'), 'utf8')
  .replace('swing: 0.25', 'swing: {value: 0.25, from: 0.05, to: 0.5}')
  .replace('stiffness: 7.815', 'stiffness: {value: 7.815, from: 2, to: 20}')
  .replace('gravity: [0, 0, 0]', 'gravity: [0, -9.81, 0]');

let browser, server, address;
before(async () => {
  assert.ok(robot.includes('from: 0.05') && robot.includes('-9.81'), 'the example has changed');
  writeFileSync(file, robot);
  server = spawn(process.env.LITHE_PROGRAM, ['live', file, '--json', '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((done, fail) => {
    let said = '';
    server.stdout.on('data', (bytes) => {
      said += bytes;
      if (said.includes('\n')) done(said);
    });
    server.on('exit', (code) => fail(new Error(`lithe live has ended with ${code}`)));
  });
  address = JSON.parse(line).address;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.removeAllListeners('exit');
  const gone = new Promise((done) => server.on('exit', done));
  server?.kill('SIGINT');
  assert.equal(await gone, 0, 'Ctrl-C ends it');
  rmSync(folder, { recursive: true });
});

async function openLive(options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  page.setDefaultTimeout(60e3); // the machine may be busy with other tests
  await page.addInitScript(letDrawingRest);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.problems.push(message.text()); });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !/^(data|blob):/.test(request.url())) page.problems.push(`asks for ${request.url()}`);
  });
  await page.goto(address);
  await upToDate(page);
  return page;
}

async function upToDate(page) {
  await page.waitForFunction(() => document.getElementById('live-state')?.textContent === 'up to date'
    && !document.getElementById('subtitle').textContent.includes('without a run'));
  await settle(page);
}

/** The deflection that the page tells, mm. */
const deflection = async (page) => {
  const [, size, unit] = (await text(page, '#deflection')).match(/now ([\d.e-]+) (mm|µm|m)/);
  return Number(size) * { m: 1e3, mm: 1, µm: 1e-3 }[unit];
};

/**
 * Draw calls do nothing while `window.drawing` is false: without a graphics card they would be the time of the software that stands in for
 * one. Everything else happens: the request, the model, the pose, the page, the frame.
 */
function letDrawingRest() {
  window.drawing = true;
  for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'clear']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...words) { if (window.drawing) draw.apply(this, words); };
  }
}

/** Moves a slider and waits until the page has shown the answer; returns ms. */
async function slide(page, name, value) {
  await page.evaluate(() => { delete document.getElementById('live').dataset.ms; });
  await page.locator(`#live-${name}`).evaluate((slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input'));
  }, String(value));
  await page.waitForFunction(() => document.getElementById('live').dataset.ms !== undefined);
  return Number(await page.locator('#live').getAttribute('data-ms'));
}

test('a save with an error shows its line and remedy, a good one updates the page in place', async () => {
  const page = await openLive();
  await page.evaluate(() => { window.kept = true; });
  assert.match(await text(page, '#subtitle'), /0 to 0.8 s, complete/);
  await page.click('.chips button:has-text("energies")'); // a choice of the reader
  const chosen = await page.locator('#plots .chips button[aria-pressed=true]').allTextContents();

  writeFileSync(file, robot.replace('mass: m, EI: stiffness', 'mass: mm, EI: stiffness'));
  await page.waitForSelector('.live-error');
  assert.match(await text(page, '.live-error b'), /^robot\.yaml, line 14: links\.crank-1\.beam\.mass, links\.crank-2/);
  assert.match(await text(page, '.live-error p'), /unknown name 'mm'/);
  assert.match(await text(page, '.live-error pre'), /beam: \{length: l, mass: mm/);
  assert.match(await text(page, '#live-state'), /error/);
  await shot(page, 'live-error');

  writeFileSync(file, robot.replace('until: 0.8', 'until: 0.6'));
  await page.waitForFunction(() => /0 to 0.6 s, complete/.test(document.getElementById('subtitle').textContent));
  await upToDate(page);
  assert.equal(await page.locator('.live-error').count(), 0, 'the error is gone');
  assert.equal(await page.evaluate(() => window.kept), true, 'it is the same page');
  assert.deepEqual(await page.locator('#plots .chips button[aria-pressed=true]').allTextContents(), chosen, 'choices stay');
  writeFileSync(file, robot);
  await page.waitForFunction(() => /0 to 0.8 s, complete/.test(document.getElementById('subtitle').textContent));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a slider changes the run: stiffer links bend less', async () => {
  const page = await openLive();
  await slide(page, 'stiffness', 4);
  const before = await picture(page), soft = await deflection(page);
  const times = [];
  for (const stiffness of [6, 8, 10, 12, 14, 16]) times.push(await slide(page, 'stiffness', stiffness));
  assert.ok((await deflection(page)) < soft, 'stiffer links bend less');
  assert.notEqual(await picture(page), before);
  assert.equal(await page.locator('#live-stiffness + input').inputValue(), '16');
  times.sort((a, b) => a - b);
  writeFileSync(path.join(shots, 'live.json'), JSON.stringify({ 'slider to run shown, ms': times }));
  await shot(page, 'live-run');
  await page.click('#live-back');
  await page.waitForFunction(() => document.getElementById('live-back').hidden);
  await upToDate(page);
  assert.equal(await page.locator('#live-stiffness + input').inputValue(), '7.815');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the pose: joints and frames are pulled, modes and limits follow', async () => {
  const page = await openLive();
  await page.click('#live-pose-view');
  await page.waitForFunction(() => /without a run/.test(document.getElementById('subtitle').textContent));
  await settle(page);
  const start = await picture(page), modes = await text(page, '#pose-modes');
  assert.match(modes, /^modes here: [\d.]+ Hz/);
  assert.match(await text(page, '#pose-condition'), /of the loops [\d.]+, of holding them by the motors [\d.]+/);

  // The middle of the platform, by hand: the frame is named under the pointer.
  const box = await page.locator('#stage canvas').boundingBox();
  const place = await findFrame(page, box, 'platform/origin');
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  for (let k = 1; k <= 8; ++k) await page.mouse.move(place.x + 5 * k, place.y - 3 * k);
  await page.mouse.up();
  await page.waitForFunction((before) => document.getElementById('pose-modes').textContent !== before, modes);
  await settle(page);
  assert.notEqual(await picture(page), start, 'the mechanism has moved');
  assert.ok(await page.locator('#pose-missed').isHidden(), 'it is there');
  await shot(page, 'live-pose');

  // A motor by its slider.
  const before = Number(await page.locator('#joint-motor-1 + input').inputValue());
  await page.locator('#joint-motor-1').evaluate((slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input'));
  }, String(before + 5));
  await page.waitForFunction((was) => document.querySelector('#live').dataset.ms && Math.abs(Number(document.querySelector('#joint-motor-1 + input').value) - was - 5) < 0.2, before);
  await page.click('#pose-copy');
  assert.match(await page.locator('#pose-copy').getAttribute('data-text'), /^initial: \{motor-1: [\d.]+ deg, motor-2: /);

  // Far away: as near as it comes, and that is said.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const there = await findFrame(page, box, 'platform/origin');
  await page.mouse.move(there.x, there.y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 4, there.y, { steps: 12 });
  await page.waitForSelector('#pose-missed:visible');
  await page.mouse.up();
  await shot(page, 'live-far');

  // In the pose view a slider answers with the pose alone: from its event to the frame that shows the pose, with the drawing by software and
  // without it. The machine may be busy with other tests, so the quickest has to keep the limit.
  await page.click('#pose-reset');
  const kept = JSON.parse(readFileSync(path.join(shots, 'live.json'), 'utf8'));
  for (const drawing of [true, false]) {
    await page.evaluate((on) => { window.drawing = on; }, drawing);
    const times = [];
    for (const stiffness of [6, 8, 10, 12, 14, 16, 7, 9, 11, 13]) times.push(await slide(page, 'stiffness', stiffness));
    times.sort((a, b) => a - b);
    kept[`slider to pose shown, ms, ${drawing ? 'drawn by software' : 'without draw calls'}`] = times;
    if (!drawing) assert.ok(times[0] < 100, `an update takes ${times.join(', ')} ms`);
  }
  await page.evaluate(() => { window.drawing = true; });
  writeFileSync(path.join(shots, 'live.json'), JSON.stringify(kept, null, 2));
  await page.click('#live-run');
  await page.waitForFunction(() => /complete/.test(document.getElementById('subtitle').textContent));
  await page.click('#live-back');
  await upToDate(page);
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** Where on the screen the pointer finds a frame, near the middle of the picture. */
async function findFrame(page, box, name) {
  for (let ring = 0; ring < 26; ++ring) {
    for (let k = 0; k < Math.max(1, 6 * ring); ++k) {
      const angle = (2 * Math.PI * k) / Math.max(1, 6 * ring), x = box.x + box.width / 2 + 9 * ring * Math.cos(angle), y = box.y + box.height / 2 + 9 * ring * Math.sin(angle);
      if (y < box.y || y > box.y + box.height) continue;
      await page.mouse.move(x, y);
      await settle(page);
      if ((await page.locator('.labels .frame').allTextContents()).includes(name)) return { x, y };
    }
  }
  throw new Error(`there is no frame '${name}' on the picture`);
}

test('verbs print into the page; light, dark and a phone', async () => {
  const page = await openLive({ colorScheme: 'dark' });
  await page.click('#verb-modes');
  await page.waitForFunction(() => /frequency \(Hz\)/.test(document.getElementById('verb-text').textContent));
  assert.match(await text(page, '#live-verb summary'), /^lithe modes /);
  await shot(page, 'live-dark');
  assert.deepEqual(page.problems, []);
  await page.close();
  const phone = await openLive({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
  await shot(phone, 'live-phone');
  await phone.click('#live-pose-view');
  await settle(phone);
  await shot(phone, 'live-phone-pose', true);
  assert.deepEqual(phone.problems, []);
  await phone.close();
});

test('a server that has gone is told', async () => {
  const page = await openLive();
  await page.route('**/news*', (route) => route.abort());
  await page.waitForFunction(() => /cannot be reached/.test(document.getElementById('live-state').textContent));
  await page.unroute('**/news*');
  await upToDate(page);
  await page.close();
});
