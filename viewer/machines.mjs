// The sheet of machines in the manual: every model of the gallery and of `lithe new` as the page opens it, beside what its file says that it is made
// of.
//
// node machines.mjs DOCS [KEY...] writes DOCS/machines.md and DOCS/images/machines/KEY.webp (of the given keys only, or all); LITHE_VIEWER_BUILD,
// LITHE_PROGRAM and LITHE_EXAMPLES as in test/browser.mjs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { partsOf, sheet, sections } from './machine_sheet.mjs';

const quality = 0.8;
const folder = mkdtempSync(path.join(os.tmpdir(), 'lithe-machines-'));
process.env.LITHE_SHOTS = folder;
const { launch, open } = await import('./test/browser.mjs');
const { webpOf } = await import('./pictures.mjs');
const [docs, ...only] = process.argv.slice(2), images = path.join(docs, 'images', 'machines');
const browser = await launch({ smooth: true });

/** The page of a model; one of the gallery is there to be stopped by the physics (exit code 1), which the page shows as well. */
function reportOf(file, key) {
  const result = path.join(folder, `${key}.h5`), page = path.join(folder, `${key}.html`);
  const { status, stderr } = spawnSync(process.env.LITHE_PROGRAM, ['simulate', path.join(process.env.LITHE_EXAMPLES, `${file}.yaml`), '-o', result], { encoding: 'utf8' });
  if (status > 1) throw new Error(`${file}: ${stderr}`);
  spawnSync(process.env.LITHE_PROGRAM, ['show', result, '-o', page], { encoding: 'utf8' });
  return page;
}
try {
  mkdirSync(images, { recursive: true });
  const parts = new Map();
  for (const { file, key } of sections(process.env.LITHE_EXAMPLES).flatMap((section) => section.machines)) {
    const report = reportOf(file, key), block = JSON.parse(readFileSync(report, 'utf8').match(/id="report-data">([\s\S]*?)<\/script>/)[1]);
    parts.set(key, partsOf(block.results[0].scene));
    if (only.length > 0 && !only.includes(key)) continue;
    const page = await open(browser, report, { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }, () => {
      document.addEventListener('DOMContentLoaded', () => {
        const style = document.createElement('style');
        style.textContent = '#stage { width: 480px !important; height: 360px !important; max-height: none !important; }';
        document.head.append(style);
      });
    });
    if (page.problems.length > 0) throw new Error(`${key}: ${page.problems.join('\n')}`);
    writeFileSync(path.join(images, `${key}.webp`), await webpOf(page, '#stage', quality));
    await page.close();
  }
  writeFileSync(path.join(docs, 'machines.md'), sheet(sections(process.env.LITHE_EXAMPLES), parts));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
