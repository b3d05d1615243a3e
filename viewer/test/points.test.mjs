// Every point of the page that a reader can see or use, in light and dark, on a desktop and on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open, pageOf, picture, reportOf, run, scrubTo, settle, shot, shots, text } from './browser.mjs';
import { flexibleBlock, rigidResult } from './flexible_block.mjs';
import { wholeBlock } from './whole_block.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

const desktop = { viewport: { width: 1010, height: 620 } }, phone = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true };
const settings = ['light', 'dark'].flatMap((colorScheme) => [['desktop', desktop], ['phone', phone]].map(([kind, options]) =>
  ({ name: `${colorScheme}, ${kind}`, file: `${colorScheme}-${kind}`, colorScheme, touch: kind === 'phone', options: { ...options, colorScheme, acceptDownloads: true } })));
const panel = (title) => `.panel:has(h3:has-text("${title}"))`;

/** Share of the picture whose colour is near to those of the style sheet: [colour by its name, how it is lit left open]. */
async function shares(page, names) {
  await settle(page);
  return page.evaluate(async ([data, wanted]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
    const of = (r, g, b) => { // hue in degrees, saturation
      const most = Math.max(r, g, b), span = most - Math.min(r, g, b);
      const hue = span === 0 ? 0 : most === r ? ((g - b) / span + 6) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4;
      return [60 * hue, most === 0 ? 0 : span / most];
    };
    const style = getComputedStyle(document.documentElement), result = {};
    for (const name of wanted) {
      const [r, g, b] = style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16)), [hue] = of(r, g, b);
      let count = 0;
      for (let k = 0; k < pixels.length; k += 4) {
        const [h, s] = of(pixels[k], pixels[k + 1], pixels[k + 2]), away = Math.abs(h - hue);
        if (s > 0.3 && Math.min(away, 360 - away) < 12) ++count;
      }
      result[name] = count / (pixels.length / 4);
    }
    return result;
  }, [(await page.locator('#stage canvas').screenshot()).toString('base64'), names]);
}

/** Share of the pixels of two pictures that differ by more than the smoothing of edges does. */
async function differing(one, other) {
  const pictures = [];
  for (const page of [one, other]) {
    await settle(page);
    pictures.push((await page.locator('#stage canvas').screenshot()).toString('base64'));
  }
  return one.evaluate(async (all) => {
    const [a, b] = await Promise.all(all.map(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      pen.drawImage(image, 0, 0);
      return pen.getImageData(0, 0, image.width, image.height).data;
    }));
    if (a.length !== b.length) return 1;
    let count = 0;
    for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) + Math.abs(a[k + 2] - b[k + 2]) > 60) ++count;
    return count / (a.length / 4);
  }, pictures);
}

/** Strong colours on the edge of the picture: something is cropped. */
const cropped = (page) => page.locator('#stage canvas').screenshot().then((png) => page.evaluate(async (data) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext('2d'), { width, height } = image;
  pen.drawImage(image, 0, 0);
  const { data: pixels } = pen.getImageData(0, 0, width, height);
  let count = 0;
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
    if (x > 1 && x < width - 2 && y > 1 && y < height - 2) continue;
    const k = 4 * (y * width + x), most = Math.max(pixels[k], pixels[k + 1], pixels[k + 2]), least = Math.min(pixels[k], pixels[k + 1], pixels[k + 2]);
    if (most - least > 60) ++count;
  }
  return count;
}, png.toString('base64')));

test('plot knows the quantities that the page shows', async () => {
  const report = reportOf('flexible-3rrr'), page = await open(browser, report, desktop);
  await page.evaluate(() => { for (const chip of document.querySelectorAll('#plots .chips button[aria-pressed=false]')) chip.click(); });
  for (const [head, title] of [['deflection-at', 'deflections at frames'], ['error', 'tracking errors'], ['power', 'motor power'], ['bending', 'bending of links']]) {
    const shown = await page.locator(`${panel(title)} .legend button:not(.more)`).evaluateAll((all) => all.map((each) => each.childNodes[1].textContent.trim()));
    const { columns } = JSON.parse(run('plot', report.replace('.html', '.h5'), '--what', `${head}.*`, '-o', path.join(shots, 'same.svg'), '--json'));
    assert.deepEqual(columns.map((column) => column.slice(head.length + 1)).sort(), shown.sort(), title);
  }
  await page.close();
});

for (const { name, file, touch, colorScheme, options } of settings) {
  test(`the picture: ${name}`, async () => {
    const page = await open(browser, pageOf('whole', wholeBlock()), options), press = (selector) => (touch ? page.tap(selector) : page.click(selector));
    // On opening: bending enlarged, with a badge and the ghost of the rigid twin; stress as colour with its scale, nothing cropped.
    assert.match(await text(page, '#badge'), /^bending × [\d.]+$/);
    assert.equal(await page.inputValue('#ghost'), 'rigid');
    assert.ok(await page.locator('#scale').isVisible());
    assert.match(await text(page, '#scale-peak'), /^peak 20 MPa: arm at 0 m/);
    const stressed = await picture(page);
    assert.equal(await cropped(page), 0, 'nothing is cropped');
    await shot(page, `whole-${file}`);
    await page.selectOption('#colour', '');
    assert.notEqual(await picture(page), stressed);
    const seen = await shares(page, ['--elastic', '--motor', '--spring', '--trace']);
    for (const [colour, share] of Object.entries(seen)) assert.ok(share > 2e-4, `${colour} covers ${share} of the picture`);
    const bare = await picture(page);
    await page.selectOption('#ghost', 'none');
    assert.notEqual(await picture(page), bare, 'the ghost is gone');

    // Names keep off each other and the edges.
    const plain = await picture(page);
    await press('#labels');
    await settle(page);
    const boxes = await page.locator('.labels span').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()).filter((box) => box.width > 0));
    const stage = await page.locator('#stage').boundingBox();
    assert.ok(boxes.length >= 4, `${boxes.length} names`);
    boxes.forEach((a, k) => {
      assert.ok(a.left >= stage.x && a.right <= stage.x + stage.width + 1 && a.top >= stage.y && a.bottom <= stage.y + stage.height + 1, 'within the picture');
      for (const b of boxes.slice(k + 1)) assert.ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3, 'apart');
    });
    await press('#labels');

    // Arrows and axes.
    for (const id of ['forces', 'frames']) {
      await press(`#${id}`);
      assert.notEqual(await picture(page), plain, id);
      if (id === 'forces') assert.match(await text(page, '#forces-note'), /^Loads \(violet\), motors \(orange\), reactions \(green\): longest arrow of the run 56.6 N/);
      await press(`#${id}`);
      assert.equal(await picture(page), plain);
    }

    // Paths: all off and on; that of one frame by a click on it.
    await press('#traces');
    const pathless = await picture(page);
    assert.notEqual(pathless, plain);
    await press('#traces');
    assert.equal(await picture(page), plain);

    // Time, enlargement, loops.
    await scrubTo(page, 1.2);
    assert.notEqual(await picture(page), plain);
    for (const value of ['0', '0.5', '1']) {
      await page.locator('#deformation').fill(value);
      await settle(page);
      assert.ok(Number(await page.getAttribute('#stage', 'data-opening')) <= 1, 'joints stay closed');
    }
    assert.equal(await cropped(page), 0, 'the camera follows the enlargement');
    await page.locator('#deformation').fill('0');

    // Modes swing at once and stay in sight.
    await page.selectOption('#mode', '0');
    await settle(page);
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
    assert.equal(await text(page, '#badge'), 'mechanism mode 1 · 3.25 Hz, damping 1 %');
    const one = await picture(page);
    await page.waitForTimeout(60);
    assert.notEqual(await picture(page), one, 'it swings');
    await press('#play');
    assert.equal(await cropped(page), 0, 'it stays in sight');
    await page.selectOption('#mode', '');

    // The other look.
    const before = await picture(page);
    await press('#theme');
    assert.notEqual(await picture(page), before);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme === 'dark' ? 'light' : 'dark');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  test(`plots, files, links: ${name}`, async () => {
    const block = flexibleBlock();
    block.results.push(rigidResult());
    const page = await open(browser, pageOf('two-runs', block), options), press = (selector) => (touch ? page.tap(selector) : page.click(selector));
    assert.equal(await text(page, '.panel h3'), 'deflections at frames mm', 'the first panel, in mm');
    assert.match(await text(page, '.panel:last-child h3'), /^elastic amplitudes/);
    await press('#degrees');
    assert.equal(await text(page, `${panel('angles')} h3`), 'angles °');
    await press('#summaries');
    assert.match(await text(page, `${panel('deflections at frames')} .legend small`), /^peak 20, rms 14.1$/);
    await page.selectOption(`${panel('deflections at frames')} select`, 'spectrum');
    assert.ok((await page.locator(`${panel('deflections at frames')} svg path[fill=none]`).count()) > 0);
    await page.selectOption(`${panel('energies')} select`, 'q.shoulder');
    assert.equal(await text(page, `${panel('energies')} svg text:last-of-type`), 'q.shoulder °');
    await press('#difference');
    assert.match(await text(page, `${panel('energies')} h3`), /difference/);
    await press('#difference');
    await press('#zoom-in');
    assert.ok(await page.locator('#zoom-reset').isEnabled());
    await page.locator('#deformation').fill('0.4');
    await scrubTo(page, 0.7);
    await press('#save summary');
    await press('#copy-link');
    const again = await open(browser, `${pageOf('two-runs', block)}#${page.url().split('#')[1]}`, options);
    for (const selector of ['#time', '#deformation-text', '#badge', `${panel('angles')} h3`, `${panel('energies')} svg text:last-of-type`]) assert.equal(await text(again, selector), await text(page, selector), selector);
    await page.waitForFunction(() => document.getElementById('linked').textContent === ''); // it lies over the picture for a while
    const share = await differing(page, again);
    assert.ok(share < 1e-3, `the same picture, but for ${share} of it`);
    await again.close();

    const ends = { png: '.png', svg: '-plots.svg', csv: '.csv', gltf: '.glb', ...(file === 'dark-phone' || file === 'light-desktop' ? { webm: '.webm' } : {}) };
    if (ends.webm) await page.selectOption('#mode', '1'); // a swing lasts 1.6 s, the run longer
    for (const [kind, ending] of Object.entries(ends)) {
      await press('#save summary');
      const [saved] = await Promise.all([page.waitForEvent('download', { timeout: 60e3 }), press(`#save-${kind}`)]);
      assert.equal(saved.suggestedFilename(), `flexible${ending}`);
      assert.ok(readFileSync(await saved.path()).length > 500, kind);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing is wider than the screen');
    const outside = await page.locator('button:visible, select:visible, input:visible').evaluateAll((all) => all.filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      return left < 0 || right > window.innerWidth;
    }).map((each) => each.id || each.textContent));
    assert.deepEqual(outside, [], 'every control is on the screen');
    await shot(page, `plots-${file}`, true);
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}
