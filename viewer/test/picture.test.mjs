// The picture of the README can still be made and shows the same thing: the same size, about as many bytes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';

const here = path.dirname(new URL(import.meta.url).pathname);

/** Width and height from the header of a PNG. */
function sizeOf(png) {
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('the picture of the README can be made', () => {
  const made = process.env.LITHE_PICTURE;
  execFileSync(process.execPath, [path.join(here, '..', 'picture.mjs'), made], { stdio: 'inherit' });
  const now = readFileSync(made), kept = readFileSync(path.join(here, '..', '..', 'docs', 'images', 'robot.png'));
  assert.deepEqual(sizeOf(now), sizeOf(kept));
  // A page without the mechanism or without its plots compresses to much less.
  assert.ok(now.length > 0.7 * kept.length && now.length < 1.4 * kept.length, `${now.length} and ${kept.length} bytes`);
});
