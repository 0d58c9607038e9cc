import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { groupModules } from './group-modules.mjs';

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
 * @param {{ from: string, to: string, entries: import('./settings.d.mts').Entries, outside: RegExp, format: 'esm' | 'cjs', once?: readonly string[], together?: import('./settings.d.mts').Together | undefined }} options
 * @returns {Promise<string[]>} the path of every module that went in
 */
export async function bundleCode({ from, to, entries, outside, format, once = [], together }) {
  if (Object.keys(entries).length === 0) return [];
  const extension = format === 'esm' ? 'js' : 'cjs';
  /** @param {import('./settings.d.mts').Entries} files @returns {import('rolldown').InputOptions} */
  const inputOf = (files) => ({
    input: Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(from, `${file}.js`)])),
    external: outside,
    platform: 'node',
    // what is told apart below needs it; an entry has nothing else that somebody could want
    preserveEntrySignatures: together ? 'allow-extension' : 'exports-only',
    plugins: [leaveOut(from, once)],
    // which module a line is from: nobody who reads the bundle has it
    experimental: { attachDebugInfo: 'none' },
    // a machine that does much else is slow
    checks: { pluginTimings: false },
    // an import that cannot be resolved is a warning there, and a broken package here
    onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
  });
  const bundle = await rolldown(inputOf(entries));
  /** @type {import('rolldown').OutputOptions} */
  const options = {
    dir: to,
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `shared-[hash].${extension}`,
    exports: 'named',
    comments: { legal: true, annotation: true, jsdoc: false },
  };
  if (together) {
    const alone = await rolldown(inputOf({ ...entries, ...together.probes }));
    const name = groupModules(chunksOf(await alone.generate(options)), together);
    await alone.close();
    options.codeSplitting = {
      groups: [{ debugName: 'together', name, test: (id) => name(id) !== null }],
      includeDependenciesRecursively: false,
    };
  }
  const chunks = chunksOf(await bundle.write(options));
  await bundle.close();
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/** @param {import('rolldown').RolldownOutput} output */
const chunksOf = ({ output }) => output.filter((file) => file.type === 'chunk');
