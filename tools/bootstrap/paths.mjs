import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} dir
 * @returns {string}
 */
function findRoot(dir) {
  return existsSync(join(dir, 'pnpm-workspace.yaml')) ? dir : findRoot(dirname(dir));
}

/** The root of the repository. This file is read at two depths: in tools/bootstrap, and in tools/dist. */
export const root = findRoot(dirname(fileURLToPath(import.meta.url)));

/** Everything the tools leave behind: pnpm, logs, the embedded database. Git ignores it. */
export const stateDir = process.env.DUEWORK_STATE_DIR || join(root, '.duework');

/**
 * A path below the root, for messages.
 *
 * @param {string} path
 */
export const below = (path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
