import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, stateDir } from '../../../../bootstrap/paths.mjs';

/** The folder of what the workspace does not have. */
export const rivalsDir = join(stateDir, 'bench');

/**
 * Imports a package of the rivals' folder. The package is missing when this is compiled: `TModule` repeats what its
 * documentation promises for the pinned version.
 */
export async function importRival<TModule>(name: string): Promise<TModule> {
  const path = createRequire(join(rivalsDir, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as TModule;
}

/** The installed version, of the workspace's own or of that folder's; undefined: it is not installed. */
export function readRivalVersion(name: string): string | undefined {
  const paths = [join(root, 'tools'), rivalsDir].map((dir) => join(dir, 'node_modules', name, 'package.json'));
  const path = paths.find(existsSync);
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
