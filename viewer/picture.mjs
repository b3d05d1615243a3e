// The picture of the README: the report page of a mechanism with elastic links as it opens: at its largest deflection,
// bending enlarged, with the ghost of its rigid twin.
//
// node picture.mjs FILE.png; LITHE_VIEWER_BUILD, LITHE_PROGRAM and LITHE_EXAMPLES as in test/browser.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(os.tmpdir(), 'lithe-picture-'));
process.env.LITHE_SHOTS = folder;
const { launch, open, reportOf, settle } = await import('./test/browser.mjs');
const browser = await launch({ smooth: true });
try {
  const report = reportOf('flexible-3rrr');
  const page = await open(browser, report, { viewport: { width: 1280, height: 730 }, colorScheme: 'light' });
  await settle(page);
  if (page.problems.length > 0) throw new Error(page.problems.join('\n'));
  await page.screenshot({ path: process.argv[2] });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
