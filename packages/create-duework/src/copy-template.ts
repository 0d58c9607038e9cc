import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A package does not ship a .gitignore of its own. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore' };

export interface Names {
  /** Of the project's packages, without its `@`. */
  readonly scope: string;
  /** The release of Duework that the project asks for: the one that this program belongs to. */
  readonly release: string;
}

/** Copies the template with these names filled in; returns the paths that were written. */
export function copyTemplate(template: string, dir: string, { scope, release }: Names): string[] {
  return readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const from = join(entry.parentPath, entry.name);
      const path = join(relative(template, entry.parentPath), RENAMED[entry.name] ?? entry.name);
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(
        join(dir, path),
        readFileSync(from, 'utf8')
          .replaceAll('@scope/', `@${scope}/`)
          .replaceAll('"scope"', `"${scope}"`)
          .replaceAll('"release"', `"^${release}"`),
      );
      return path;
    });
}
