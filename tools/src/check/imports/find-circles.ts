import { posix } from 'node:path';
import { blankComments } from './blank-comments.js';
import { findImports } from './find-imports.js';

/**
 * The circles of imports between sources, types included, each as the paths that it passes, the first one last again.
 *
 * @param sources the code of each source by its path, with forward slashes
 */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  return circlesIn(sources.keys(), (path) => importsOf(path, sources));
}

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
    for (const target of importsOf(path, sources, { types: false })) {
      const other = folderOf(target);
      if (other !== undefined && other !== folder) imported.add(other);
    }
  }
  return circlesIn(folders.keys(), (folder) => folders.get(folder) ?? []);
}

function circlesIn(all: Iterable<string>, nextOf: (one: string) => Iterable<string>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (one: string, way: readonly string[]): void => {
    const begins = way.indexOf(one);
    if (begins !== -1) return void circles.push([...way.slice(begins), one]);
    if (done.has(one)) return;
    for (const next of nextOf(one)) visit(next, [...way, one]);
    done.add(one);
  };
  for (const one of all) visit(one, []);
  return circles;
}

/** The sources that one imports. A file is imported as the `.js` that it becomes. */
function importsOf(path: string, sources: ReadonlyMap<string, string>, { types = true } = {}): string[] {
  return findImports(blankComments(sources.get(path)!)).flatMap(({ name, isType }) => {
    if (!name.startsWith('.') || (isType && !types)) return [];
    const target = posix.join(posix.dirname(path), name);
    const found = ['.ts', '.tsx'].map((end) => target.replace(/\.js$/, end)).find((each) => sources.has(each));
    return found === undefined ? [] : [found];
  });
}
