// The report page in a browser: controls change the picture and the numbers, nothing is fetched, nothing complains.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, pageOf, picture, reportOf, scrubTo, settle, shot, text } from './browser.mjs';
import { eta, flexibleBlock, rigidResult, stressedBlock } from './flexible_block.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** The value that the legend of a panel shows for a curve. */
const value = async (page, panel, name) =>
  Number((await text(page, `.panel:has(h3:has-text("${panel}")) .legend button:has-text("${name} ") b`)).replace('−', '-'));
/** No deformation drawn, no ghost: the mechanism as it was computed. */
const plain = async (page) => {
  await page.locator('#deformation').fill('0');
  await page.selectOption('#ghost', 'none');
  await settle(page);
};

for (const example of ['four-bar', 'khan-6ups', 'slider-crank']) {
  test(`report of ${example}: play, scrub, ghost, views`, async () => {
    const page = await open(browser, reportOf(example));
    if (example === 'four-bar') assert.equal(await page.getAttribute('[data-view=plane]', 'aria-pressed'), 'true', 'what is planar opens in its plane');
    const start = await picture(page);
    assert.equal(await text(page, '#time'), '0.000 s');

    const end = Number(await page.locator('#scrub').getAttribute('max'));
    const t = 0.3 * end;
    await scrubTo(page, t);
    const middle = await picture(page);
    assert.notEqual(middle, start, 'the mechanism moves');
    assert.equal(await text(page, '#time'), `${t.toFixed(3)} s`);

    await page.selectOption('#ghost', 'start');
    assert.notEqual(await picture(page), middle, 'the ghost appears');
    await page.selectOption('#ghost', 'none');
    assert.equal(await picture(page), middle, 'the ghost disappears');

    for (const view of ['xy', 'xz', 'yz', 'corner']) {
      await page.click(`[data-view=${view}]`);
      assert.equal(await page.getAttribute(`[data-view=${view}]`, 'aria-pressed'), 'true');
    }
    await page.click('#labels');
    await settle(page);
    assert.ok((await page.locator('.labels span:visible').count()) > 0);

    await page.click('#play');
    await page.waitForFunction((before) => document.getElementById('time').textContent !== before, await text(page, '#time'));
    await page.click('#play');
    const stopped = await text(page, '#time');
    await settle(page);
    assert.equal(await text(page, '#time'), stopped, 'pause holds');
    assert.deepEqual(page.problems, []);
    await page.close();
  });
}

test('report of an elastic mechanism: deformation, rigid twin, mode of a link', async () => {
  const page = await open(browser, reportOf('flexible-four-bar'));
  assert.match(await text(page, '#badge'), /^bending × [\d.]+$/);
  assert.equal(await page.inputValue('#ghost'), 'rigid');
  await plain(page);
  assert.ok(await page.locator('#badge').isHidden());
  await scrubTo(page, 0.6);
  const before = await picture(page), deflection = await text(page, '#deflection');
  assert.match(deflection, /^largest deflection now [\d.]+ (mm|µm)$/);
  await scrubTo(page, 0.7);
  assert.notEqual(await text(page, '#deflection'), deflection, 'the deflection changes with time');
  await scrubTo(page, 0.6);
  await page.locator('#deformation').fill('0.6');
  assert.notEqual(await picture(page), before);
  await page.selectOption('#ghost', 'rigid');
  await plain(page);
  assert.equal(await picture(page), before);
  assert.ok((await page.locator('#mode option').allTextContents()).some((name) => /^coupler: bending y 1, [\d.]+ Hz$/.test(name)));
  await page.selectOption('#mode', { index: 1 });
  assert.notEqual(await picture(page), before);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('plots: values follow the time, a click goes there, a drag zooms all panels', async () => {
  const page = await open(browser, pageOf('flexible', flexibleBlock()), { drawing: false });
  await scrubTo(page, 1.5);
  assert.equal(await value(page, 'angles', 'shoulder'), 1.5); // q = t
  assert.ok(Math.abs((await value(page, 'energies', 'kinetic')) - 2.25) < 1e-3); // t^2
  assert.ok(Math.abs((await value(page, 'deflections at frames', 'arm.tip'))) < 1e-3); // 20 mm sin(2 pi t)
  assert.equal(await text(page, '.panel h3'), 'deflections at frames mm', 'the first panel, in mm');
  assert.match(await text(page, '.panel:last-child h3'), /^elastic amplitudes/);

  const over = page.locator('.panel .u-over').first(), box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 4, box.y + 50);
  assert.ok(Math.abs(parseFloat(await text(page, '#time')) - 0.5) < 0.02, await text(page, '#time'));

  assert.ok(await page.locator('#zoom-reset').isDisabled());
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await settle(page);
  assert.ok(await page.locator('#zoom-reset').isEnabled(), 'zoomed');
  await page.click('#zoom-reset');
  assert.ok(await page.locator('#zoom-reset').isDisabled());
  const whole = await page.locator('.panel canvas').first().screenshot();
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 2, box.y + 80, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(box.x - 300, box.y);
  await settle(page);
  assert.ok(await page.locator('#zoom-reset').isEnabled(), 'zoomed along the values');
  assert.notDeepEqual(await page.locator('.panel canvas').first().screenshot(), whole);
  await page.click('#zoom-reset');

  // Switching a group off and on, a curve off.
  const count = await page.locator('.panel').count();
  await page.click('#plots .chips button:has-text("energies")');
  assert.equal(await page.locator('.panel').count(), count - 1);
  await page.locator('.legend button').first().click();
  assert.equal(await page.locator('.legend button').first().getAttribute('aria-pressed'), 'false');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('deformation: the scale bends the picture, not the numbers', async () => {
  const page = await open(browser, pageOf('flexible', flexibleBlock()));
  // It opens where the tip is farthest from the rigid twin: 0.02 m at a quarter of a second. Three times that is seen well:
  // the next round number, 5, would be more than 0.07 of the radius of 1.2 m.
  assert.equal(await text(page, '#time'), '0.250 s');
  assert.equal(await text(page, '#badge'), 'bending × 3');
  assert.equal(await page.inputValue('#ghost'), 'rigid');
  await plain(page);
  assert.equal(await text(page, '#deformation-text'), '1×');
  // The payload hangs on the tip, turned by atan(2 eta / L); its far corners move most.
  const tip = eta(0.25), slope = Math.atan(2 * tip), corner = (x, y) =>
    Math.hypot(x * (Math.cos(slope) - 1) - y * Math.sin(slope), tip + x * Math.sin(slope) + y * (Math.cos(slope) - 1));
  const largest = 1000 * Math.max(corner(0.1, 0.05), corner(0.1, -0.05), tip);
  assert.equal(await text(page, '#deflection'), `largest deflection now ${Number(largest.toPrecision(3))} mm`);
  const before = await picture(page), amplitude = await value(page, 'elastic amplitudes', 'arm.e1');
  assert.ok(Math.abs(amplitude - 0.02) < 1e-6);

  await page.locator('#deformation').fill('0.5');
  assert.equal(await text(page, '#deformation-text'), '10×');
  assert.notEqual(await picture(page), before);
  await page.locator('#deformation').fill('1');
  assert.equal(await text(page, '#deformation-text'), '100×');
  assert.equal(await value(page, 'elastic amplitudes', 'arm.e1'), amplitude);
  assert.ok(Number(await page.getAttribute('#stage', 'data-opening')) <= 1, 'the payload stays on the tip');

  await page.locator('#deformation').fill('0');
  assert.equal(await picture(page), before, 'back to the true size');
  await page.selectOption('#ghost', 'rigid');
  assert.notEqual(await picture(page), before, 'the rigid twin stands beside');
  await page.selectOption('#ghost', 'none');
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** Numbers below the scale of colours. */
const marks = (page) => page.locator('#scale-marks span').allTextContents();

test('links coloured by stress, bending moment or axial force, with a scale', async () => {
  const page = await open(browser, pageOf('stressed', stressedBlock()));
  await plain(page);
  assert.deepEqual(await page.locator('#colour option').allTextContents(), ['of the link', 'stress (von Mises)', 'bending moment', 'axial force']);
  assert.equal(await page.inputValue('#colour'), 'stress', 'recorded stress is shown on opening');
  assert.equal(await text(page, '#scale-title'), 'stress (von Mises), MPa');
  assert.deepEqual(await marks(page), ['0', '10', '20']);
  assert.equal(await text(page, '#scale-peak'), 'peak 20 MPa: arm at 0 m, 0.25 s');
  assert.match(await text(page, '#texts'), /largest stress, arm20 MPaat 0 m, 0.25 s; safety against yield 11.8; damage 1e−6; life 2000 h/);
  const stressed = await picture(page);

  await page.selectOption('#colour', '');
  const unpainted = await picture(page);
  assert.notEqual(unpainted, stressed);
  assert.ok(await page.locator('#scale').isHidden());
  // 50 N m per metre times 0.02 m at the root, 1000 N per metre times 0.02 m at the tip.
  await page.selectOption('#colour', 'moment');
  assert.equal(await text(page, '#scale-title'), 'bending moment, N m');
  assert.deepEqual(await marks(page), ['0', '0.5', '1']);
  assert.equal(await text(page, '#scale-peak'), 'peak 1 N m: arm at 0 m, 0.25 s');
  assert.equal(await picture(page), stressed, 'the moment falls along the arm as the stress does');
  await page.selectOption('#colour', 'axial');
  assert.deepEqual(await marks(page), ['−20', '0', '20']);
  assert.notEqual(await picture(page), stressed);

  // It follows time, and a click on the peak goes to its instant.
  await page.selectOption('#colour', 'stress');
  await scrubTo(page, 1);
  const calm = await picture(page);
  await page.selectOption('#colour', '');
  assert.notEqual(await picture(page), calm, 'without stress the links have the colour of the start of the scale');
  await page.selectOption('#colour', 'stress');
  await page.click('#scale-peak');
  assert.equal(await text(page, '#time'), '0.250 s');
  assert.equal(await picture(page), stressed);
  await page.keyboard.press('c');
  assert.equal(await page.inputValue('#colour'), 'moment');

  // A mode has a size for the eye only.
  await page.selectOption('#mode', '0');
  await settle(page);
  assert.ok(await page.locator('#scale').isHidden());
  await page.selectOption('#mode', '');

  // Kept in the address of the view.
  await page.click('#save summary');
  await page.click('#copy-link');
  assert.match(page.url(), /colour=moment/);
  await page.click('#theme');
  await page.selectOption('#colour', 'stress');
  await settle(page);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('modes: of the mechanism and of a link, picked and animated', async () => {
  const page = await open(browser, pageOf('flexible', flexibleBlock()));
  await plain(page);
  const still = await picture(page);
  const names = await page.locator('#mode option').allTextContents();
  assert.deepEqual(names, ['none: the motion', 'mechanism mode 1, 3.25 Hz', 'arm: bending y 1, 12.5 Hz']);
  await page.selectOption('#mode', '0');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause', 'a mode swings at once');
  await settle(page); // the badge belongs to the next picture
  assert.equal(await text(page, '#badge'), 'mechanism mode 1 · 3.25 Hz, damping 1 %');
  await page.click('#play');
  const first = await picture(page);
  assert.notEqual(first, still);
  await page.selectOption('#mode', '1');
  await page.click('#play');
  const second = await picture(page);
  assert.notEqual(second, first);
  await page.selectOption('#mode', '');
  assert.equal(await picture(page), still, 'back to the motion');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('two results lie over each other', async () => {
  const block = flexibleBlock();
  block.results.push(rigidResult());
  const page = await open(browser, pageOf('overlay', block));
  await scrubTo(page, 0.25);
  const both = await picture(page);
  assert.ok((await page.locator('.legend button:has-text("shoulder, rigid")').count()) > 0);
  await page.click('#results button:has-text("rigid")');
  assert.notEqual(await picture(page), both);
  assert.equal(await page.locator('.legend button:has-text("shoulder, rigid"):visible').count(), 0, 'its curves go with it');
  await page.click('#results button:has-text("rigid")');
  assert.equal(await picture(page), both);
  assert.ok((await page.locator('.legend button:has-text("shoulder, rigid"):visible').count()) > 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('the picture stays beside the plots and covers nothing below them', async () => {
  const page = await open(browser, pageOf('flexible', flexibleBlock()), { drawing: false });
  const box = (selector) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON());
  await page.locator('.panel').nth(1).evaluate((panel) => panel.scrollIntoView({ block: 'start' }));
  assert.ok((await box('#viewer')).top >= 0, 'in sight while the plots are read');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  assert.ok((await box('#viewer')).bottom <= (await box('#texts')).top);
  await page.close();
});

test('curves that are zero throughout wait to be asked for', async () => {
  const page = await open(browser, reportOf('double-pendulum'), { drawing: false }); // planar, no loop, no friction
  const pressed = (selector) => page.locator(selector).first().getAttribute('aria-pressed');
  assert.equal(await pressed('#plots .chips button:has-text("closure error")'), 'false');
  assert.equal(await pressed('.legend button:has-text(".z ")'), 'false');
  assert.equal(await pressed('.legend button:has-text(".x ")'), 'true');
  assert.match(await text(page, '#texts'), /closuresnonethe mechanism has no loop/);
  await page.close();
});

test('keys', async () => {
  const page = await open(browser, pageOf('flexible', flexibleBlock()), { drawing: false });
  await plain(page);
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  assert.equal(await text(page, '#time'), '0.010 s'); // a two-hundredth of 2 s
  await page.keyboard.press('End');
  assert.equal(await text(page, '#time'), '2.000 s');
  await page.keyboard.press('g');
  assert.equal(await page.inputValue('#ghost'), 'rigid');
  for (let k = 0; k < 10; ++k) await page.keyboard.press(']');
  assert.equal(await text(page, '#deformation-text'), '10×');
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
  await page.keyboard.press(' ');
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  await page.keyboard.press('Escape');
  // Everything can be reached with Tab, in the order of the page.
  await page.locator('#play').focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'scrub');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('without a picture there are plots and a reason', async () => {
  const block = flexibleBlock();
  block.results[0].scene = null;
  block.results[0].without_scene = 'the coordinates were not recorded';
  const page = await open(browser, pageOf('no-picture', block), { drawing: false });
  assert.equal(await text(page, '#no-stage'), 'No picture: the coordinates were not recorded');
  assert.ok((await page.locator('.panel').count()) > 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});
