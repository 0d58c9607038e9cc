import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * An entry of a package as a file of the project itself would import it; undefined when it is not installed there.
 * `require` would find the entry for CommonJS, which tsx has no use for.
 *
 * @param file - of the project; it need not exist
 * @param entry - as `exports` of the package names it: `.`, `./esm/api`
 */
export async function importInstalled<T>(file: string, name: string, entry: string): Promise<T | undefined> {
  const manifest = findManifest(file, name);
  if (manifest === undefined) return undefined;
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: Readonly<Record<string, Entry>> };
  const path = pathOf(exports?.[entry]);
  if (path === undefined) return undefined;
  return (await import(pathToFileURL(join(dirname(manifest), path)).href)) as T;
}

/** Every folder above may hold the package, as in a workspace, and NODE_PATH none; a package need not export its package.json. */
function findManifest(file: string, name: string): string | undefined {
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    const manifest = join(dir, 'node_modules', name, 'package.json');
    if (existsSync(manifest)) return realpathSync(manifest);
    if (dir === dirname(dir)) return undefined;
  }
}

type Entry = string | { readonly import?: Entry; readonly default?: Entry } | undefined;

function pathOf(entry: Entry): string | undefined {
  return typeof entry === 'object' ? pathOf(entry.import ?? entry.default) : entry;
}
