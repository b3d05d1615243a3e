// Loops look closed at every enlargement that the slider offers, in every example and starter with loops and elastic links.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open, reportOf } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

const examples = process.env.LITHE_EXAMPLES;
const gallery = JSON.parse(readFileSync(path.join(examples, 'gallery.json'), 'utf8')).flatMap((group) => group.examples.map(({ key }) => key));
const starters = readdirSync(path.join(examples, 'starters')).filter((file) => file.endsWith('.yaml')).map((file) => `starters/${file.replace('.yaml', '')}`);

/** Whether a model has elastic links; loops are counted in the page. */
function bends(name) {
  const text = readFileSync(path.join(examples, `${name}.yaml`), 'utf8');
  return /^ {2,}.*\b(beam|truss|assumed-modes|bezier|imported|matrices):/m.test(text) || /^include:/m.test(text);
}

/** The largest gap of any joint over the slider and the run, in line widths; null without loops or elastic links. */
function largestOpening() {
  const { scene } = JSON.parse(document.getElementById('report-data').textContent).results[0];
  const loops = scene.joints.length - (scene.links.length - 1), slider = document.getElementById('deformation'), scrub = document.getElementById('scrub');
  if (loops <= 0 || !scene.rigid) return null;
  // What is drawn besides does not change the joints.
  const ghost = document.getElementById('ghost'), traces = document.getElementById('traces');
  ghost.value = 'none';
  ghost.dispatchEvent(new Event('change'));
  if (traces.getAttribute('aria-pressed') === 'true') traces.click();
  const set = (element, value) => { element.value = value; element.dispatchEvent(new Event('input')); };
  let worst = { opening: -1 };
  for (let scale = 0; scale <= 10; ++scale) {
    set(slider, String(scale / 10));
    for (let k = 0; k <= 20; ++k) {
      set(scrub, String(Number(scrub.min) + ((Number(scrub.max) - Number(scrub.min)) * k) / 20));
      const opening = Number(document.getElementById('stage').dataset.opening);
      if (opening > worst.opening) worst = { opening, scale: document.getElementById('deformation-text').textContent, t: Number(scrub.value) };
    }
  }
  return { ...worst, most: document.getElementById('deformation-text').textContent };
}

test('loops stay closed to a line width at every scale of the slider', async () => {
  let looked = 0;
  for (const name of [...gallery, ...starters].filter(bends)) {
    const page = await open(browser, reportOf(name), { viewport: { width: 500, height: 480 } }), worst = await page.evaluate(largestOpening);
    if (worst) {
      ++looked;
      console.log(`${name}: at most ${worst.opening} line widths at ${worst.t.toFixed(3)} s, ${worst.scale}; slider to ${worst.most}`);
      assert.ok(worst.opening <= 1, `${name} at ${worst.t} s, ${worst.scale}: ${worst.opening} line widths`);
    }
    assert.deepEqual(page.problems, []);
    await page.close();
  }
  assert.ok(looked >= 12, `${looked} machines with elastic links and loops`);
});
