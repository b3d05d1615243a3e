// Opens pages in Chromium and looks at them.
//
// LITHE_VIEWER_BUILD: folder of the build with node_modules and report.html; LITHE_PROGRAM: the program;
// LITHE_EXAMPLES: folder of models; LITHE_SHOTS: where screenshots are kept.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const build = process.env.LITHE_VIEWER_BUILD;
export const shots = process.env.LITHE_SHOTS;
const { chromium } = createRequire(path.join(build, 'index.js'))('playwright-core');
mkdirSync(shots, { recursive: true });

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export async function launch() {
  return chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
}

/** A page from a data block; `empty` is the page without data. */
export function pageOf(name, block, empty = 'report.html') {
  const file = path.join(shots, `${name}.html`);
  const json = JSON.stringify(block).replaceAll('<', '\\u003c');
  writeFileSync(file, readFileSync(path.join(build, empty), 'utf8').replace('LITHE_REPORT_DATA', () => json));
  return file;
}

/** A report page of an example, made by the program. */
export function reportOf(example, ...settings) {
  return reportOfModel(path.join(process.env.LITHE_EXAMPLES, `${example}.yaml`), example.replaceAll('/', '-'), ...settings);
}

/** A report page of a model given as text. */
export function reportOfText(name, model) {
  const file = path.join(shots, `${name}.yaml`);
  writeFileSync(file, model);
  return reportOfModel(file, name);
}

/** What the program says on stdout. */
export function run(...words) { return execFileSync(process.env.LITHE_PROGRAM, words, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' }); }

function reportOfModel(model, name, ...settings) {
  const result = path.join(shots, `${name}.h5`), file = path.join(shots, `${name}.html`);
  run('simulate', model, '-o', result, ...settings);
  run('show', result, '-o', file);
  return file;
}

/** Opens a page from disk, after a function that runs before its own script; collects its errors and all that it asks for. */
export async function open(browser, file, options = {}, first = undefined) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  page.setDefaultTimeout(240e3); // the machine may be busy with other tests
  if (first) await page.addInitScript(first);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.problems.push(message.text()); });
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) page.problems.push(`asks for ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await settle(page);
  return page;
}

/** Two frames of the screen: what was asked for is drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A digest of the picture as it is now: equal only when every pixel is. */
export async function picture(page) {
  await settle(page);
  return createHash('sha1').update(await page.locator('#stage canvas').screenshot()).digest('hex');
}

export async function scrubTo(page, t) {
  await page.locator('#scrub').evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
  }, String(t));
  await settle(page);
}

export const text = (page, selector) => page.locator(selector).first().textContent();
export const shot = (page, name, fullPage = false) => page.screenshot({ path: path.join(shots, `${name}.png`), fullPage });
