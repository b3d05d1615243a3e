// The manual as it opens from disk: equations drawn, search finds, nothing asked from a network.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { launch, newPage, open, settle } from './browser.mjs';

const site = process.env.LITHE_SITE;
const skip = existsSync(path.join(site, 'index.html')) ? false : 'the site has not been built (mkdocs-material, libjs-katex)';

/** The index of the search is made by a worker of every page anew: most of the time of a page whose equations are looked at. */
function nobodySearches() {
  window.Worker = class extends EventTarget { postMessage() {} };
}

test('the site works from disk', { skip }, async () => {
  const browser = await launch();
  try {
    const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html'))
      .filter((name) => readFileSync(path.join(site, name), 'utf8').includes('class="arithmatex"'));
    assert.ok(pages.length >= 5, `${pages.length} pages with equations`);
    const page = await newPage(browser, { viewport: { width: 1000, height: 680 } });
    await page.addInitScript(nobodySearches);
    for (const name of pages) {
      await page.goto(`file://${path.join(site, name)}`);
      await settle(page);
      const bad = await page.$$eval('.arithmatex', (all) => all.filter((each) => !each.querySelector('.katex'))
        .concat([...document.querySelectorAll('.katex-error')]).map((each) => each.textContent));
      assert.deepEqual(bad, [], `equations of ${name} that cannot be drawn`);
      assert.deepEqual(page.problems, [], name);
    }
    await page.close();

    const home = await open(browser, path.join(site, 'index.html'));
    await home.click('input[name=query]');
    await home.keyboard.type('chord');
    await home.waitForSelector('.md-search-result__item', { timeout: 10000 });
    assert.deepEqual(home.problems, []);
  } finally {
    await browser.close();
  }
});
