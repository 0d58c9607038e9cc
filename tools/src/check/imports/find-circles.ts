import { posix } from 'node:path';
import { blankComments } from './blank-comments.js';
import { findImports } from './find-imports.js';

/**
 * The circles between the folders of a package, of what they import beside types: where there is none, they lie in layers.
 *
 * @param src the folder in which they are
 */
export function findFolderCircles(sources: ReadonlyMap<string, string>, src: string): string[][] {
  const folderOf = (path: string): string | undefined =>
    path.startsWith(`${src}/`) ? /^[^/]+(?=\/)/.exec(path.slice(src.length + 1))?.[0] : undefined;
  const folders = new Map<string, Set<string>>();
  for (const path of sources.keys()) {
    const folder = folderOf(path);
    if (folder === undefined || path.endsWith('.test.ts')) continue;
    const imported = folders.get(folder) ?? new Set();
    folders.set(folder, imported);
    for (const target of importsOf(path, sources)) {
      const other = folderOf(target);
      if (other !== undefined && other !== folder) imported.add(other);
    }
  }
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (one: string, way: readonly string[]): void => {
    const begins = way.indexOf(one);
    if (begins !== -1) return void circles.push([...way.slice(begins), one]);
    if (done.has(one)) return;
    for (const next of folders.get(one) ?? []) visit(next, [...way, one]);
    done.add(one);
  };
  for (const one of folders.keys()) visit(one, []);
  return circles;
}

/** The sources that one imports, beside types. A file is imported as the `.js` that it becomes. */
function importsOf(path: string, sources: ReadonlyMap<string, string>): string[] {
  return findImports(blankComments(sources.get(path)!)).flatMap(({ name, isType }) => {
    if (!name.startsWith('.') || isType) return [];
    const target = posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts');
    return sources.has(target) ? [target] : [];
  });
}
