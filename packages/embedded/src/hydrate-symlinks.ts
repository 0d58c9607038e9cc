import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** npm packages cannot hold symbolic links, so the list of them travels as a file; paths are relative to the package. */
export function hydrateSymlinks(nativeDir: string): void {
  const packageDir = dirname(nativeDir);
  for (const { source, target } of readLinks(join(nativeDir, 'pg-symlinks.json'))) {
    const link = join(packageDir, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    symlinkSync(relative(dirname(link), join(packageDir, source)), link);
  }
}

function readLinks(file: string): readonly { readonly source: string; readonly target: string }[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  } catch {
    return [];
  }
}
