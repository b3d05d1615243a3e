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

let started; // one for all test files of a process

/** `smooth`: with edges as readers see them; smoothing them takes as long as all the rest of a picture without a graphics card. */
export function launch({ smooth = false } = {}) {
  return (started ??= chromium.launch({
    executablePath,
    args: [...(smooth ? [] : ['--webgl-antialiasing-mode=none']),
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      // Every program of the picture would be compiled in parts that are joined: by software twice the work.
      '--disable-angle-features=supportsGraphicsPipelineLibrary',
      // Fewer processes and threads: all pages are our own.
      '--in-process-gpu', '--renderer-process-limit=1', '--disable-site-isolation-trials', '--num-raster-threads=1'],
  }));
}

/**
 * Runs before a page's own scripts: draw calls do nothing while `window.drawing` is false. Without a graphics card they would be the time of the software
 * that stands in for one, most of it for the first frame of every page that is opened. Everything else happens.
 */
function letDrawingRest() {
  for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'clear']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...words) { if (window.drawing !== false) draw.apply(this, words); };
  }
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

/** How readers look at a page: light and dark, on a desktop and on a phone. */
export const looks = ['light', 'dark'].flatMap((colorScheme) => [['desktop', { width: 1010, height: 620 }], ['phone', { width: 390, height: 760 }]]
  .map(([kind, viewport]) => ({ name: `${colorScheme}, ${kind}`, file: `${colorScheme}-${kind}`, kind, colorScheme, viewport })));

/** The page in another look: it is not loaded anew. */
export async function take(page, { colorScheme, viewport }) {
  await page.evaluate(() => {
    delete document.documentElement.dataset.theme; // what its button has chosen
    scrollTo(0, 0);
  });
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await settle(page);
}

const resting = { true: [], false: [] }; // pages that wait for the next test, with and without drawing: another one costs as much as reading the page twice

/**
 * Opens a page from disk, after a function that runs before its own script; collects its errors and all that it asks for. `drawing: false` for tests that look
 * at no pixel of the picture.
 */
export async function open(browser, file, options = {}, first = undefined) {
  const { viewport = { width: 1000, height: 680 }, colorScheme = 'light', drawing = true, ...special } = options;
  const plain = Object.keys(special).length === 0 && !first;
  const page = (plain && resting[drawing].pop()) || (await newPage(browser, { viewport, colorScheme, ...special }, drawing));
  if (first) await page.addInitScript(first);
  if (plain) {
    page.close = async () => {
      await page.goto('about:blank'); // nothing swings on; an address that differs in its end alone would not be read again
      resting[drawing].push(page);
    };
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.mouse.move(1, 1);
  }
  page.problems.length = 0;
  page.home = '';
  await page.goto(`file://${file}`);
  await settle(page);
  return page;
}

let shared; // what pages of a browser have in common: their context, and its name

/**
 * All pages whose options can be set later live in one context: those of another one have a process of their own, and to start it takes as long as three
 * openings. Each has its own window, because what stands behind another page in one window is slow.
 */
async function pageWith(browser, { viewport, colorScheme, ...special }) {
  if (Object.keys(special).length > 0) return browser.newPage({ viewport, colorScheme, ...special });
  const page = shared ? await windowIn(shared) : await firstShared(browser);
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  return page;
}

async function firstShared(browser) {
  const context = await browser.newContext(), page = await context.newPage(), devtools = await context.newCDPSession(page);
  const { targetInfo: { browserContextId } } = await devtools.send('Target.getTargetInfo');
  await devtools.detach();
  shared = { context, browserContextId, devtools: await browser.newBrowserCDPSession() };
  return page;
}

async function windowIn({ context, browserContextId, devtools }) {
  const [page] = await Promise.all([context.waitForEvent('page'), devtools.send('Target.createTarget', { url: 'about:blank', newWindow: true, browserContextId })]);
  return page;
}

/** `page.problems`: errors, and requests that go anywhere but to the disk or to `page.home`. */
export async function newPage(browser, options, drawing = true) {
  const page = await pageWith(browser, options);
  await page.addInitScript(letDrawingRest);
  if (!drawing) await page.addInitScript(() => { window.drawing = false; });
  page.setDefaultTimeout(60e3); // the machine may be busy with other tests
  page.problems = [];
  page.home = '';
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.problems.push(message.text()); });
  page.on('request', (request) => {
    const isHome = page.home !== '' && request.url().startsWith(page.home);
    if (!isHome && !/^(file|data|blob|about):/.test(request.url())) page.problems.push(`asks for ${request.url()}`);
  });
  return page;
}

/** Two frames of the screen: what was asked for is drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A part of the page as PNG, quickly compressed: half the work of `page.screenshot`. */
export async function shotOf(page, clip) {
  page.devtools ??= await page.context().newCDPSession(page);
  const { data } = await page.devtools.send('Page.captureScreenshot', { clip: { ...clip, scale: 1 }, optimizeForSpeed: true });
  return Buffer.from(data, 'base64');
}

/** The canvas of the picture and what lies over it, as PNG; `edge`: left out on every side, px. The page is scrolled until it is seen, and two frames have passed. */
export async function pictureShot(page, edge = 0) {
  return shotOf(page, await page.evaluate((away) => {
    const canvas = document.querySelector('#stage canvas');
    scrollTo(0, 0);
    const { top, bottom } = canvas.getBoundingClientRect();
    if (bottom > innerHeight) scrollTo(0, Math.floor(top));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const { x, y, width, height } = canvas.getBoundingClientRect(), whole = away === 0;
      // Never between two pixels.
      done({ x: scrollX + Math.ceil(x) + away, y: scrollY + Math.ceil(y) + away,
        width: Math.floor(width) - 2 * away - (whole ? 0 : 1), height: Math.floor(height) - 2 * away - (whole ? 0 : 1) });
    })));
  }, edge));
}

/** A digest of the picture as it is now: equal only when every pixel is. */
export async function picture(page) {
  await page.mouse.move(0, 300); // beside the picture: what lies under the pointer is named
  return createHash('sha1').update(await pictureShot(page, 12)).digest('hex'); // the corners of the page around it are round
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
