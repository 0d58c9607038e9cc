import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a release has in the database. */
export interface Dump {
  readonly version: string;
  readonly text: string;
}

/** Where they are, from the first release on. */
export const DUMPS = 'packages/database/releases';

/** The dumps of a repository, the oldest first; none before the first release. */
export function readDumps(dir: string): Dump[] {
  if (!existsSync(join(dir, DUMPS))) return [];
  return readdirSync(join(dir, DUMPS))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ version: name.replace(/\.sql$/, ''), text: readFileSync(join(dir, DUMPS, name), 'utf8') }))
    .toSorted((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }));
}
