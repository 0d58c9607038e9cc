import { checkOrigin, copiedError } from './check-origin.js';
import { checkServer } from './check-server.js';
import { DatabaseError } from './database-error.js';
import { describeDatabaseError } from './describe-database-error.js';
import { findErrorCause } from './find-error-cause.js';
import { findMissing } from './migrate/compare-ledger.js';
import { shipped } from './migrate/generated/ledger.js';
import type { AppliedMigration } from './migrate/read-ledger.js';
import type { RawQueryable } from './raw-queryable.js';
import type { DueworkRole } from './roles/duework-roles.js';
import { rawStatement } from './raw-statement.js';
import { identity, readDatabaseIdentity } from './read-identity.js';

interface Facts {
  readonly version: number;
  readonly encoding: string;
  readonly time_zone: string;
  readonly migrations: string;
  readonly role: string;
  /** Whether the role may do what only a worker does; null: there is nothing to ask it of. */
  readonly may_work: boolean | null;
}

interface WorkerFacts extends Facts {
  readonly is_at_home: boolean;
  readonly identity: string | null;
}

/** Names of the zone whose offset is always 0. London is not one: its offset is 0 in winter only. */
const utcNames = /^(etc\/)?(utc|uct|universal|zulu|gmt|gmt[+-]?0|greenwich)$/i;

const ledger = `(
  SELECT coalesce(json_agg(json_build_object('name', name, 'checksum', checksum)), '[]') FROM duework.migrations)::text`;

const factsStatement = (applied: string, more = '') =>
  rawStatement(`
  SELECT ${more} current_setting('server_version_num')::int AS version, current_setting('TimeZone') AS time_zone,
    current_setting('server_encoding') AS encoding,
    ${applied} AS migrations, current_user::text AS role, (
      SELECT has_table_privilege(c.oid, 'INSERT') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'duework' AND c.relname = 'workers'
    ) AS may_work`);

/** One round trip; a second one only when the ledger is missing. */
async function readFacts(db: RawQueryable): Promise<Facts> {
  const read = async (applied: string): Promise<Facts> => {
    const [facts] = await db.$queryRaw<[Facts]>(factsStatement(applied));
    return facts;
  };
  try {
    return await read(ledger);
  } catch (error) {
    const isTableMissing = ['42P01', '3F000'].includes(findErrorCause(error).code);
    if (!isTableMissing) throw error;
    return await read("'[]'");
  }
}

/** What PostgreSQL would say at the first statement that a worker alone sends. */
const NO_WORKER = { code: '42501', message: 'permission denied for table workers' };

/** Who asks; undefined: nobody can be asked any more. */
const readUser = (db: RawQueryable): Promise<string | undefined> =>
  db.$queryRaw<[{ role: string }]>(rawStatement('SELECT current_user::text AS role')).then(
    ([{ role }]) => role,
    () => undefined,
  );

/**
 * Checks that a database can be used: it answers, is PostgreSQL 14 or newer, stores UTF-8, the session is UTC, and
 * every shipped migration is applied unchanged.
 *
 * @param db - the client to check, with the settings it will be used with
 * @param url - its URL, to name the database in the error; the password is never shown
 * @param needs - the role whose rights the client needs, to name it if rights are missing
 * @throws DatabaseError, one line with its fix
 */
export async function checkDatabase(db: RawQueryable, url: string | undefined, needs?: DueworkRole): Promise<void> {
  let facts: Facts;
  try {
    facts = await readFacts(db);
  } catch (error) {
    const user = findErrorCause(error).code === '42501' ? await readUser(db) : undefined;
    throw describeDatabaseError(error, url, { user, ...(needs !== undefined && { needs }) });
  }
  judgeFacts(facts, url, needs);
}

/**
 * The same for a worker, and whether the database lives where workers knew it before, as `checkOrigin` does: in one round trip.
 * Returns its identity, as `readDatabaseIdentity` does.
 *
 * @throws DatabaseError, one line with its fix
 */
export async function checkWorkerDatabase(db: RawQueryable, url: string): Promise<string | null> {
  let facts: WorkerFacts;
  try {
    [facts] = await db.$queryRaw<[WorkerFacts]>(
      factsStatement(ledger, `duework.is_at_home(), ${identity} AS identity,`),
    );
  } catch (error) {
    if (!/^42|^3F000$|^25006$/.test(findErrorCause(error).code))
      throw describeDatabaseError(error, url, { needs: 'duework_worker' });
    // something is not there, or not allowed: what, is said when each is asked for
    await checkDatabase(db, url, 'duework_worker');
    await checkOrigin(db, url);
    return readDatabaseIdentity(db);
  }
  judgeFacts(facts, url, 'duework_worker');
  if (!facts.is_at_home) throw copiedError(url);
  return facts.identity;
}

function judgeFacts(facts: Facts, url: string | undefined, needs: DueworkRole | undefined): void {
  checkServer(facts.version, facts.encoding);
  const applied = JSON.parse(facts.migrations) as readonly Pick<AppliedMigration, 'name' | 'checksum'>[];
  const missing = findMissing(shipped, applied);
  if (missing.length > 0) {
    throw new DatabaseError('database_not_migrated', {
      problem:
        missing.length === 1
          ? `The database lacks the migration ${missing[0]}.`
          : `The database lacks ${missing.length} of ${shipped.length} migrations.`,
      fix: 'Run: npx duework migrate',
      isTemporary: true,
    });
  }
  if (needs === 'duework_worker' && facts.may_work === false)
    throw describeDatabaseError(NO_WORKER, url, { user: facts.role, needs });
  if (!utcNames.test(facts.time_zone)) {
    throw new DatabaseError('database_not_utc', {
      problem: `The session's time zone is ${facts.time_zone}, which shifts every moment that Prisma reads or writes.`,
      fix: `Connect with options=-c TimeZone=UTC (Prisma: new PrismaPg({ …, options: '-c TimeZone=UTC' })), or run: ALTER ROLE CURRENT_USER SET TimeZone = 'UTC'`,
    });
  }
}
