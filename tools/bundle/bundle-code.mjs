import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { OUTSIDE } from './outside.mjs';

/**
 * Bundles entries into `to`. What several share is in files of its own, so that a class is there once. Names and lines
 * stay as they are, because people read stack traces; comments are left to the types.
 *
 * @param {{ from: string, to: string, entries: import('./settings.d.mts').Entries, format: 'esm' | 'cjs' }} options
 * @returns {Promise<string[]>} the path of every module that went in
 */
export async function bundleCode({ from, to, entries, format }) {
  const extension = format === 'esm' ? 'js' : 'cjs';
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(from, `${file}.js`)])),
    external: OUTSIDE,
    platform: 'node',
    // an import that cannot be resolved is a warning there, and a broken package here
    onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
  });
  const { output } = await bundle.write({
    dir: to,
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `shared-[hash].${extension}`,
    exports: 'named',
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await bundle.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
