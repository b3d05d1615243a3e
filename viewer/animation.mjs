// The short animation of the README: one run of a robot with elastic links, bending enlarged, beside its rigid twin.
//
// node animation.mjs FILE.webp; LITHE_VIEWER_BUILD, LITHE_PROGRAM and LITHE_EXAMPLES as in test/browser.mjs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const frames = 56, milliseconds = 55, width = 640, height = 420, quality = 0.72;
const folder = mkdtempSync(path.join(os.tmpdir(), 'lithe-animation-'));
process.env.LITHE_SHOTS = folder;
const { launch, open, reportOf, scrubTo } = await import('./test/browser.mjs');
const { animated, webpOf } = await import('./pictures.mjs');
const browser = await launch({ smooth: true });
try {
  const page = await open(browser, reportOf('flexible-3rrr'), { viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.addStyleTag({ content: `#stage { width: ${width}px !important; height: ${height}px !important; max-height: none !important; }` });
  const end = Number(await page.locator('#scrub').getAttribute('max')), stills = [];
  for (let k = 0; k < frames; ++k) {
    await scrubTo(page, (end * k) / (frames - 1));
    stills.push(await webpOf(page, '#stage', quality));
  }
  if (page.problems.length > 0) throw new Error(page.problems.join('\n'));
  writeFileSync(process.argv[2], animated(stills, milliseconds));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
