import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a release has in the database. */
export interface Dump {
  readonly version: string;
  readonly text: string;
}

const FOLDER = 'packages/database/releases';

/** The dumps of a repository, the oldest first. */
export function readDumps(dir: string): Dump[] {
  return readdirSync(join(dir, FOLDER))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ version: name.replace(/\.sql$/, ''), text: readFileSync(join(dir, FOLDER, name), 'utf8') }))
    .toSorted((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }));
}
