import type { Migration } from '@duework/database/migrate';
import { findChangedMigrations } from './find-changed-migrations.js';
import type { Dump } from './read-dumps.js';

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
