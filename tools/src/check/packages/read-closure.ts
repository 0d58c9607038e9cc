import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { Packed } from '../../kit/packed.js';

const IMPORT = /(?:from|require\(|import\()\s*"(\.[^"]+)"/g;

/**
 * The text of every file that some files lead to, themselves included.
 *
 * @param paths below the package; those that it does not have are left out
 */
export function readClosure({ folder, files }: Pick<Packed, 'folder' | 'files'>, paths: readonly string[]): string {
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
