import { posix } from 'node:path';
import { blankComments } from './blank-comments.js';
import { findImports } from './find-imports.js';

/**
 * The circles of imports between sources, types included, each as the paths that it passes, the first one last again.
 *
 * @param sources the code of each source by its path, with forward slashes
 */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const begins = way.indexOf(path);
    if (begins !== -1) return void circles.push([...way.slice(begins), path]);
    if (done.has(path)) return;
    for (const next of importsOf(path, sources)) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return circles;
}

/** The sources that one imports. A file is imported as the `.js` that it becomes. */
function importsOf(path: string, sources: ReadonlyMap<string, string>): string[] {
  return findImports(blankComments(sources.get(path)!)).flatMap(({ name }) => {
    if (!name.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), name);
    const found = ['.ts', '.tsx'].map((end) => target.replace(/\.js$/, end)).find((each) => sources.has(each));
    return found === undefined ? [] : [found];
  });
}
