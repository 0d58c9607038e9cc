import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Everything the scripts leave behind: tools, logs, the embedded database. Git ignores it. */
export const stateDir = join(root, '.duework');

/** A path below the root, for messages. */
export const below = (path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
