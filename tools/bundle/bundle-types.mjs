import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { nameTypes } from './name-types.mjs';

/**
 * Bundles the declarations of entries. They are there once, as `name.d.cts`, which TypeScript takes for CommonJS as Node
 * takes `name.cjs`; `name.d.ts` is the same for whoever imports. So a class is one type, whichever way it came. A default
 * export is declared twice, because ESM sees the default of CommonJS as all of its exports.
 *
 * @param {{ from: string, to: string, entries: import('./settings.d.mts').Entries, outside: RegExp }} options
 */
export async function bundleTypes({ from, to, entries, outside }) {
  for (const { name, text } of await readBundle(from, entries, outside)) {
    const declarations = text.replace(/(from\s*["']\.[^"']*)\.js(["'])/g, '$1.cjs$2');
    write(join(to, name.replace(/\.d\.ts$/, '.d.cts')), declarations);
    if (!(name.replace(/\.d\.ts$/, '') in entries)) continue;
    const same = `export * from "./${basename(name).replace(/\.d\.ts$/, '.cjs')}";\n`;
    write(join(to, name), /\bas default\b/.test(text) ? declarations : same);
  }
}

/**
 * The declarations of entries, and what several share in files of its own; each type in them has a name.
 *
 * @param {string} from the folder of the entries
 * @param {import('./settings.d.mts').Entries} entries
 * @param {RegExp} outside what is imported from elsewhere
 * @returns {Promise<{ name: string, text: string }[]>}
 */
export async function readBundle(from, entries, outside) {
  if (Object.keys(entries).length === 0) return [];
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(from, `${file}.d.ts`)])),
    external: outside,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    // which module a line is from: nobody who reads the bundle has it
    experimental: { attachDebugInfo: 'none' },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types-[hash].d.ts',
    minifyInternalExports: false,
  });
  await bundle.close();
  const files = output.flatMap((file) => (file.type === 'chunk' ? [{ name: file.fileName, text: file.code }] : []));
  return nameTypes(files, entries);
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
