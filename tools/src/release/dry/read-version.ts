import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version that all published packages of a repository have. */
export function readVersion(dir: string): string {
  const text = readFileSync(join(dir, 'packages/duework/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
