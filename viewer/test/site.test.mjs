// The manual as it opens from disk: equations drawn, search finds, nothing asked from a network.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { launch, open } from './browser.mjs';

const site = process.env.LITHE_SITE;
const skip = existsSync(path.join(site, 'index.html')) ? false : 'the site has not been built (mkdocs-material, libjs-katex)';

test('the site works from disk', { skip }, async () => {
  const browser = await launch();
  try {
    const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html'))
      .filter((name) => readFileSync(path.join(site, name), 'utf8').includes('class="arithmatex"'));
    assert.ok(pages.length >= 5, `${pages.length} pages with equations`);
    for (const name of pages) {
      const page = await open(browser, path.join(site, name));
      const bad = await page.$$eval('.arithmatex', (all) => all.filter((each) => !each.querySelector('.katex'))
        .concat([...document.querySelectorAll('.katex-error')]).map((each) => each.textContent));
      assert.deepEqual(bad, [], `equations of ${name} that cannot be drawn`);
      assert.deepEqual(page.problems, [], name);
      await page.close();
    }

    const home = await open(browser, path.join(site, 'index.html'));
    await home.click('input[name=query]');
    await home.keyboard.type('chord');
    await home.waitForSelector('.md-search-result__item', { timeout: 10000 });
    assert.deepEqual(home.problems, []);
  } finally {
    await browser.close();
  }
});
