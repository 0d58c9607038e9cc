import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../../../../bootstrap/paths.mjs';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import type { Packed } from '../../../kit/packed.js';
import type { Check } from '../../../kit/run-packed.js';

const IMPORT = /(?:from|require\(|import\()\s*"(\.[^"]+)"/g;

/**
 * The text of every file that some files lead to, themselves included.
 *
 * @param paths below the package; those that it does not have are left out
 */
function readClosure({ folder, files }: Pick<Packed, 'folder' | 'files'>, paths: readonly string[]): string {
  const known = new Set(files.map(({ path }) => path));
  const seen = new Map<string, string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !known.has(path)) return;
    const text = readFileSync(join(folder, path), 'utf8');
    seen.set(path, text);
    for (const [, to] of text.matchAll(IMPORT)) {
      const target = normalize(join(dirname(path), to!));
      visit(/\.d\.c?ts$/.test(path) ? target.replace(/\.cjs$/, '.d.cts') : target);
    }
  };
  paths.forEach(visit);
  return [...seen.values()].join('');
}

const KB = 1_000;
/** In bytes. What `npm i` fetches and what it takes on disk, for each package. */
const BUDGETS: Readonly<Record<string, { readonly packed: number; readonly unpacked: number }>> = {
  duework: { packed: 1_066 * KB, unpacked: 3_645 * KB },
  '@duework/contracts': { packed: 41.5 * KB, unpacked: 141 * KB },
  '@duework/client': { packed: 20 * KB, unpacked: 60 * KB },
  '@duework/embedded': { packed: 205 * KB, unpacked: 600 * KB },
  // the page of the document and the console are in it, compressed already, once for ESM and CommonJS together
  '@duework/http': { packed: 1_578 * KB, unpacked: 3_640 * KB },
  '@duework/otel': { packed: 38.5 * KB, unpacked: 119 * KB },
  '@duework/bullmq': { packed: 210.5 * KB, unpacked: 739 * KB },
  'create-duework': { packed: 20 * KB, unpacked: 60 * KB },
};
/** What a producer loads of it, ESM, CommonJS and types together, compressed. */
const PRODUCER_PACKED = 173 * KB;
/** One `enqueue` in a bundle, minified and compressed. */
const PRODUCER_BUNDLED = 18 * KB;
const PRODUCER_ENTRIES = ['index', 'adapters'];

export const sizes: Check = {
  name: 'sizes',
  words: 'each tarball, what a producer loads of it, and one enqueue in a bundle stay within their budgets',
  isQuick: true,
  run: async ({ packed }) => {
    const duework = packed.find(({ name }) => name === 'duework')!;
    const lines = [
      ...packed.flatMap((each) => [
        tell(`${each.name} packed`, each.tarballBytes, BUDGETS[each.name]!.packed),
        tell(`${each.name} unpacked`, sum(each.files.map(({ bytes }) => bytes)), BUDGETS[each.name]!.unpacked),
      ]),
      tell("a producer's files, compressed", weigh(duework, pathsOf(PRODUCER_ENTRIES)), PRODUCER_PACKED),
      tell('one enqueue, bundled', await bundleEnqueue(duework), PRODUCER_BUNDLED),
    ];
    const tooLarge = lines.filter(({ isOver }) => isOver);
    if (tooLarge.length > 0) throw new PlainError(tooLarge.map(({ text }) => text).join('\n'));
    if (!readPage().includes(PUBLISHED)) throw new PlainError(`${PAGE} does not say: ${PUBLISHED}`);
    return [...lines.map(({ text }) => text), `imported alone: ${weighEntries(duework)}`].join('\n');
  },
};

const PAGE = 'docs/look-up/packages.md';
const readPage = (): string => readFileSync(join(root, PAGE), 'utf8').replaceAll(/\s+/g, ' ');
const inWords = (bytes: number): string => (bytes / KB).toLocaleString('en');
const PUBLISHED =
  `\`duework\` has at most ${inWords(BUDGETS['duework']!.packed)} kB, \`@duework/http\` with the console ` +
  `${inWords(BUDGETS['@duework/http']!.packed)}, one \`enqueue\` in a minified bundle ${inWords(PRODUCER_BUNDLED)}.`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const inKb = (bytes: number): string => (bytes / KB).toFixed(1);

function tell(what: string, bytes: number, budget: number): { text: string; isOver: boolean } {
  return { text: `${what}: ${inKb(bytes)} kB of ${budget / KB}`, isOver: bytes > budget };
}

const pathsOf = (entries: readonly string[]): string[] =>
  entries.flatMap((name) => ['js', 'cjs', 'd.ts', 'd.cts'].map((kind) => `dist/${name}.${kind}`));

const weigh = (packed: Packed, paths: readonly string[]): number =>
  gzipSync(readClosure(packed, paths), { level: 9 }).length;

/** What each entry brings when it is imported, compressed; what two share is counted for both. */
function weighEntries(packed: Packed): string {
  return packed.files
    .filter(({ path }) => /^dist\/(?!shared-|lease-thread)[\w-]+\.js$/.test(path))
    .map(({ path }) => `${path.slice('dist/'.length, -'.js'.length)} ${inKb(weigh(packed, [path]))}`)
    .join(', ');
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
