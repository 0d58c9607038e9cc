import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFences } from './find-fences.js';

/** Where a fence stands: in which page, and from which line on. */
export interface FencePlace {
  readonly page: string;
  readonly line: number;
}

export interface PageText {
  readonly path: string;
  readonly markdown: string;
}

/**
 * Writes each fence as a module of its own below `dir`, which is emptied first. A fence that follows
 * `<!-- file: jobs/contracts.ts -->` is written under that name, too, so that later fences can import it.
 *
 * @returns where the fence of each module stands, by the module's path below `dir`
 */
export function writeFences(dir: string, pages: readonly PageText[]): Map<string, FencePlace> {
  rmSync(dir, { recursive: true, force: true });
  const places = new Map<string, FencePlace>();
  for (const { path, markdown } of pages) {
    const folder = path.replace(/\.md$/, '').replace(/[^\w]+/g, '-');
    for (const { line, code, ending } of findFences(markdown)) {
      const named = nameBefore(markdown, line);
      const file = join(folder, named ?? `line-${line}.${ending}`);
      mkdirSync(dirname(join(dir, file)), { recursive: true });
      // a module even without an import, so that two fences may use one name
      writeFileSync(join(dir, file), `${code}\nexport {};\n`);
      places.set(file, { page: path, line });
    }
  }
  return places;
}

/** The name in the comment above the fence that begins at `line`, null: there is none. */
function nameBefore(markdown: string, line: number): string | null {
  const above = markdown.split('\n').slice(Math.max(0, line - 4), line - 2);
  return /<!-- file: ([\w./-]+) -->/.exec(above.join('\n'))?.[1] ?? null;
}
