// The picture of the README: the report page of a mechanism with elastic links in the middle of its motion, as it opens: bending
// enlarged, with the ghost of its rigid twin.
//
// node picture.mjs FILE.png; LITHE_VIEWER_BUILD, LITHE_PROGRAM and LITHE_EXAMPLES as in test/browser.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const moment = 0.13;  // s, when the motors push hardest
const folder = mkdtempSync(path.join(os.tmpdir(), 'lithe-picture-'));
process.env.LITHE_SHOTS = folder;
const { launch, open, reportOf, settle } = await import('./test/browser.mjs');
const browser = await launch();
try {
  const report = reportOf('flexible-3rrr');
  const page = await open(browser, report, { viewport: { width: 1280, height: 730 }, colorScheme: 'light' });
  const set = (selector, value) => page.$eval(selector, (input, at) => {
    input.value = String(at);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
  await page.getByRole('button', { name: '3-D', exact: true }).click();
  await set('#scrub', moment);
  await settle(page);
  if (page.problems.length > 0) throw new Error(page.problems.join('\n'));
  await page.screenshot({ path: process.argv[2] });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
