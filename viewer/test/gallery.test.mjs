// The gallery page of `lithe demo`: groups, drawings of the machines with their bending, the filter; light, dark, phone. And the sheet of machines in
// the manual has every machine.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sections } from '../machine_sheet.mjs';
import { launch, looks, open, shot, take, text } from './browser.mjs';
import { galleryPages } from './gallery_pages.mjs';

const examples = process.env.LITHE_EXAMPLES;
const groups = JSON.parse(readFileSync(path.join(examples, 'gallery.json'), 'utf8'));
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

test('the gallery, in four looks', async (t) => {
  const page = await open(browser, path.join(galleryPages(), 'index.html'), { viewport: { width: 1010, height: 620 } });
  for (const look of looks) await t.test(look.name, async () => {
    await take(page, look);
    assert.deepEqual(await page.locator('.group h2').allTextContents(), groups.map(({ group }) => group), 'every example has its group');
    const first = await page.locator('.card').first().getAttribute('id');
    assert.equal(first, groups[0].examples[0].key, 'strongest first');
    const cards = new Map(await page.locator('.card').evaluateAll((all) => all.map((card) =>
      [card.id, { about: card.querySelector('.about').textContent, drawings: card.querySelectorAll('a > svg.figure').length }])));
    for (const { key, look } of groups.flatMap((group) => group.examples)) {
      assert.equal(cards.get(key)?.about, look);
      assert.equal(cards.get(key).drawings, 1, `${key} has a drawing that opens its report`);
    }
    assert.match(await text(page, '#flexible-3rrr .bending'), /^bending × \d+$/);
    assert.ok((await page.locator('#flexible-3rrr .elastic').count()) >= 6, 'six bending legs');
    // A mechanism that moves in the plane x, z is drawn in it: two jaws, the hand and what they carry.
    const solids = await page.locator('#gripper svg .solid').evaluateAll((all) => all.map((each) => {
      const { width, height } = each.getBBox();
      return { css: each.className.baseVal, box: { width, height } };
    }));
    assert.equal(solids.length, 4);
    assert.equal(solids.filter(({ css }) => css.includes('loose')).length, 1, 'the block has a colour of its own');
    for (const { box } of solids) assert.ok(box.width > 4 && box.height > 4, JSON.stringify(box));
    await page.fill('#filter', 'elastic crane');
    const seen = await page.locator('.card:visible').evaluateAll((cards) => cards.map((card) => card.dataset.words.toLowerCase()));
    assert.ok(seen.length > 0 && seen.length < 8 && seen.every((words) => words.includes('elastic') && words.includes('crane')), `${seen.length} cards`);
    assert.equal(await page.locator('.group:visible').count(), new Set(await page.locator('.card:visible').evaluateAll((cards) => cards.map((card) => card.closest('.group').textContent))).size);
    await page.fill('#filter', '');
    assert.equal(await page.locator('.card:visible').count(), groups.flatMap((group) => group.examples).length);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
    // Every machine has its motors, in a colour of its own: flanges behind the links, shafts before them.
    const housing = await page.locator('#flexible-3rrr .motor rect').evaluateAll((all) => all.map((each) => getComputedStyle(each).fill));
    assert.equal(housing.length, 3);
    assert.notEqual(housing[0], await page.locator('#flexible-3rrr .motor circle').first().evaluate((each) => getComputedStyle(each).fill));
    await shot(page, `gallery-${look.file}`);
  });
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the sheet of machines has every model of the gallery and every starter, with its picture', () => {
  const docs = path.join(examples, '..', 'docs'), sheet = readFileSync(path.join(docs, 'machines.md'), 'utf8');
  for (const { key, file, look } of sections(examples).flatMap((section) => section.machines)) {
    assert.ok(sheet.includes(`**${file}** · ${look} *`), `${file} is missing, or says something else: make the target machine-sheet`);
    const picture = path.join(docs, 'images', 'machines', `${key}.webp`);
    assert.ok(existsSync(picture) && statSync(picture).size > 1500, `${picture} is missing`);
  }
});
