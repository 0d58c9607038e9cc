import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import type { Packed } from '../../kit/packed.js';

/** What an earlier build or install left there, and no clone of the repository has. */
const MADE = new Set(['node_modules', 'dist', '.next', 'generated', 'package-lock.json']);

/**
 * Copies an example out of the repository, and lets it take the packed packages in place of the registry's. Nothing else
 * of it is changed.
 *
 * @returns the folder
 */
export function copyExample(name: string, into: string, packed: readonly Packed[]): string {
  const dir = join(into, name);
  cpSync(join(root, 'examples', name), dir, { recursive: true, filter: (path) => !MADE.has(basename(path)) });
  const file = join(dir, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  for (const group of ['dependencies', 'devDependencies']) {
    const asked = manifest[group] as Record<string, string> | undefined;
    for (const { name: known, tarball } of packed) if (asked?.[known] !== undefined) asked[known] = `file:${tarball}`;
  }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return dir;
}
