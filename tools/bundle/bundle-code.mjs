import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Modules that are large are there once, as CommonJS, which both bundles load.
 *
 * @param {string} from
 * @param {readonly string[]} once their paths below `from`, without their ending
 * @returns {import('rolldown').Plugin}
 */
const leaveOut = (from, once) => ({
  name: 'leave-out',
  resolveId(id, importer) {
    // an entry has no importer: it is what is bundled
    const path = importer && join(dirname(importer), id);
    const name = once.find((one) => path === join(from, `${one}.js`));
    return name ? { id: `./${basename(name)}.cjs`, external: 'relative' } : null;
  },
});

/**
 * Bundles entries into `to`. What several share is in files of its own, so that a class is there once. Names and lines
 * stay as they are, because people read stack traces; comments are left to the types.
 *
 * @param {{ from: string, to: string, entries: import('./settings.d.mts').Entries, outside: RegExp, format: 'esm' | 'cjs', once?: readonly string[] }} options
 * @returns {Promise<string[]>} the path of every module that went in
 */
export async function bundleCode({ from, to, entries, outside, format, once = [] }) {
  if (Object.keys(entries).length === 0) return [];
  const extension = format === 'esm' ? 'js' : 'cjs';
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(from, `${file}.js`)])),
    external: outside,
    platform: 'node',
    plugins: [leaveOut(from, once)],
    // which module a line is from: nobody who reads the bundle has it
    experimental: { attachDebugInfo: 'none' },
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
