/**
 * `node ../../tools/bundle/main.mjs`, in the folder of a package that is published: makes what users install, in
 * dist/publish, out of the rooms of the workspace, which `tsc` has built. Its bundle.config.mjs says which entries there are.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleCode } from './bundle-code.mjs';
import { bundleTypes } from './bundle-types.mjs';
import { writeManifest } from './write-manifest.mjs';
import { writeThirdParty } from './write-third-party.mjs';

const dir = process.cwd();
/** @type {{ default: import('./settings.d.mts').BundleSettings }} */
const { default: settings } = await import(pathToFileURL(join(dir, 'bundle.config.mjs')).href);
const { entries, started = {} } = settings;
const from = join(dir, settings.from);
const folder = join(dir, 'dist/publish');
const to = join(folder, 'dist');

rmSync(folder, { recursive: true, force: true });
const modules = [
  ...(await bundleCode({ from, to, entries: { ...entries, ...started }, format: 'esm' })),
  ...(await bundleCode({ from, to, entries, format: 'cjs' })),
];
await bundleTypes({ from, to, entries });
writeThirdParty(join(folder, 'THIRD-PARTY.md'), modules);
writeManifest(dir, folder, settings);
