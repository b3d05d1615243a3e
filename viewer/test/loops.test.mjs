// Loops look closed at every enlargement that the slider offers, in every example and starter with loops and elastic links: by the code of the page for
// all of them, and in the page itself, whose slider has to offer the same, for some.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, open, reportOf, shots } from './browser.mjs';
import { galleryPages } from './gallery_pages.mjs';

const examples = process.env.LITHE_EXAMPLES, inPage = ['flexible-3rrr', 'fattah-3rrs', 'starters/five-bar'];
const gallery = JSON.parse(readFileSync(path.join(examples, 'gallery.json'), 'utf8')).flatMap((group) => group.examples.map(({ key }) => key));
const starters = readdirSync(path.join(examples, 'starters')).filter((file) => file.endsWith('.yaml')).map((file) => `starters/${file.replace('.yaml', '')}`);

let browser, code;
before(async () => {
  browser = await launch();
  const viewer = process.env.LITHE_VIEWER_BUILD, source = fileURLToPath(new URL('../src/', import.meta.url)), bundle = path.join(shots, 'motion.mjs');
  const contents = "export { Motion } from './motion'; export { largestDeflection, openingScale } from './enlargement'; export { mostOffered, scaleAt } from './enlargement';";
  await createRequire(path.join(viewer, 'index.js'))('esbuild').build({
    stdin: { contents, resolveDir: source }, bundle: true, format: 'esm', outfile: bundle, logLevel: 'error', nodePaths: [path.join(viewer, 'node_modules')],
  });
  code = await import(pathToFileURL(bundle));
});
after(async () => { await browser?.close(); });

/** Whether a model has elastic links; loops are counted in its scene. */
function bends(name) {
  const text = readFileSync(path.join(examples, `${name}.yaml`), 'utf8');
  return /^ {2,}.*\b(beam|truss|assumed-modes|bezier|imported|matrices):/m.test(text) || /^include:/m.test(text);
}

/** Every tenth of the slider, at twenty-one instants of the run. */
const tenths = Array.from({ length: 11 }, (_, k) => k / 10), parts = Array.from({ length: 21 }, (_, k) => k / 20);

/** The largest gap of any joint over the slider and the run, in line widths; null without loops or elastic links. */
function largestOpening(result) {
  const { scene } = result;
  if (!scene?.rigid || scene.joints.length <= scene.links.length - 1) return null;
  const motion = new code.Motion(result, scene), most = code.mostOffered(motion, code.largestDeflection(motion).size);
  let worst = { opening: -1, most };
  for (const tenth of tenths) {
    for (const part of parts) {
      const t = motion.start + (motion.end - motion.start) * part, scale = code.scaleAt(tenth, most);
      motion.update({ t, scale });
      const opening = motion.opening / motion.lineWidth;
      if (opening > worst.opening) worst = { opening, scale, t, most };
    }
  }
  return worst;
}

/** The same in the page. */
function largestInPage([tenths, parts]) {
  const slider = document.getElementById('deformation'), scrub = document.getElementById('scrub'), ghost = document.getElementById('ghost');
  const set = (element, value, event = 'input') => {
    element.value = value;
    element.dispatchEvent(new Event(event));
  };
  set(ghost, 'none', 'change');
  document.getElementById('traces').click(); // what is drawn besides does not change the joints
  let opening = -1;
  for (const tenth of tenths) {
    set(slider, String(tenth));
    for (const part of parts) {
      set(scrub, String(Number(scrub.min) + (Number(scrub.max) - Number(scrub.min)) * part));
      opening = Math.max(opening, Number(document.getElementById('stage').dataset.opening));
    }
  }
  return { opening, most: document.getElementById('deformation-text').textContent };
}

test('loops stay closed to a line width at every scale of the slider', async () => {
  let looked = 0;
  for (const name of [...gallery, ...starters].filter(bends)) {
    const file = gallery.includes(name) ? path.join(galleryPages(), `${name}.html`) : reportOf(name);
    const block = JSON.parse(readFileSync(file, 'utf8').match(/id="report-data">([\s\S]*?)<\/script>/)[1]);
    const worst = largestOpening(block.results[0]);
    if (!worst) continue;
    ++looked;
    console.log(`${name}: at most ${worst.opening.toFixed(2)} line widths at ${worst.t.toFixed(3)} s, ${worst.scale}; slider to ${worst.most}`);
    assert.ok(worst.opening <= 1, `${name} at ${worst.t} s, ${worst.scale} times: ${worst.opening} line widths`);
    if (!inPage.includes(name)) continue;
    const page = await open(browser, file, { viewport: { width: 500, height: 480 }, drawing: false }), seen = await page.evaluate(largestInPage, [tenths, parts]);
    assert.deepEqual(seen, { opening: Number(worst.opening.toFixed(2)), most: `${code.scaleAt(1, worst.most)}×` }, `${name} in the page`);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
  assert.ok(looked >= 12, `${looked} machines with elastic links and loops`);
});
