import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the nearest package.json above a file; the file's own where there is none. */
export function findProjectDir(file: string): string {
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'package.json'))) return dir;
    if (dir === dirname(dir)) return dirname(file);
  }
}
