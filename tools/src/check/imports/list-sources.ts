import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

function* walk(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && entry.name !== 'generated') yield* walk(path);
    else if (entry.isFile() && /\.[mc]?tsx?$/.test(entry.name)) yield path;
  }
}

/** The rules and their tests quote what they forbid. */
const QUOTING = 'tools/src/check/imports/';

/** The source files below every src/ of the workspace, generated ones left out: paths from the root, with forward slashes. */
export function listSources(root: string): string[] {
  return ['packages', 'apps']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')))
    .concat(join(root, 'tools/src'))
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => [...walk(dir)])
    .map((path) => relative(root, path).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith(QUOTING));
}
