import type { Mentions } from './read-mentions.js';

export interface AffectedTest {
  readonly path: string;
  /** How many files are between it and what has changed; 0: it has changed itself. */
  readonly steps: number;
}

const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** The tests that mention a changed file, or a file that mentions one, and so on; the nearest first. */
export function findAffectedTests(changed: readonly string[], mentions: Mentions): AffectedTest[] {
  const mentionedBy = new Map<string, string[]>();
  for (const [file, names] of mentions)
    for (const name of names) mentionedBy.set(name, [...(mentionedBy.get(name) ?? []), file]);
  const reached = new Map(changed.map((path) => [path, 0]));
  const queue = [...changed];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of mentionedBy.get(path) ?? []) {
      if (reached.has(next)) continue;
      reached.set(next, reached.get(path)! + 1);
      queue.push(next);
    }
  }
  return [...reached]
    .filter(([path]) => isTest(path) && mentions.has(path))
    .map(([path, steps]) => ({ path, steps }))
    .sort((a, b) => a.steps - b.steps || a.path.localeCompare(b.path));
}
