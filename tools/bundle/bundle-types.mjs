import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { OUTSIDE } from './outside.mjs';

/**
 * Bundles the declarations of entries. They are there once, as `name.d.cts`, which TypeScript takes for CommonJS as Node
 * takes `name.cjs`; `name.d.ts` is the same for whoever imports. So a class is one type, whichever way it came.
 *
 * @param {{ from: string, to: string, entries: import('./settings.d.mts').Entries }} options
 */
export async function bundleTypes({ from, to, entries }) {
  for (const { name, text } of await readBundle(from, entries))
    write(join(to, name.replace(/\.d\.ts$/, '.d.cts')), text.replace(/(from\s*["']\.[^"']*)\.js(["'])/g, '$1.cjs$2'));
  for (const name of Object.keys(entries)) write(join(to, `${name}.d.ts`), `export * from "./${name}.cjs";\n`);
}

/**
 * The declarations of entries, and what several share in files of its own.
 *
 * @param {string} from the folder of the entries
 * @param {import('./settings.d.mts').Entries} entries
 * @returns {Promise<{ name: string, text: string }[]>}
 */
export async function readBundle(from, entries) {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(from, `${file}.d.ts`)])),
    external: OUTSIDE,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types-[hash].d.ts',
  });
  await bundle.close();
  return output.flatMap((file) => (file.type === 'chunk' ? [{ name: file.fileName, text: file.code }] : []));
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
