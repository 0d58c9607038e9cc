/**
 * `node ../../tools/bundle/main.mjs`, in the folder of a package that is published: makes what users install out of the
 * rooms of the workspace, which `tsc` has built. Its bundle.config.mjs says which entries there are.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleCode } from './bundle-code.mjs';
import { bundleTypes } from './bundle-types.mjs';
import { writePublishFolder } from './write-publish-folder.mjs';
import { writeThirdParty } from './write-third-party.mjs';

const dir = process.cwd();
/** @type {{ default: import('./settings.d.mts').BundleSettings }} */
const { default: settings } = await import(pathToFileURL(join(dir, 'bundle.config.mjs')).href);
const { entries, started = {} } = settings;
const from = join(dir, settings.from);
const to = join(dir, settings.to);

const modules = [
  ...(await bundleCode({ from, to, entries: { ...entries, ...started }, format: 'esm' })),
  ...(await bundleCode({ from, to, entries, format: 'cjs' })),
];
await bundleTypes({ from, to, entries });
writeThirdParty(join(to, 'THIRD-PARTY.md'), modules);
if (settings.publishFolder !== undefined) writePublishFolder(dir, join(dir, settings.publishFolder));
