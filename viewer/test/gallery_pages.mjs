// The gallery as `lithe demo` writes it, once for all test files of a process.
import path from 'node:path';
import { run, shots } from './browser.mjs';

let written;

/** Folder of index.html and the report pages. */
export function galleryPages() {
  if (!written) {
    written = path.join(shots, 'gallery');
    run('demo', '--folder', written);
  }
  return written;
}
