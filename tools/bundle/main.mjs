/**
 * `node ../../tools/bundle/main.mjs`, in the folder of a package that is published: makes what users install, in
 * dist/publish, out of the rooms of the workspace, which `tsc` has built. Its bundle.config.mjs says which entries there are.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleCode } from './bundle-code.mjs';
import { bundleTypes } from './bundle-types.mjs';
import { outsideOf } from './outside.mjs';
import { writeManifest } from './write-manifest.mjs';
import { writeThirdParty } from './write-third-party.mjs';

/** @param {readonly string[]} paths */
const byName = (paths) => Object.fromEntries(paths.map((path) => [basename(path), path]));
const dir = process.cwd();
/** @type {{ default: import('./settings.d.mts').BundleSettings }} */
const { default: settings } = await import(pathToFileURL(join(dir, 'bundle.config.mjs')).href);
const { entries, started = {}, copied = [], holds = [], once = [], together } = settings;
const outside = outsideOf(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')));
const from = join(dir, settings.from);
const folder = join(dir, 'dist/publish');
const to = join(folder, 'dist');

rmSync(folder, { recursive: true, force: true });
const modules = [
  ...(await bundleCode({ from, to, entries: { ...entries, ...started }, outside, format: 'esm', once, together })),
  ...(await bundleCode({ from, to, entries, outside, format: 'cjs', once, together })),
  ...(await bundleCode({ from, to, entries: byName(once), outside, format: 'cjs' })),
];
await bundleTypes({ from, to, entries, outside });
const { resolve } = createRequire(join(dir, 'package.json'));
writeThirdParty(join(folder, 'THIRD-PARTY.md'), [...modules, ...holds.map((name) => resolve(`${name}/package.json`))]);
for (const name of copied) cpSync(join(dir, name), join(folder, name), { recursive: true });
writeManifest(dir, folder, settings);
