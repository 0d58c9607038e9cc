import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stateDir } from '../../../bootstrap/paths.mjs';

/** Where the rivals are installed, apart from the workspace's own dependencies. */
export const rivalsDir = join(stateDir, 'bench');

/**
 * A package of the rivals' folder. It is not there when this is compiled: `TModule` says what its documentation promises of
 * the pinned version.
 */
export async function importRival<TModule>(name: string): Promise<TModule> {
  const path = createRequire(join(rivalsDir, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as TModule;
}

/** The version that is installed; undefined: none is. */
export function readRivalVersion(name: string): string | undefined {
  try {
    const text = readFileSync(join(rivalsDir, 'node_modules', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
