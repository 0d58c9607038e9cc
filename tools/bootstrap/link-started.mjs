import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';
import { listStarted } from './read-workspace.mjs';

/** Node looks here for what a package below packages/ does not have itself. */
const linked = join(root, 'packages/node_modules');

/**
 * A published package holds others of the workspace in its bundle, and takes others from whoever uses it: for here both are
 * its dependencies for development, which a start does not install. They are found in this folder instead, until
 * everything is installed.
 *
 * @param {'start' | 'all'} part that has been installed
 */
export function linkStarted(part) {
  rmSync(linked, { recursive: true, force: true });
  if (part === 'all') return;
  const started = listStarted();
  const found = new Map(started.map(({ name, folder }) => [name, join(root, folder)]));
  for (const { folder, needs } of started)
    for (const name of needs) {
      const installed = join(root, folder, 'node_modules', name);
      if (!found.has(name) && existsSync(installed)) found.set(name, realpathSync(installed));
    }
  for (const [name, folder] of found) {
    mkdirSync(dirname(join(linked, name)), { recursive: true });
    symlinkSync(folder, join(linked, name), 'junction');
  }
}
