import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../kit/run-command.js';

/** Whether another commit than the present one of a repository has the tag of a version. */
export async function isReleased(dir: string, version: string): Promise<boolean> {
  const tag = `v${version}`;
  const tags = async (...which: readonly string[]): Promise<string[]> =>
    (await runCommand('git', ['tag', ...which], { cwd: dir })).split('\n');
  return (await tags('--list', tag)).includes(tag) && !(await tags('--points-at', 'HEAD')).includes(tag);
}

/** The version that all published packages of a repository have. */
export function readVersion(dir: string): string {
  const text = readFileSync(join(dir, 'packages/duework/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

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
