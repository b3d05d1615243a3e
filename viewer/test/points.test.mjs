// Every point of the page that a reader can see or use, in light and dark, on a desktop and on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, looks, open, pageOf, picture, pictureShot, reportOf, run, scrubTo, settle, shot, shots, take, text } from './browser.mjs';
import { flexibleBlock, rigidResult } from './flexible_block.mjs';
import { wholeBlock } from './whole_block.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

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
    const style = getComputedStyle(document.documentElement), hues = wanted.map((name) =>
      of(...style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16)))[0]), counts = hues.map(() => 0);
    for (let k = 0; k < pixels.length; k += 4) {
      const [h, s] = of(pixels[k], pixels[k + 1], pixels[k + 2]);
      if (!(s > 0.3)) continue;
      hues.forEach((hue, which) => {
        const away = Math.abs(h - hue);
        if (Math.min(away, 360 - away) < 12) ++counts[which];
      });
    }
    return Object.fromEntries(wanted.map((name, which) => [name, counts[which] / (pixels.length / 4)]));
  }, [(await pictureShot(page)).toString('base64'), names]);
}

/** Share of the pixels of two pictures (PNG) that differ by more than the smoothing of edges does. */
function differing(page, pictures) {
  return page.evaluate(async (all) => {
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
  }, pictures.map((png) => png.toString('base64')));
}

/** Strong colours on the edge of the picture: something is cropped. */
const cropped = (page) => pictureShot(page).then((png) => page.evaluate(async (data) => {
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
  const report = reportOf('flexible-3rrr'), page = await open(browser, report, { drawing: false });
  await page.evaluate(() => { for (const chip of document.querySelectorAll('#plots .chips button[aria-pressed=false]')) chip.click(); });
  const all = [['deflection-at', 'deflections at frames'], ['error', 'tracking errors'], ['power', 'motor power'], ['bending', 'bending of links']];
  for (const [head, title] of all) {
    const shown = await page.locator(`${panel(title)} .legend button:not(.more)`).evaluateAll((keys) => keys.map((each) => each.childNodes[1].textContent.trim()));
    const { columns } = JSON.parse(run('plot', report.replace('.html', '.h5'), '--what', `${head}.*`, '-o', path.join(shots, 'same.svg'), '--json'));
    assert.deepEqual(columns.map((column) => column.slice(head.length + 1)).sort(), shown.sort(), title);
  }
  await page.close();
});

/** Everything that a look may change is as the page opened. */
async function afresh(page) {
  await page.evaluate(() => {
    delete document.documentElement.dataset.theme;
    for (const [id, value] of [['colour', 'stress'], ['ghost', 'rigid'], ['mode', '']]) {
      const select = document.getElementById(id);
      select.value = value;
      select.dispatchEvent(new Event('change'));
    }
  });
  await page.locator('#deformation').fill(page.opening.deformation);
  await page.locator('#deformation').dispatchEvent('change');
  await scrubTo(page, page.opening.t);
}

/** The opening: bending enlarged, with a badge and the ghost of the rigid twin; stress as colour with its scale, nothing cropped. */
async function opensWell(page) {
  assert.match(await text(page, '#badge'), /^bending × [\d.]+$/);
  assert.equal(await page.inputValue('#ghost'), 'rigid');
  assert.ok(await page.locator('#scale').isVisible());
  assert.match(await text(page, '#scale-peak'), /^peak 20 MPa: arm at 0 m/);
  const stressed = await picture(page);
  assert.equal(await cropped(page), 0, 'nothing is cropped');
  await page.selectOption('#colour', '');
  const bare = await picture(page);
  assert.notEqual(bare, stressed);
  for (const [kind, title] of [['moment', 'bending moment, N m'], ['axial', 'axial force, N']]) {
    await page.selectOption('#colour', kind);
    assert.equal(await text(page, '#scale-title'), title);
    assert.notEqual(await picture(page), bare, title);
  }
  await page.selectOption('#colour', '');
  const seen = await shares(page, ['--elastic', '--motor', '--housing', '--spring', '--trace']);
  for (const [colour, share] of Object.entries(seen)) assert.ok(share > 2e-4, `${colour} covers ${share} of the picture`);
  const haunted = await picture(page);
  await page.selectOption('#ghost', 'none');
  assert.notEqual(await picture(page), haunted, 'the ghost is gone');
}

/** Names keep off each other and the edges. */
async function namesKeepApart(page) {
  await page.click('#labels');
  await settle(page);
  const boxes = await page.locator('.labels span').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()).filter((box) => box.width > 0));
  const stage = await page.locator('#stage').boundingBox();
  assert.ok(boxes.length >= 4, `${boxes.length} names`);
  boxes.forEach((a, k) => {
    assert.ok(a.left >= stage.x && a.right <= stage.x + stage.width + 1 && a.top >= stage.y && a.bottom <= stage.y + stage.height + 1, 'within the picture');
    for (const b of boxes.slice(k + 1)) assert.ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3, 'apart');
  });
  await page.click('#labels');
}

/** Arrows, axes, paths: shown, told, and taken away again. */
async function showsOnDemand(page) {
  const plain = await picture(page);
  for (const id of ['forces', 'frames', 'traces']) {
    await page.click(`#${id}`);
    assert.notEqual(await picture(page), plain, id);
    if (id === 'forces') assert.match(await text(page, '#forces-note'), /^Loads \(violet\), motors \(orange\), reactions \(green\): longest arrow of the run 56.6 N/);
    await page.click(`#${id}`);
    assert.equal(await picture(page), plain, `${id} again`);
  }
  // The path of a frame, by a click on it: the pointer names it.
  await page.click('#labels');
  await settle(page);
  const name = await page.locator('.labels span:has-text("grip")').boundingBox();
  await page.click('#labels');
  await settle(page);
  const place = { x: name.x - 9, y: name.y + name.height / 2 };
  await page.mouse.move(place.x, place.y);
  await settle(page);
  assert.match(await text(page, '.labels .frame'), /^(arm\/tip|payload\/origin)$/);
  const before = await picture(page);
  await page.mouse.click(place.x, place.y);
  assert.notEqual(await picture(page), before, 'its path has come or gone');
  await page.mouse.click(place.x, place.y);
  assert.equal(await picture(page), before);
  return plain;
}

/** Modes swing at once, tell their frequency and damping, and stay in sight. */
async function modesSwing(page) {
  await page.selectOption('#mode', '0');
  await settle(page);
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
  assert.equal(await text(page, '#badge'), 'mechanism mode 1 · 3.25 Hz, damping 1 %');
  const one = await picture(page);
  assert.notEqual(await picture(page), one, 'it swings');
  await page.click('#play');
  assert.equal(await cropped(page), 0, 'it stays in sight');
  await page.selectOption('#mode', '');
}

const fits = (page) => page.evaluate(() => ({
  wide: document.documentElement.scrollWidth - window.innerWidth,
  outside: [...document.querySelectorAll('button, select, input')].filter((each) => each.checkVisibility()).filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    return width > 0 && (left < 0 || right > window.innerWidth);
  }).map((each) => each.id || each.textContent),
}));

test('the picture, in four looks', async (t) => {
  const page = await open(browser, pageOf('whole', wholeBlock()));
  page.opening = { deformation: await page.inputValue('#deformation'), t: await page.inputValue('#scrub') };
  for (const look of looks) {
    await t.test(look.name, async () => {
      await take(page, look);
      await afresh(page);
      await opensWell(page);
      await shot(page, `whole-${look.file}`);
      await namesKeepApart(page);
      const plain = await showsOnDemand(page);
      await scrubTo(page, 1.2);
      assert.notEqual(await picture(page), plain, 'time');
      for (const value of ['0', '0.5', '1']) {
        await page.locator('#deformation').fill(value);
        await settle(page);
        assert.ok(Number(await page.getAttribute('#stage', 'data-opening')) <= 1, 'joints stay closed');
      }
      assert.equal(await cropped(page), 0, 'the camera follows the enlargement');
      await page.locator('#deformation').fill('0');
      await modesSwing(page);
      const before = await picture(page);
      await page.click('#theme');
      assert.notEqual(await picture(page), before, 'the other look');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), look.colorScheme === 'dark' ? 'light' : 'dark');
      assert.deepEqual(await fits(page), { wide: 0, outside: [] });
    });
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a page at rest draws nothing', async () => {
  const page = await open(browser, pageOf('whole', wholeBlock()), { drawing: false }, () => {
    const ask = window.requestAnimationFrame.bind(window);
    window.asked = 0;
    window.requestAnimationFrame = (call) => {
      ++window.asked;
      return ask(call);
    };
  });
  assert.ok(await page.evaluate(() => window.asked > 0));
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300))); // what follows an opening has come
  const before = await page.evaluate(() => window.asked);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.equal(await page.evaluate(() => window.asked), before);
  await page.close();
});

/** What the plots show and say when they are asked. */
async function plotsAnswer(page) {
  assert.equal(await text(page, '.panel h3'), 'deflections at frames mm', 'the first panel, in mm');
  assert.match(await text(page, '.panel:last-child h3'), /^elastic amplitudes/);
  await page.click('#degrees');
  assert.equal(await text(page, `${panel('angles')} h3`), 'angles °');
  await page.click('#summaries');
  assert.match(await text(page, `${panel('deflections at frames')} .legend small`), /^peak 20, rms 14.1$/);
  await page.selectOption(`${panel('deflections at frames')} select`, 'spectrum');
  assert.ok((await page.locator(`${panel('deflections at frames')} svg path[fill=none]`).count()) > 0);
  await page.selectOption(`${panel('energies')} select`, 'q.shoulder');
  assert.equal(await text(page, `${panel('energies')} svg text:last-of-type`), 'q.shoulder °');
  await page.click('#difference');
  assert.match(await text(page, `${panel('energies')} h3`), /difference/);
  await page.click('#difference');
}

/** Along time with the buttons, along the values with a drag; back with the button. */
async function plotsZoom(page) {
  const whole = async () => page.locator('#zoom-reset').isDisabled(), over = page.locator(`${panel('torques')} .u-over`);
  assert.ok(await whole());
  await page.click('#zoom-in');
  assert.ok(!(await whole()));
  await page.click('#zoom-reset');
  assert.ok(await whole());
  await page.locator(panel('torques')).scrollIntoViewIfNeeded();
  await over.waitFor();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 15);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 2, box.y + 80, { steps: 3 });
  await page.mouse.up();
  assert.ok(!(await whole()), 'zoomed along the values');
  await page.evaluate(() => scrollTo(0, 0));
}

/** The view that a link leads to: the same texts and the same picture. */
async function linkRestores(page, file, look) {
  await page.locator('#deformation').fill('0.4');
  await scrubTo(page, 0.7);
  await page.evaluate(() => {
    scrollTo(0, 0);
    document.getElementById('linked').textContent = ''; // the note of the look before, over the picture for seconds
  });
  await settle(page);
  const picture = await pictureShot(page);
  await page.click('#save summary');
  await page.click('#copy-link');
  const again = await open(browser, `${file}#${page.url().split('#')[1]}`, { viewport: look.viewport, colorScheme: look.colorScheme });
  await again.locator(panel('energies')).scrollIntoViewIfNeeded();
  await again.locator(`${panel('energies')} svg`).waitFor();
  for (const selector of ['#time', '#deformation-text', '#badge', `${panel('angles')} h3`, `${panel('energies')} svg text:last-of-type`])
    assert.equal(await text(again, selector), await text(page, selector), selector);
  await again.evaluate(() => scrollTo(0, 0));
  await settle(again);
  const share = await differing(again, [picture, await pictureShot(again)]);
  assert.ok(share < 1e-3, `the same picture, but for ${share} of it`);
  await again.close();
}

/** What is saved, by its name and its first bytes. */
async function filesAreSaved(page) {
  const kinds = { png: ['.png', '\x89PNG'], svg: ['-plots.svg', '<svg '], csv: ['.csv', '"t [s]"'], gltf: ['.glb', 'glTF'], webm: ['.webm', '\x1a\x45\xdf\xa3'] };
  await page.selectOption('#speed', '10'); // the film of two seconds
  for (const [kind, [ending, head]] of Object.entries(kinds)) {
    await page.click('#save summary');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${kind}`)]), bytes = readFileSync(await saved.path());
    assert.equal(saved.suggestedFilename(), `flexible${ending}`);
    assert.ok(bytes.length > 500 && bytes.toString('latin1', 0, head.length) === head, `${kind}: ${bytes.length} bytes`);
  }
}

test('plots, files and links, in four looks', async (t) => {
  const block = flexibleBlock();
  block.results.push(rigidResult());
  const file = pageOf('two-runs', block), page = await open(browser, file);
  for (const look of looks) {
    await t.test(look.name, async () => {
      await take(page, look);
      await plotsAnswer(page);
      await plotsZoom(page);
      await filesAreSaved(page);
      await linkRestores(page, file, look);
      assert.deepEqual(await fits(page), { wide: 0, outside: [] });
      await shot(page, `plots-${look.file}`);
      for (const id of ['#degrees', '#summaries', '#zoom-reset']) await page.click(id);
      for (const title of ['deflections at frames', 'energies']) await page.selectOption(`${panel(title)} select`, 'time');
    });
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('on a touch screen', async () => {
  const page = await open(browser, pageOf('whole', wholeBlock()), { viewport: looks[1].viewport, isMobile: true, hasTouch: true, deviceScaleFactor: 1, drawing: false });
  await page.tap('#play');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
  await page.tap('#play');
  await page.tap('#labels');
  await settle(page);
  assert.ok((await page.locator('.labels span:visible').count()) > 0);
  assert.deepEqual(await fits(page), { wide: 0, outside: [] });
  assert.deepEqual(page.problems, []);
  await page.close();
});
