import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A fence of code of a page: its text, the line of the page on which it begins, from 1, and how its file ends. */
interface Fence {
  readonly line: number;
  readonly code: string;
  readonly ending: 'ts' | 'js';
}

const START = /^\s*```(ts|tsx|typescript|js|javascript)\b/;
const END = /^\s*```\s*$/;

/** The fences of TypeScript and JavaScript of a Markdown text, in their order. */
export function findFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let begun: { line: number; code: string[]; ending: Fence['ending'] } | null = null;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (begun === null) {
      const language = START.exec(text)?.[1];
      if (language !== undefined) begun = { line: index + 2, code: [], ending: language.startsWith('j') ? 'js' : 'ts' };
    } else if (END.test(text)) {
      fences.push({ ...begun, code: begun.code.join('\n') });
      begun = null;
    } else begun.code.push(text);
  }
  return fences;
}

/**
 * What the compiler says of the written modules, with the page and line where each fence stands; what it says of other
 * files stays as it is.
 *
 * @param output of `tsc --pretty false`, whose paths are below the folder of the modules
 */
export function tellProblems(output: string, places: ReadonlyMap<string, FencePlace>): string[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, file = '', at = '0', column = '0', message = ''] = /^(.+?)\((\d+),(\d+)\): (.*)$/.exec(line) ?? [];
      const place = places.get(file);
      return place === undefined ? line : `${place.page}:${place.line + Number(at) - 1}:${column}  ${message}`;
    });
}

/** Where a fence stands: in which page, and from which line on. */
interface FencePlace {
  readonly page: string;
  readonly line: number;
}

interface PageText {
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
