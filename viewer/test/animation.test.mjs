// The animation of the README: Chromium reads it, and it moves. The machine itself is not filmed again here, that takes long.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { animated, webpOf } from '../pictures.mjs';
import { launch, newPage, shots } from './browser.mjs';

const kept = path.join(path.dirname(new URL(import.meta.url).pathname), '..', '..', 'docs', 'images', 'robot-moving.webp');
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** Count, size and sums of the colours of the frames of an animation. */
const framesOf = (page, bytes) => page.evaluate(async (data) => {
  const decoder = new ImageDecoder({ data: Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)), type: 'image/webp' });
  await decoder.tracks.ready;
  const count = decoder.tracks.selectedTrack.frameCount, sums = [];
  for (let k = 0; k < count; ++k) {
    const { image } = await decoder.decode({ frameIndex: k }), { displayWidth: width, displayHeight: height } = image;
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, width, height);
    let sum = 0;
    for (let p = 0; p < pixels.length; p += 4) sum += (p % 8191) * (pixels[p] + 2 * pixels[p + 1] + 3 * pixels[p + 2]);
    sums.push(sum);
    image.close();
  }
  return { count, different: new Set(sums).size };
}, bytes.toString('base64'));

/** ImageDecoder is there for secure pages only, and localhost is one. */
async function securePage() {
  const page = await newPage(browser, {});
  await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '<p style="width:64px;height:48px;background:rgb(200,60,30)">' }));
  page.home = 'http://localhost';
  await page.goto('http://localhost/');
  return page;
}

test('stills become an animation', async () => {
  const page = await securePage(), stills = [];
  for (const colour of ['red', 'lime', 'blue']) {
    await page.evaluate((name) => { document.querySelector('p').style.background = name; }, colour);
    stills.push(await webpOf(page, 'p', 0.8));
  }
  const film = animated(stills, 50);
  writeFileSync(path.join(shots, 'film.webp'), film);
  assert.deepEqual(await framesOf(page, film), { count: 3, different: 3 });
  await page.close();
});

test('the animation of the README moves', async () => {
  const page = await securePage(), bytes = readFileSync(kept), { count, different } = await framesOf(page, bytes);
  assert.ok(count >= 40 && different >= 0.8 * count, `${different} different frames of ${count}`);
  assert.ok(bytes.length < 1.2e6, `${bytes.length} bytes`);
  await page.close();
});
