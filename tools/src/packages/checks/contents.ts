import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Check, Packed } from '../lab.js';

/** Files that no user needs. */
const UNWANTED = /\.(test|types-test)\.|\.tsbuildinfo$|\.map$|(^|\/)(src|etc|fixtures|node_modules)\//;
const NEEDED = ['package.json', 'README.md', 'LICENSE'];
const IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.[^"']+)["']/g;

/** What is in the tarballs, and what is not. */
export const contents: Check = {
  name: 'contents',
  words: 'no dependency, nothing of the workspace, no test and no map inside; every file leads to files that are there',
  isQuick: true,
  run: async ({ packed }) => {
    const wrong = packed.flatMap((each) => findWrong(each).map((what) => `${each.name}: ${what}`));
    if (wrong.length > 0) throw new PlainError(wrong.join('\n'));
    return packed.map(({ name, files }) => `${name}: ${files.length} files`).join(', ');
  },
};

function findWrong({ folder, files, manifest }: Packed): string[] {
  const text = JSON.stringify(manifest);
  const paths = files.map(({ path }) => path);
  return [
    ...Object.keys(manifest.dependencies ?? {}).map((name) => `it depends on ${name}`),
    ...['workspace:', 'catalog:', '@duework/']
      .filter((part) => hasForeign(text, part, manifest.name))
      .map((part) => `its package.json says ${part}`),
    ...NEEDED.filter((name) => !paths.includes(name)).map((name) => `there is no ${name}`),
    ...paths.filter((path) => UNWANTED.test(path)).map((path) => `${path} is inside`),
    ...paths.filter((path) => /\.c?[jt]s$/.test(path)).flatMap((path) => findLost(folder, path)),
  ];
}

const hasForeign = (text: string, part: string, own: string): boolean => text.replaceAll(`"${own}"`, '').includes(part);

/** Imports of a file that lead nowhere, or to a package of the workspace. */
function findLost(folder: string, path: string): string[] {
  const text = readFileSync(join(folder, path), 'utf8');
  const isDeclaration = /\.d\.c?ts$/.test(path);
  const lost = [...text.matchAll(IMPORT)]
    .map(([, to]) => to!)
    .map((to) => (isDeclaration ? to.replace(/\.cjs$/, '.d.cts').replace(/\.js$/, '.d.ts') : to))
    .filter((to) => !existsSync(join(folder, normalize(join(dirname(path), to)))))
    .map((to) => `${path} imports ${to}, which is not there`);
  const ours = [...text.matchAll(/(?:from|require\()\s*["'](@duework\/[^"']+)["']/g)];
  return [...lost, ...ours.map(([, name]) => `${path} imports ${name}`)];
}
