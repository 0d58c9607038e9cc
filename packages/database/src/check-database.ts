import { checkServerVersion } from './check-server-version.js';
import { DatabaseError } from './database-error.js';
import { describeDatabaseError } from './describe-database-error.js';
import { findErrorCause } from './find-error-cause.js';
import { Prisma } from './generated/client.js';
import { findUnapplied, type MigrationRow } from './migrate/check-history.js';
import { readMigrations, type Migration } from './migrate/read-migrations.js';

/** All that is needed of a Prisma client or transaction, or of `connectPg`'s client. */
export interface RawQueryable {
  $queryRaw<T = unknown>(query: Prisma.Sql): Promise<T>;
}

interface Facts {
  readonly version: number;
  readonly time_zone: string;
  readonly migrations: string;
}

/** Names of the zone whose offset is always 0. London is not one: its offset is 0 in winter only. */
const utcNames = /^(etc\/)?(utc|uct|universal|zulu|gmt|gmt[+-]?0|greenwich)$/i;

let shipped: readonly Migration[] | undefined;

const historySql = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object('name', migration_name, 'checksum', checksum,
    'isFinished', finished_at IS NOT NULL, 'isRolledBack', rolled_back_at IS NOT NULL)), '[]')
  FROM duework._prisma_migrations)::text`;

const factsSql = (migrations: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT current_setting('server_version_num')::int AS version, current_setting('TimeZone') AS time_zone,
    ${migrations} AS migrations`;

/** One round trip; a second one only when the migrations table is missing. */
async function readFacts(db: RawQueryable): Promise<Facts> {
  const read = async (migrations: Prisma.Sql): Promise<Facts> => {
    const [facts] = await db.$queryRaw<[Facts]>(factsSql(migrations));
    return facts;
  };
  try {
    return await read(historySql);
  } catch (error) {
    const isTableMissing = ['42P01', '3F000'].includes(findErrorCause(error).code);
    if (!isTableMissing) throw error;
    return await read(Prisma.sql`'[]'`);
  }
}

/**
 * Checks whether this database can be used: it answers, is PostgreSQL 14 or newer, the session is UTC, and every
 * shipped migration is applied unchanged.
 *
 * @param db - the client to check, with the settings it will be used with
 * @param url - its URL, to name the database in the error; the password is never shown
 * @throws DatabaseError, one line with its fix
 */
export async function checkDatabase(db: RawQueryable, url: string | undefined): Promise<void> {
  let facts: Facts;
  try {
    facts = await readFacts(db);
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
  checkServerVersion(facts.version);
  if (!utcNames.test(facts.time_zone)) {
    throw new DatabaseError('database_not_utc', {
      problem: `The session's time zone is ${facts.time_zone}, which shifts every moment that Prisma reads or writes.`,
      fix: `Connect with options=-c TimeZone=UTC, or run: ALTER ROLE CURRENT_USER SET TimeZone = 'UTC'`,
    });
  }
  shipped ??= readMigrations();
  const unapplied = findUnapplied(shipped, JSON.parse(facts.migrations) as readonly MigrationRow[]);
  if (unapplied.length > 0) {
    throw new DatabaseError('database_not_migrated', {
      problem: `The database lacks ${unapplied.length === 1 ? 'migration' : 'migrations'} ${unapplied.join(', ')}.`,
      fix: 'Run: npm run migrate',
    });
  }
}
