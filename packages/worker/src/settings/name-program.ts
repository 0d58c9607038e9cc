import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * The name in the package.json of a program: the nearest one above its file, or above the folder that it runs in where
 * its file is a package's, such as a command that loads it. `default` where there is none.
 */
export function nameProgram(file: string | undefined, folder: string): string {
  const isInstalled = file === undefined || file.split(sep).includes('node_modules');
  return nameAbove(isInstalled ? folder : dirname(file)) ?? nameAbove(folder) ?? 'default';
}

function nameAbove(folder: string): string | null {
  const name = readName(join(folder, 'package.json'));
  if (name !== null || dirname(folder) === folder) return name;
  return nameAbove(dirname(folder));
}

/** null: there is no such file, or no name in it that a program can have. */
function readName(file: string): string | null {
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown };
    return typeof name === 'string' && /^[\x21-\x7e]{1,128}$/.test(name) ? name : null;
  } catch {
    return null;
  }
}
