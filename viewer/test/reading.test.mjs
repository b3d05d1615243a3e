// What a reader asks of the page beyond looking: other axes, units and sums of curves, differences, paths, files, links.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, open, pageOf, picture, reportOf, scrubTo, settle, text } from './browser.mjs';
import { flexibleBlock, pack, rigidResult } from './flexible_block.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

const panel = (title) => `.panel:has(h3:has-text("${title}"))`;
const numberOf = (words) => Number(words.replace('−', '-'));

test('degrees, peak and rms', async () => {
  const page = await open(browser, pageOf('reading', flexibleBlock()), { drawing: false });
  await scrubTo(page, 1.5);
  await page.click('#degrees');
  assert.equal(await text(page, `${panel('angles')} h3`), 'angles °');
  assert.ok(Math.abs(numberOf(await text(page, `${panel('angles')} .legend b`)) - (1.5 * 180) / Math.PI) < 0.01);
  await page.click('#degrees');
  await page.click('#summaries');
  // q = t up to 2: the root of the mean of t^2 is 2/sqrt(3).
  assert.equal(await text(page, `${panel('angles')} .legend small`), 'peak 2, rms 1.15');
  assert.equal(await text(page, `${panel('deflections at frames')} .legend small`), 'peak 20, rms 14.1'); // mm; a sine
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('spectrum and xy plot', async () => {
  const page = await open(browser, pageOf('reading', flexibleBlock()), { drawing: false });
  const amplitudes = panel('elastic amplitudes');
  await page.selectOption(`${amplitudes} select`, 'spectrum');
  // The amplitude is a sine of 1 Hz: the peak of the curve stands over the mark of 1 Hz, within the resolution of 2 s.
  const peak = await page.locator(`${amplitudes} svg`).evaluate((svg) => {
    const points = svg.querySelector('path[fill=none]').getAttribute('d').match(/[\d.]+ [\d.]+/g).map((pair) => pair.split(' ').map(Number));
    const marks = [...svg.querySelectorAll('text[text-anchor=middle]')].map((each) => [Number(each.textContent), Number(each.getAttribute('x'))]);
    const [[f0, x0], [f1, x1]] = [marks[0], marks[marks.length - 1]], top = points.reduce((best, each) => (each[1] < best[1] ? each : best));
    return f0 + ((top[0] - x0) / (x1 - x0)) * (f1 - f0);
  });
  assert.ok(Math.abs(peak - 1) < 0.5, `${peak} Hz`);
  await page.selectOption(`${panel('energies')} select`, 'q.shoulder');
  assert.equal(await text(page, `${panel('energies')} svg text:last-of-type`), 'q.shoulder rad');
  await page.selectOption(`${amplitudes} select`, 'time');
  assert.equal(await page.locator(`${amplitudes} .u-over`).count(), 1);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('what is rounding beside the others waits, and is told as nothing', async () => {
  const block = flexibleBlock(), [{ series }] = block.results, kinetic = series.find(({ name }) => name === 'energy.kinetic'); // up to 4 J
  series.push({ ...kinetic, name: 'energy.lost', values: pack(Array.from({ length: 201 }, () => 3e-12)) }, { ...kinetic, name: 'energy.small', values: pack(Array.from({ length: 201 }, () => 5e-9)) });
  const page = await open(browser, pageOf('rounding', block), { drawing: false }), key = (name) => `${panel('energies')} .legend button:has-text("${name} ")`;
  await page.locator(panel('energies')).scrollIntoViewIfNeeded();
  assert.equal(await page.getAttribute(key('lost'), 'aria-pressed'), 'false');
  assert.equal(await page.getAttribute(key('small'), 'aria-pressed'), 'true');
  await page.click(`${panel('energies')} .more`);
  await scrubTo(page, 1);
  assert.equal(await text(page, `${key('lost')} b`), '0');
  assert.equal(await text(page, `${key('small')} b`), '5e−9');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the difference of two results', async () => {
  const block = flexibleBlock(), other = rigidResult();
  const energies = other.series.find((series) => series.name === 'energy.kinetic');
  energies.values = block.results[0].series.find((series) => series.name === 'q.shoulder').values; // t in place of t^2
  block.results.push(other);
  const page = await open(browser, pageOf('difference', block), { drawing: false });
  await scrubTo(page, 1.5);
  await page.click('#difference');
  assert.equal(await text(page, `${panel('energies')} h3`), 'energies, difference J');
  assert.equal(numberOf(await text(page, `${panel('energies')} .legend button:visible b`)), 1.5 - 2.25);
  assert.equal(await page.locator(`${panel('energies')} .legend button:has-text("flexible"):visible`).count(), 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a click on a frame draws its path or takes it away', async () => {
  const page = await open(browser, pageOf('reading', flexibleBlock()));
  await page.click('#labels');
  await settle(page);
  // The name of the joint at the tip stands beside it.
  const name = await page.locator('.labels span:has-text("grip")').boundingBox();
  await page.click('#labels');
  const drawn = await picture(page), place = { x: name.x - 9, y: name.y + name.height / 2 };
  await page.mouse.move(place.x, place.y);
  await settle(page);
  assert.match(await text(page, '.labels .frame'), /^(arm\/tip|payload\/origin)$/);
  await page.mouse.click(place.x, place.y);
  await page.mouse.move(5, 5);
  assert.notEqual(await picture(page), drawn);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('picture, plots, numbers, machine and animation can be saved', async () => {
  const block = flexibleBlock();
  const page = await open(browser, pageOf('reading', block));
  const saved = async (id) => {
    await page.click('#save summary');
    const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60e3 }), page.click(`#${id}`)]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const png = await saved('save-png');
  assert.equal(png.name, 'flexible.png');
  assert.ok(png.bytes.toString('latin1', 1, 4) === 'PNG' && png.bytes.length > 5000);

  const svg = (await saved('save-svg')).bytes.toString();
  assert.equal(svg.match(/<svg /g).length, 1 + (await page.locator('.panel').count()));
  assert.match(svg, /deflections at frames mm/);

  const [head, ...rows] = (await saved('save-csv')).bytes.toString().trim().split('\n');
  const columns = head.slice(1, -1).split('","'), row = rows[50].split(',').map(Number);
  assert.equal(rows.length, 201);
  assert.equal(row[0], 0.5);
  assert.equal(row[columns.indexOf('angles: shoulder [rad]')], 0.5); // q = t

  const gltf = await saved('save-gltf'), json = JSON.parse(gltf.bytes.toString('utf8', 20, 20 + gltf.bytes.readUInt32LE(12)));
  assert.equal(gltf.bytes.toString('latin1', 0, 4), 'glTF');
  assert.equal(json.asset.version, '2.0');
  assert.ok(json.meshes.length >= 4, 'arm, payload, joints');

  await page.selectOption('#speed', '10'); // the film of two seconds
  const film = await saved('save-webm');
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3); // EBML
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a link restores the view', async () => {
  const file = pageOf('reading', flexibleBlock()), page = await open(browser, file, { drawing: false });
  await scrubTo(page, 1.2);
  await page.locator('#deformation').fill('0.5');
  await page.selectOption('#ghost', 'start');
  await page.click('[data-view=corner]');
  await page.click('#degrees');
  await page.click('#plots .chips button:has-text("energies")');
  const link = async (of) => {
    await of.click('#save summary');
    await of.click('#copy-link');
    return of.url().split('#')[1];
  };
  const first = await link(page), again = await open(browser, `${file}#${first}`, { drawing: false });
  assert.equal(await text(again, '#time'), '1.200 s');
  assert.equal(await text(again, '#deformation-text'), '10×');
  assert.equal(await again.inputValue('#ghost'), 'start');
  assert.equal(await again.getAttribute('#degrees', 'aria-pressed'), 'true');
  assert.equal(await again.locator('.panel h3:has-text("energies")').count(), 0);
  assert.equal(await link(again), first, 'a link from there is the same');
  assert.deepEqual([...page.problems, ...again.problems], []);
  await page.close();
  await again.close();
});
