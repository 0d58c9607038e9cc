import type { Migration } from '@duework/database/migrate';
import type { Dump } from './read-dumps.js';

/** The migrations that a release has, out of its dump: checksums by name. */
function readReleased(dump: string): ReadonlyMap<string, string> {
  const recorded = dump.matchAll(/INSERT INTO duework\.migrations \(name, checksum\) VALUES \('([^']+)', '([^']+)'\)/g);
  return new Map([...recorded].map(([, name, checksum]) => [name!, checksum!]));
}

/**
 * Sentences about migrations that a database of that release could not be upgraded with: what was released does not
 * change, and what is new comes behind it.
 */
function findChangedMigrations(
  migrations: readonly Pick<Migration, 'name' | 'checksum'>[],
  release: string,
  dump: string,
): string[] {
  const released = readReleased(dump);
  const now = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const last = [...released.keys()].at(-1) ?? '';
  return [
    ...[...released.keys()]
      .filter((name) => !now.has(name))
      .map((name) => `The migration ${name} was released with ${release}, and is gone.`),
    ...[...released]
      .filter(([name, checksum]) => now.has(name) && now.get(name) !== checksum)
      .map(
        ([name]) => `The migration ${name} was released with ${release}, and has changed: a new file holds a change.`,
      ),
    ...[...now.keys()]
      .filter((name) => !released.has(name) && name < last)
      .map((name) => `The migration ${name} is new and comes before ${last}, which was released with ${release}.`),
  ];
}

export interface DatabaseOfRelease {
  readonly version: string;
  /** Whether the changesets have become this version; until then its dump may be missing. */
  readonly isVersioned: boolean;
  /** Whether it is out already: then its dump is that of an earlier release, too. */
  readonly isReleased: boolean;
  readonly migrations: readonly Pick<Migration, 'name' | 'checksum'>[];
  readonly dumps: readonly Dump[];
}

/** Why a version is not released with these migrations, in sentences: each dump has to fit, its own exactly. */
export function findDatabaseRefusals({
  version,
  isVersioned,
  isReleased,
  migrations,
  dumps,
}: DatabaseOfRelease): string[] {
  const own = isReleased ? undefined : dumps.find((dump) => dump.version === version);
  const write = `npm run release -- dump ${version}${own === undefined ? '' : ' --force'}`;
  const earlier = dumps.filter((dump) => dump !== own);
  const changed = earlier.flatMap((dump) => findChangedMigrations(migrations, dump.version, dump.text));
  if (own === undefined)
    return isVersioned && !isReleased
      ? [...changed, `${version} has no dump for the test of upgrades: ${write}`]
      : changed;
  const isToday = migrations.every(({ name, checksum }) => own.text.includes(`VALUES ('${name}', '${checksum}')`));
  return isToday ? changed : [...changed, `The dump of ${version} is older than its migrations: ${write}`];
}
