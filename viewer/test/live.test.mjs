// The page of `lithe live`: it follows the file, its sliders and the hand that pulls the mechanism.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, looks, newPage, picture, settle, shots, take, text } from './browser.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'lithe-live-'));
const file = path.join(folder, 'robot.yaml');
const robot = readFileSync(path.join(process.env.LITHE_EXAMPLES, 'flexible-3rrr.yaml'), 'utf8')
  .replace('swing: 0.25', 'swing: {value: 0.25, from: 0.05, to: 0.5}')
  .replace('stiffness: 7.815', 'stiffness: {value: 7.815, from: 2, to: 20}')
  .replace('gravity: [0, 0, 0]', 'gravity: [0, -9.81, 0]');

let browser, server, address, page;
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

/** The page with the model as it is in the file, in the view of the run: each test begins with it and leaves it so. */
async function openLive() {
  if (!page) {
    page = await newPage(browser, { viewport: { width: 1010, height: 680 } });
    page.home = new URL(address).origin;
    await page.goto(address);
  }
  page.problems.length = 0;
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

/** Processor time of a process so far, ms. */
function processor(pid) {
  const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return 10 * (Number(words[11]) + Number(words[12])); // hundredths of a second
}

/**
 * From the event of a slider to the frame that shows its answer, the run or the pose alone; with the drawing by software and without it. Other tests may
 * keep the machine busy: the processor time of the server and of the page has to keep the limit, and the time on the wall is kept in live.json.
 */
async function keepTimes(page, what) {
  const file = path.join(shots, 'live.json'), kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}, steps = 5;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const work = async () => processor(server.pid) + 1e3 * (await devtools.send('Performance.getMetrics')).metrics.find((each) => each.name === 'TaskDuration').value;
  for (const drawing of [true, false]) {
    await page.evaluate((on) => { window.drawing = on; }, drawing);
    const times = [], works = [];
    for (let k = 0; k < steps; ++k) {
      const before = await work();
      times.push(await slide(page, 'stiffness', 6 + ((7 * k) % 10)));
      works.push((await work()) - before); // where a step has to wait long, with the whole run that comes when the slider rests
    }
    for (const list of [times, works]) list.sort((a, b) => a - b);
    kept[`slider to ${what} shown, ms, ${drawing ? 'drawn by software' : 'without draw calls'}`] = { median: times[steps >> 1], processor: Math.round(works[steps >> 1]), times };
    assert.ok(works[0] < 100, `${what}: a step of the slider takes ${works} ms of the processor`);
  }
  await devtools.detach();
  await page.evaluate(() => { window.drawing = true; });
  writeFileSync(file, JSON.stringify(kept, null, 2));
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

  writeFileSync(file, robot.replace('until: 0.8', 'until: 0.6'));
  await page.waitForFunction(() => /0 to 0.6 s, complete/.test(document.getElementById('subtitle').textContent));
  await upToDate(page);
  assert.equal(await page.locator('.live-error').count(), 0, 'the error is gone');
  assert.equal(await page.evaluate(() => window.kept), true, 'it is the same page');
  assert.deepEqual(await page.locator('#plots .chips button[aria-pressed=true]').allTextContents(), chosen, 'choices stay');
  writeFileSync(file, robot);
  await page.waitForFunction(() => /0 to 0.8 s, complete/.test(document.getElementById('subtitle').textContent));
  assert.deepEqual(page.problems, []);
});

test('a slider changes the run: stiffer links bend less', async () => {
  const page = await openLive();
  await slide(page, 'stiffness', 4);
  const before = await picture(page), soft = await deflection(page);
  await keepTimes(page, 'run');
  await slide(page, 'stiffness', 16);
  assert.ok((await deflection(page)) < soft, 'stiffer links bend less');
  assert.notEqual(await picture(page), before);
  assert.equal(await page.locator('#live-stiffness + input').inputValue(), '16');
  await page.click('#live-back');
  await page.waitForFunction(() => document.getElementById('live-back').hidden);
  await upToDate(page);
  assert.equal(await page.locator('#live-stiffness + input').inputValue(), '7.815');
  assert.deepEqual(page.problems, []);
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

  // What the server says about stops and singular poses stands on the page; here it is put into its answer.
  await page.route('**/pull*', async (route) => {
    const response = await route.fetch(), json = await response.json();
    json.pose.singular = 'the loop of knee-1';
    json.pose.joints.find(({ name }) => name === 'motor-1').at_limit = true;
    await route.fulfill({ response, json });
  });
  await page.click('#pose-reset');
  await page.waitForFunction(() => document.getElementById('pose-singular').textContent === 'near a singular pose: the loop of knee-1');
  assert.match(await text(page, '#pose-limits'), /^at its limit: motor-1$/);
  assert.equal(await page.locator('.at-limit').count(), 1);
  await page.unrouteAll({ behavior: 'wait' }); // an answer may still be on its way through the function above

  await page.click('#pose-reset');
  await page.waitForFunction(() => document.getElementById('pose-singular').textContent === '');
  assert.equal(await page.locator('.at-limit').count(), 0);
  await keepTimes(page, 'pose');
  await page.click('#live-run');
  await page.waitForFunction(() => /complete/.test(document.getElementById('subtitle').textContent));
  await page.click('#live-back');
  await upToDate(page);
  assert.deepEqual(page.problems, []);
});

/** Pulls a frame by so many pixels and waits for the answer. */
async function pull(page, frame, right, down) {
  const { x, y } = await findFrame(page, await page.locator('#stage canvas').boundingBox(), frame);
  await page.evaluate(() => { delete document.getElementById('live').dataset.ms; });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => document.getElementById('live').dataset.ms !== undefined);
}

/** Where on the screen the pointer finds a frame, near the middle of the picture. */
async function findFrame(page, box, name) {
  for (let ring = 0; ring < 18; ++ring) {
    for (let k = 0; k < Math.max(1, 6 * ring); ++k) {
      const angle = (2 * Math.PI * k) / Math.max(1, 6 * ring), x = box.x + box.width / 2 + 13 * ring * Math.cos(angle), y = box.y + box.height / 2 + 13 * ring * Math.sin(angle);
      if (y < box.y || y > box.y + box.height) continue;
      await page.mouse.move(x, y);
      await settle(page);
      if ((await page.locator('.labels .frame').allTextContents()).includes(name)) return { x, y };
    }
  }
  throw new Error(`there is no frame '${name}' on the picture`);
}

test('verbs print into the page', async () => {
  const page = await openLive();
  await page.click('#verb-modes');
  await page.waitForFunction(() => /frequency \(Hz\)/.test(document.getElementById('verb-text').textContent));
  assert.match(await text(page, '#live-verb summary'), /^lithe modes /);
  assert.deepEqual(page.problems, []);
});

test('live in four looks: a slider, the pose, a pull, an error', async (t) => {
  const page = await openLive();
  for (const [k, look] of looks.entries()) {
    await t.test(look.name, async () => {
      await take(page, look);
      const before = await picture(page);
      await slide(page, 'swing', 0.3 + 0.04 * k);
      assert.notEqual(await picture(page), before, 'another run');
      // The pose with the new value is on its way while the old one is shown, and would take back what is written into its fields.
      await Promise.all([page.waitForResponse(/\/pose$/), page.click('#live-pose-view')]);
      await page.waitForFunction(() => /without a run/.test(document.getElementById('subtitle').textContent));
      await settle(page);
      const start = await picture(page), field = page.locator('#joint-motor-1 + input');
      await page.evaluate(() => { delete document.getElementById('live').dataset.ms; });
      await field.fill(String(Number(await field.inputValue()) + 4));
      await field.press('Enter');
      await page.waitForFunction(() => document.getElementById('live').dataset.ms !== undefined);
      const turned = await picture(page);
      assert.notEqual(turned, start, 'the motor has turned');
      await pull(page, 'platform/origin', 24, -12);
      assert.notEqual(await picture(page), turned, 'the platform has come along');
      await page.click('#live-run');
      writeFileSync(file, robot.replace('mass: m, EI: stiffness', 'mass: mm, EI: stiffness'));
      await page.waitForSelector('.live-error');
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
      writeFileSync(file, robot);
      await page.waitForFunction(() => !document.querySelector('.live-error'));
      await upToDate(page);
    });
  }
  await take(page, looks[0]);
  assert.deepEqual(page.problems, []);
});

test('a server that has gone is told', async () => {
  const page = await openLive();
  await page.route('**/news*', (route) => route.abort());
  await page.waitForFunction(() => /cannot be reached/.test(document.getElementById('live-state').textContent));
  await page.unroute('**/news*');
  await upToDate(page);
});
