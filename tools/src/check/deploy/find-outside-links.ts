import { readdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The symbolic links below a folder that lead out of it, as paths below it: on another machine they would lead nowhere.
 */
export function findOutsideLinks(dir: string): string[] {
  const top = `${realpathSync(dir)}/`;
  const outside: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isSymbolicLink() && !realpathSync(path).startsWith(top)) outside.push(relative(dir, path));
    }
  };
  walk(dir);
  return outside;
}
