import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A package does not ship a .gitignore of its own. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore' };

/** Copies the template, with the scope of its packages filled in; returns the paths that were written. */
export function copyTemplate(template: string, dir: string, { scope }: { readonly scope: string }): string[] {
  return readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const from = join(entry.parentPath, entry.name);
      const path = join(relative(template, entry.parentPath), RENAMED[entry.name] ?? entry.name);
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(
        join(dir, path),
        readFileSync(from, 'utf8').replaceAll('@scope/', `@${scope}/`).replaceAll('"scope"', `"${scope}"`),
      );
      return path;
    });
}
