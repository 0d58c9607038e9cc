import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

function* walk(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && entry.name !== 'generated') yield* walk(path);
    else if (entry.isFile() && /\.[mc]?tsx?$/.test(entry.name)) yield path;
  }
}

/**
 * The TypeScript files below every src/ of the workspace, generated ones left out.
 *
 * @param {string} root
 * @returns {string[]} paths from the root, with forward slashes
 */
export function listSources(root) {
  return ['packages', 'apps']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')))
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => [...walk(dir)])
    .map((path) => relative(root, path).replaceAll('\\', '/'));
}
