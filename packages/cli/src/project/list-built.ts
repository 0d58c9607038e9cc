import { posix } from 'node:path';

/** Where compilers and bundlers put what they make, as people have it. */
const FOLDERS = ['dist', 'build', 'lib', 'out'];

/**
 * What a build makes of a TypeScript module, from the same folder: `./src/jobs/index.ts` becomes `dist/jobs/index.js`, or
 * `dist/src/jobs/index.js` where more than `src` is compiled. No tsconfig.json is read: an image has none. None for
 * JavaScript.
 */
export function listBuilt(path: string): string[] {
  const [, name, kind] = /^(.*)\.([mc]?)tsx?$/.exec(posix.normalize(path)) ?? [];
  if (name === undefined) return [];
  const file = `${name}.${kind}js`;
  // a build that has a folder for its sources leaves that folder out
  const below = file.startsWith('src/') ? [file.slice('src/'.length), file] : [file];
  return FOLDERS.flatMap((folder) => below.map((one) => posix.join(folder, one)));
}
