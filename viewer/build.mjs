// Bundles the report page into one HTML file: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT.html
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

// Functions as replacements: the bundles contain "$&" and the like.
const page = readFileSync(path.join(source, 'page.html'), 'utf8');
const [style, script] = await Promise.all([bundle('page.css'), bundle('main.ts')]);
// The licences of the libraries travel with every page.
const licences = ['three', 'uplot'].map((name) => `${name}\n\n${readFileSync(path.join(libraries, 'node_modules', name, 'LICENSE'), 'utf8')}`);
const whole = page.replace('LITHE_LICENCES', () => licences.join('\n')).replace('LITHE_STYLE', () => style).replace('LITHE_SCRIPT', () => script);
if (whole.split('LITHE_REPORT_DATA').length !== 2) throw new Error('the page must have one place for its data');
mkdirSync(path.dirname(output), { recursive: true });
writeFileSync(output, whole);
