import { DatabaseError } from './database-error.js';
import { describeDatabaseError } from './describe-database-error.js';
import type { RawQueryable } from './raw-queryable.js';
import { rawStatement } from './raw-statement.js';

interface Facts {
  /** `synchronous_standby_names` */
  readonly names: string;
  /** `synchronous_commit` of this session. */
  readonly commits: string;
  /** Connected standbys that commits wait for, or of which this role sees that they are there, and no more. */
  readonly standbys: number;
}

const statement = rawStatement(`
  SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commits,
    (SELECT count(*)::int FROM pg_stat_replication WHERE coalesce(sync_state, 'quorum') IN ('sync', 'quorum')) AS standbys`);

/**
 * Checks whether what is committed through this client is on another server before it counts as done.
 *
 * @param db - with the settings it will be used with
 * @param url - its URL, to name the server in the error; the password is never shown
 * @throws DatabaseError `not_replicated`, one line with its fix
 */
export async function checkReplication(db: RawQueryable, url: string | undefined): Promise<void> {
  let facts: Facts;
  try {
    [facts] = await db.$queryRaw<[Facts]>(statement);
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
  const refuse = (why: string, fix: string): DatabaseError =>
    new DatabaseError('not_replicated', { problem: `REPLICATED=required, and ${why}.`, fix });
  const { names, commits, standbys } = facts;
  if (names === '')
    throw refuse(
      'the server waits for no standby: synchronous_standby_names is empty',
      `Run: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (…)'; SELECT pg_reload_conf();`,
    );
  if (commits === 'off' || commits === 'local')
    throw refuse(
      `sessions do not wait for a standby: synchronous_commit is ${commits}`,
      'Set it to on for the role, the database or the server, and take it out of the options of DATABASE_URL.',
    );
  if (standbys === 0)
    throw refuse(`none of the standbys is connected (${names})`, 'Start one: until then nothing can be written.');
}
