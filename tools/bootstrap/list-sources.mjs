import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './paths.mjs';

const LEFT_OUT = new Set(['node_modules', 'dist', 'generated', '.turbo', '.vitepress', '.next']);

/**
 * The files below a folder that a build reads: nothing that it has written, and no tests.
 *
 * @param {string} folder below the root
 * @returns {string[]} paths below the root, sorted
 */
export function listSources(folder) {
  /** @type {string[]} */
  const found = [];
  /** @param {string} dir */
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name)) walk(path);
      } else if (!/\.(test|types-test)\.tsx?$/.test(entry.name)) found.push(relative(root, path));
    }
  };
  walk(join(root, folder));
  return found.sort();
}

/**
 * The files in the folders called `generated` below a folder.
 *
 * @param {string} folder below the root
 */
export const listGenerated = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'generated')
    .flatMap((entry) => listSources(relative(root, join(entry.parentPath, entry.name))));
