// Numbers for people: the marks of an axis have one form.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';

const esbuild = createRequire(path.join(process.env.LITHE_VIEWER_BUILD, 'index.js'))('esbuild');
const here = path.dirname(new URL(import.meta.url).pathname);

async function load(file) {
  const { outputFiles } = await esbuild.build({ entryPoints: [path.join(here, '..', 'src', file)], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

test('marks of an axis do not mix ways of writing', async () => {
  const { ticks, length } = await load('numbers.ts');
  assert.deepEqual(ticks([0, 0.00002, 0.00004, 0.00006, 0.00008, 0.0001]), ['0', '0.2e−4', '0.4e−4', '0.6e−4', '0.8e−4', '1.0e−4']);
  assert.deepEqual(ticks([-0.05, 0, 0.05, 0.1]), ['−0.05', '0', '0.05', '0.10']);
  assert.deepEqual(ticks([0, 2e6, 4e6]), ['0', '2e6', '4e6']);
  for (const step of [1e-7, 2e-5, 5e-4, 0.02, 0.5, 20, 5000, 2e6]) {
    const texts = ticks([-1, 0, 1, 2, 3].map((k) => k * step)).filter((each) => each !== '0');
    assert.equal(new Set(texts.map((each) => each.replace(/^−/, '').replace(/\d+/g, (digits, at) => (at === 0 ? 'd' : digits.length)))).size, 1, texts.join(' '));
    texts.forEach((each, k) => assert.ok(Math.abs(Number(each.replaceAll('−', '-')) - [-1, 1, 2, 3][k] * step) < 1e-6 * step, each));
  }
  assert.deepEqual([length(0), length(2.5e-7), length(0.0042), length(1.5)], ['0 mm', '0.25 µm', '4.2 mm', '1.5 m']);
});

test('units by the size of what is shown', async () => {
  const { reading } = await load('units.ts');
  assert.deepEqual(reading('m', 0.02, false), { factor: 1e3, unit: 'mm' });
  assert.deepEqual(reading('m', 3, false), { factor: 1, unit: 'm' });
  assert.deepEqual(reading('N', 2e4, false), { factor: 1e-3, unit: 'kN' });
  assert.equal(reading('rad/s', 1, true).unit, '°/s');
});
