// Bundles each page into one HTML file: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [libraries, output] = process.argv.slice(2).map((each) => path.resolve(each));
const source = path.join(path.dirname(fileURLToPath(import.meta.url)), 'src');
const esbuild = createRequire(path.join(libraries, 'index.js'))('esbuild');

async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [path.join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    outdir: '/page',
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    nodePaths: [path.join(libraries, 'node_modules')],
  });
  return result.outputFiles[0].text.trimEnd();
}

/** The three pages have one frame; what one has besides stands in its page.html: beside the title, in the corner, below. */
const frame = readFileSync(path.join(source, 'frame.html'), 'utf8');
const parts = /^(?:<!-- beside the title -->\n([\s\S]*)<!-- in the corner -->\n([\s\S]*)<!-- below -->\n)?([\s\S]*)$/;

/** `folder`: of page.html, page.css and main.ts; `libraries`: those whose code is in it. */
async function makePage(folder, name, title, used) {
  const [, beside = '', corner = '', body] = readFileSync(path.join(source, folder, 'page.html'), 'utf8').match(parts);
  const [style, script] = await Promise.all([bundle(path.join(folder, 'page.css')), bundle(path.join(folder, 'main.ts'))]);
  // The licences of the libraries travel with every page.
  const texts = used.map((library) => `${library}\n\n${readFileSync(path.join(libraries, 'node_modules', library, 'LICENSE'), 'utf8')}`);
  const licences = texts.length > 0 ? `<!-- This page contains parts of the following libraries.\n\n${texts.join('\n')}-->\n` : '';
  const pieces = { LITHE_LICENCES: licences, LITHE_TITLE: title, LITHE_BESIDE: beside, LITHE_CORNER: corner, LITHE_BODY: body, LITHE_STYLE: style, LITHE_SCRIPT: script };
  // A function as replacement: the bundles contain "$&" and the like.
  const whole = frame.replace(new RegExp(Object.keys(pieces).join('|'), 'g'), (piece) => pieces[piece]);
  if (whole.split('LITHE_REPORT_DATA').length !== 2) throw new Error(`${name} must have one place for its data`);
  writeFileSync(path.join(output, name), whole);
}

mkdirSync(output, { recursive: true });
await Promise.all([
  makePage('', 'report.html', 'Lithe report', ['three', 'uplot']), makePage('map_page', 'map.html', 'Lithe map', []),
  makePage('study_page', 'study.html', 'Lithe study', []),
]);
