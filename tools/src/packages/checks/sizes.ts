import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Check, Packed } from '../lab.js';

const KB = 1_000;
/** In bytes. What `npm i` fetches and what it takes on disk, for each package. */
const BUDGETS: Readonly<Record<string, { readonly packed: number; readonly unpacked: number }>> = {
  duework: { packed: 350 * KB, unpacked: 1_400 * KB },
  '@duework/contracts': { packed: 15 * KB, unpacked: 60 * KB },
};
/** What a producer loads of it, ESM, CommonJS and types together, compressed. */
const PRODUCER_PACKED = 60 * KB;
/** One `enqueue` in a bundle, minified and compressed. */
const PRODUCER_BUNDLED = 15 * KB;
const PRODUCER_ENTRIES = ['index', 'adapters'];

export const sizes: Check = {
  name: 'sizes',
  words: 'each tarball, what a producer loads of it, and one enqueue in a bundle stay within their budgets',
  isQuick: true,
  run: async ({ packed }) => {
    const duework = packed.find(({ name }) => name === 'duework')!;
    const producer = readClosure(duework, PRODUCER_ENTRIES);
    const lines = [
      ...packed.flatMap((each) => [
        told(`${each.name} packed`, each.tarballBytes, BUDGETS[each.name]!.packed),
        told(`${each.name} unpacked`, sum(each.files.map(({ bytes }) => bytes)), BUDGETS[each.name]!.unpacked),
      ]),
      told("a producer's files, packed", gzipSync(producer, { level: 9 }).length, PRODUCER_PACKED),
      told('one enqueue, bundled', await bundleEnqueue(duework), PRODUCER_BUNDLED),
    ];
    const tooLarge = lines.filter(({ isOver }) => isOver);
    if (tooLarge.length > 0) throw new PlainError(tooLarge.map(({ text }) => text).join('\n'));
    return lines.map(({ text }) => text).join('\n');
  },
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function told(what: string, bytes: number, budget: number): { text: string; isOver: boolean } {
  const text = `${what}: ${(bytes / KB).toFixed(1)} kB of ${budget / KB}`;
  return { text, isOver: bytes > budget };
}

/** The text of every file that some entries lead to. */
function readClosure({ folder, files }: Packed, entries: readonly string[]): string {
  const known = new Set(files.map(({ path }) => path));
  const seen = new Map<string, string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !known.has(path)) return;
    const text = readFileSync(join(folder, path), 'utf8');
    seen.set(path, text);
    for (const [, to] of text.matchAll(/(?:from|require\()\s*["'](\.[^"']+)["']/g)) {
      const target = normalize(join(dirname(path), to!));
      visit(/\.d\.c?ts$/.test(path) ? target.replace(/\.cjs$/, '.d.cts') : target);
    }
  };
  for (const name of entries) for (const kind of ['js', 'cjs', 'd.ts', 'd.cts']) visit(`dist/${name}.${kind}`);
  return [...seen.values()].join('');
}

async function bundleEnqueue({ folder }: Packed): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { enqueue } from 'duework';`, resolveDir: folder },
    alias: { duework: join(folder, 'dist/index.js') },
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'esm',
    external: ['zod', 'pg'],
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}
