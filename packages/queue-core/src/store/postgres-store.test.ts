import { connectPg, type PgClient } from '@duework/database';
import { expect, test } from '@jest/globals';
import { openQueue } from '../queue/open-queue.js';
import type { ClaimRequest } from '../ports/runs.js';
import { testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { createPostgresStore } from './postgres-store.js';
import { describeStore, type StoreHarness } from '@duework/testing/conformance';
import type { Queryable } from '@duework/sql';

const database = useTestDatabase();

const MALFORMED = ['0', '-1', '01', '1.5', 'abc', '', '9223372036854775808', '1e3', ' 1', '1; DROP TABLE x'];

describeStore('the store in PostgreSQL, through Prisma', () => open(database.db));

let pg: PgClient | undefined;
describeStore('the store in PostgreSQL, through pg', () => open((pg ??= database.connectPg())));

async function open(db: Queryable): Promise<StoreHarness> {
  // deleted, not truncated: the partitions of the history are many, and the rows of one test few
  await database.db.$executeRaw`
    WITH runs AS (DELETE FROM duework.job_runs), history AS (DELETE FROM duework.job_history), attempts AS (DELETE FROM duework.job_attempts),
      keys AS (DELETE FROM duework.job_keys), effects AS (DELETE FROM duework.job_effects), steps AS (DELETE FROM duework.job_steps),
      batches AS (DELETE FROM duework.job_batches), changes AS (DELETE FROM duework.job_batch_changes), members AS (DELETE FROM duework.job_batch_jobs),
      readers AS (DELETE FROM duework.worker_contracts), pauses AS (DELETE FROM duework.pauses), gates AS (DELETE FROM duework.flow_keys),
      waits AS (DELETE FROM duework.flow_waits), looks AS (DELETE FROM duework.flow_looks), turns AS (DELETE FROM duework.flow_turns)
    DELETE FROM duework.job_alerts`;
  // each claim is another worker's: one that has just claimed would not find at once what is moved into the past
  const store = {
    ...createPostgresStore({ db }),
    claim: (request: ClaimRequest) => createPostgresStore({ db }).claim(request),
  };
  return {
    store,
    queue: openQueue(db),
    tx: db,
    ids: { malformed: MALFORMED, unknown: '9223372036854775807' },
    passTime,
  };
}

test('a prepared store has the connections that a rush needs', async () => {
  const db = connectPg({ url: database.url, applicationName: 'prepared' });
  try {
    await createPostgresStore({ db }).prepare(testCatalog);
    const [row] = await database.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'prepared' AND datname = current_database()`;
    expect(row).toEqual({ count: 4 });
  } finally {
    await db.$disconnect();
  }
});

/**
 * The database's clock cannot be moved, so everything it knows is moved into the past; ids keep their day, and what
 * ended long after it is kept as late.
 */
async function passTime(ms: number): Promise<void> {
  const { db } = database;
  await db.$executeRaw`
    WITH by (i) AS (SELECT ${ms}::float8 * interval '1 millisecond'),
    runs AS (
      UPDATE duework.job_runs SET run_at = run_at - i, locked_until = locked_until - i, claimed_at = claimed_at - i, failed_at = failed_at - i,
        cancel_requested_at = cancel_requested_at - i, created_at = created_at - i, snoozed_at = snoozed_at - i,
        terms = duework.move_terms(terms, -i) FROM by
    ),
    expiries AS (UPDATE duework.expiries SET at = at - i FROM by),
    history AS (
      UPDATE duework.job_history SET run_at = run_at - i, claimed_at = claimed_at - i, failed_at = failed_at - i,
        cancel_requested_at = cancel_requested_at - i, created_at = created_at - i, finished_at = finished_at - i,
        snoozed_at = snoozed_at - i, acknowledged_at = acknowledged_at - i, is_late = status = 'succeeded' FROM by
    ),
    attempts AS (UPDATE duework.job_attempts SET claimed_at = claimed_at - i, finished_at = finished_at - i, is_late = true FROM by),
    keys AS (UPDATE duework.job_keys SET expires_at = expires_at - i, created_at = created_at - i, needed_at = needed_at - i FROM by),
    effects AS (UPDATE duework.job_effects SET started_at = started_at - i, done_at = done_at - i, needed_at = needed_at - i FROM by),
    steps AS (UPDATE duework.job_steps SET done_at = done_at - i, needed_at = needed_at - i, wakes_at = wakes_at - i FROM by),
    batches AS (UPDATE duework.job_batches SET created_at = created_at - i, settled_at = settled_at - i FROM by),
    signals AS (UPDATE duework.job_signals SET sent_at = sent_at - i FROM by),
    readers AS (UPDATE duework.worker_contracts SET seen_at = seen_at - i FROM by),
    pauses AS (UPDATE duework.pauses SET since = since - i, until = until - i FROM by),
    gates AS (UPDATE duework.flow_keys SET next_at = next_at - i, closed_until = closed_until - i, look_at = look_at - i FROM by),
    waits AS (UPDATE duework.flow_waits SET ready_at = ready_at - i FROM by),
    looks AS (UPDATE duework.flow_looks SET at = at - i FROM by)
    UPDATE duework.job_alerts SET raised_at = raised_at - i FROM by`;
}
