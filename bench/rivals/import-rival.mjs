import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stateDir } from '../../scripts/lib/paths.mjs';

/** Where the rivals are installed, apart from the workspace's own dependencies. */
export const rivalsDir = join(stateDir, 'bench');

/** A package of the rivals' folder. */
export const importRival = (name) =>
  import(pathToFileURL(createRequire(join(rivalsDir, 'package.json')).resolve(name)).href);

/** The version that is installed; undefined: none is. */
export function readRivalVersion(name) {
  try {
    return JSON.parse(readFileSync(join(rivalsDir, 'node_modules', name, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}
