import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDir } from './find-project-dir.js';

/** The version of the package that a file belongs to. */
export function readVersion(file: string): string {
  const json = JSON.parse(readFileSync(join(findProjectDir(file), 'package.json'), 'utf8')) as { version?: string };
  return json.version ?? 'unknown';
}
