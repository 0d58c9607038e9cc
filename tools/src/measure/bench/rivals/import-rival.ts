import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stateDir } from '../../../../bootstrap/paths.mjs';

/** The folder of the rivals, separate from the workspace's own dependencies. */
export const rivalsDir = join(stateDir, 'bench');

/**
 * Imports a package of the rivals' folder. The package is missing when this is compiled: `TModule` repeats what its
 * documentation promises for the pinned version.
 */
export async function importRival<TModule>(name: string): Promise<TModule> {
  const path = createRequire(join(rivalsDir, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as TModule;
}

/** The installed version; undefined: it is not installed. */
export function readRivalVersion(name: string): string | undefined {
  try {
    const text = readFileSync(join(rivalsDir, 'node_modules', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
