import { connectPg, openOwnerSession, type OwnerSession, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { createPostgresStore, enqueueMany, jobRequest, registerDefinitions } from '@duework/queue-core';
import { claim, echo } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readAudit } from '../audit/read-audit.js';
import { runDoctor } from '../doctor/run-doctor.js';
import { careForIndexes, type CareOptions } from './care-for-indexes.js';
import type { IndexCare } from './index-care.js';
import { listIndexes } from './list-indexes.js';

const limits = { bloatBytes: 256 * 1024 };
const act = { by: 'command:ana@laptop', via: 'command', reason: 'the disk' } as const;
const PKEY = 'job_keys_pkey';
const APPLICATION = 'index-care';

let database: TestDatabase;
let db: PgClient;
let session: OwnerSession;
beforeEach(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2, role: 'app' });
  session = await openOwnerSession(database.url, APPLICATION);
});
afterEach(async () => {
  await session.close();
  await db.$disconnect();
  await database.drop();
});

const query = (...statements: string[]): Promise<void> =>
  withServer(database.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Indexes of job_keys that are nearly empty. */
const bloat = (): Promise<void> =>
  query(
    'ALTER TABLE duework.job_keys SET (autovacuum_enabled = off)',
    `INSERT INTO duework.job_keys (job_type, key, run_id) SELECT 'greet', 'k' || n, n FROM generate_series(1, 20000) AS n`,
    'VACUUM ANALYZE duework.job_keys',
    'DELETE FROM duework.job_keys WHERE run_id % 20 > 0',
    'VACUUM ANALYZE duework.job_keys',
  );

const care = (given: Partial<CareOptions> = {}): Promise<IndexCare | null> =>
  careForIndexes(session, { limits, act, cancelThrough: db, lockTimeoutMs: 1_500, ...given });

const statesOf = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await listIndexes(db, limits)).map(({ name, state }) => [name, state]));
const wrongOf = async (): Promise<string[]> =>
  Object.entries(await statesOf()).flatMap(([name, state]) => (state === 'good' ? [] : [`${name} ${state}`]));

/** Another session in the middle of a transaction, which ends with what is run beside it. */
async function withOpen<T>(statements: readonly string[], run: () => Promise<T>): Promise<T> {
  return withServer(database.url, async (client) => {
    for (const statement of statements) await client.query(statement);
    return run();
  });
}

/** Resolves once the session that rebuilds waits for another one. */
async function untilItWaits(): Promise<void> {
  const waits = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${APPLICATION}' AND wait_event_type = 'Lock' AND datname = current_database()`;
  await withServer(database.url, async (client) => {
    while ((await client.query(waits)).rowCount === 0);
  });
}

test('an index that is mostly empty is rebuilt and smaller, and the audit has it', async () => {
  await bloat();
  expect(await statesOf()).toMatchObject({ [PKEY]: 'bloated' });
  const told: string[] = [];
  const done = await care({ onProgress: ({ name }, { number, of }) => told.push(`${name} ${number}/${of}`) });
  expect(done).toMatchObject({ dropped: [], left: [] });
  const rebuilt = done!.rebuilt.find(({ name }) => name === PKEY)!;
  expect(rebuilt.afterBytes).toBeLessThan(rebuilt.beforeBytes / 5);
  expect(told).toContainEqual(expect.stringContaining(PKEY));
  expect(await wrongOf()).toEqual([]);
  const { entries } = await readAudit(db, { kind: 'index', target: PKEY });
  expect(entries).toEqual([
    expect.objectContaining({
      ...act,
      verb: 'rebuild_index',
      before: { bytes: rebuilt.beforeBytes },
      after: { bytes: rebuilt.afterBytes },
    }),
  ]);
  expect(await care()).toEqual({ rebuilt: [], dropped: [], left: [] });
});

test('an index that its last rebuild has not made smaller is not rebuilt each night', async () => {
  await bloat();
  const bytes = (await listIndexes(db, limits)).find(({ name }) => name === PKEY)!.bytes;
  await query(
    `INSERT INTO duework.audit_entries (by, via, verb, kind, target, after)
     VALUES ('program', 'program', 'rebuild_index', 'index', '${PKEY}', jsonb_build_object('bytes', ${bytes}))`,
  );
  expect((await care())!.left).toContainEqual({ name: PKEY, reason: 'not_smaller', who: null });
});

test('two programs never rebuild at once: the second one is refused at once', async () => {
  await bloat();
  const other = await openOwnerSession(database.url, APPLICATION);
  try {
    const both = await Promise.all([
      care(),
      careForIndexes(other, { limits, cancelThrough: db, lockTimeoutMs: 1_500 }),
    ]);
    expect(both.filter((one) => one === null)).toHaveLength(1);
    expect(await wrongOf()).toEqual([]);
  } finally {
    await other.close();
  }
});

describe('beside a transaction that lasts', () => {
  test.each([
    ['an old snapshot', ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1']],
    ['a lock on the table', ['BEGIN', 'SELECT FROM duework.job_keys LIMIT 1']],
  ])('a rebuild is not begun: %s', async (_, statements) => {
    await bloat();
    await withOpen(statements, async () => {
      expect((await care())!.left).toContainEqual({
        name: PKEY,
        reason: 'snapshot_open',
        who: expect.stringMatching(/^session \d+.* \(idle in transaction\)$/),
      });
      expect(await statesOf()).toMatchObject({ [PKEY]: 'bloated' });
    });
    expect((await care())!.left).toEqual([]);
  });

  test('nor beside one in another table, as long as it has no snapshot', async () => {
    await bloat();
    await withOpen(['BEGIN', 'SELECT FROM duework.job_effects LIMIT 1'], async () => {
      expect((await care())!.left).toEqual([]);
    });
  });

  test('one that comes later ends it after the lock timeout, and what it left is dropped', async () => {
    await bloat();
    await query('DROP INDEX duework.job_keys_needed_at_idx');
    const { left, dropped } = await meetLocker(true);
    expect(left).toEqual([expect.objectContaining({ name: PKEY, reason: 'lock_held' })]);
    expect(dropped).toEqual([`${PKEY}_ccnew`]);
    expect(await statesOf()).toMatchObject({ [PKEY]: 'bloated' });
    expect(await statesOf()).not.toHaveProperty(`${PKEY}_ccnew`);
  });

  test('and where it is still there then, the next run drops it, and the doctor says so', async () => {
    await bloat();
    await query('DROP INDEX duework.job_keys_needed_at_idx');
    const { left, dropped } = await meetLocker(false);
    expect(left.map(({ name }) => name)).toEqual([PKEY, `${PKEY}_ccnew`]);
    expect(dropped).toEqual([]);
    expect((await runDoctor(db, { endOfMajor: {} })).findings).toContainEqual(
      expect.objectContaining({
        code: 'index_invalid',
        about: `index ${PKEY}_ccnew`,
        fix: expect.stringContaining('npx duework indexes --rebuild'),
      }),
    );
    expect(await care()).toMatchObject({ dropped: [`${PKEY}_ccnew`], left: [], rebuilt: [{ name: PKEY }] });
    expect((await readAudit(db, { kind: 'index', verb: 'drop_index' })).entries).toMatchObject([
      { target: `${PKEY}_ccnew`, after: null },
    ]);
  });

  test('and where it gave up only on the way to drop the old one, the index is rebuilt all the same', async () => {
    await bloat();
    await query('DROP INDEX duework.job_keys_needed_at_idx');
    await withServer(database.url, async (client) => {
      // reading keeps from its end what is only dropped then
      const read = async (): Promise<void> => {
        await client.query('BEGIN');
        await client.query('SELECT FROM duework.job_keys LIMIT 1');
      };
      const options = { limits, act, cancelThrough: db, lockTimeoutMs: 1_500 };
      expect(await careForIndexes(gated(session, /^REINDEX/, read), options)).toMatchObject({
        rebuilt: [{ name: PKEY }],
        left: [{ name: `${PKEY}_ccold`, reason: 'lock_held' }],
      });
      await client.query('COMMIT');
    });
    expect(await statesOf()).toMatchObject({ [PKEY]: 'good', [`${PKEY}_ccold`]: 'left_over' });
    expect(await care()).toEqual({ rebuilt: [], dropped: [`${PKEY}_ccold`], left: [] });
  });

  /** A transaction writes to the table just when the rebuild begins, and ends when that was given up, or at the end. */
  async function meetLocker(endsEarly: boolean): Promise<IndexCare> {
    return withServer(database.url, async (client) => {
      let begun!: Promise<unknown>;
      const caring = careForIndexes(
        gated(session, /^REINDEX/, () => writeIn(client)),
        {
          limits,
          act,
          cancelThrough: db,
          lockTimeoutMs: 1_500,
        },
      );
      if (endsEarly) begun = untilDropped().then(() => client.query('COMMIT'));
      const done = await caring;
      await begun;
      await client.query('COMMIT');
      return done!;
    });
  }

  async function untilDropped(): Promise<void> {
    const drops = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'DROP INDEX%' AND wait_event_type = 'Lock' AND datname = current_database()`;
    await withServer(database.url, async (client) => {
      while ((await client.query(drops)).rowCount === 0);
    });
  }
});

/** Begins a transaction that a rebuild waits for at its first step. */
async function writeIn(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query('BEGIN');
  await client.query(`UPDATE duework.job_keys SET run_id = run_id WHERE key = 'k20'`);
}

/** A session before a statement of which something happens, once. */
function gated(of: OwnerSession, statement: RegExp, happen: () => Promise<void>): OwnerSession {
  let hasHappened = false;
  return {
    ...of,
    async $queryRaw<T>(sent: { readonly text: string; readonly values: readonly unknown[] }) {
      if (statement.test(sent.text) && !hasHappened) {
        hasHappened = true;
        await happen();
      }
      return of.$queryRaw<T>(sent);
    },
  };
}

test('a rebuild whose session is killed is finished by the next one', async () => {
  await bloat();
  await query('DROP INDEX duework.job_keys_needed_at_idx');
  await withServer(database.url, async (client) => {
    const killed = careForIndexes(
      gated(session, /^REINDEX/, () => writeIn(client)),
      {
        limits,
        cancelThrough: db,
        lockTimeoutMs: 60_000,
      },
    );
    const refused = killed.catch((error: unknown) => error);
    await untilItWaits();
    expect(await statesOf()).toMatchObject({ [`${PKEY}_ccnew`]: 'in_work' });
    expect((await runDoctor(db, { endOfMajor: {} })).findings.map(({ code }) => code)).not.toContain('index_invalid');
    await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${APPLICATION}' AND datname = current_database()`,
    );
    expect(await refused).toMatchObject({ code: '57P01' });
    await client.query('COMMIT');
  });
  expect(await statesOf()).toMatchObject({ [`${PKEY}_ccnew`]: 'left_over' });
  const next = await openOwnerSession(database.url, APPLICATION);
  try {
    expect(await careForIndexes(next, { limits, cancelThrough: db, lockTimeoutMs: 1_500 })).toMatchObject({
      dropped: [`${PKEY}_ccnew`],
      rebuilt: [{ name: PKEY }],
      left: [],
    });
  } finally {
    await next.close();
  }
  expect(await wrongOf()).toEqual([]);
});

test('when it is interrupted it cancels its statement, and leaves nothing behind', async () => {
  await bloat();
  await query('DROP INDEX duework.job_keys_needed_at_idx');
  const stop = new AbortController();
  await withServer(database.url, async (client) => {
    const commit = async (): Promise<void> => void (await client.query('COMMIT'));
    const caring = careForIndexes(
      gated(
        gated(session, /^REINDEX/, () => writeIn(client)),
        /^DROP/,
        commit,
      ),
      {
        limits,
        cancelThrough: db,
        lockTimeoutMs: 60_000,
        signal: stop.signal,
      },
    );
    await untilItWaits();
    stop.abort();
    expect(await caring).toEqual({
      rebuilt: [],
      dropped: [`${PKEY}_ccnew`],
      left: [{ name: PKEY, reason: 'interrupted', who: expect.any(String) }],
    });
  });
});

test('a role that does not own the schema is told who may, and a pooler is refused', async () => {
  const url = new URL(database.url);
  [url.username, url.password] = [`stranger_${database.name}`, 'x'];
  await query(`CREATE ROLE ${url.username} LOGIN PASSWORD 'x'`);
  try {
    await expect(openOwnerSession(String(url), APPLICATION)).rejects.toMatchObject({
      code: 'database_permission_denied',
      fix: expect.stringContaining('npx duework indexes --rebuild'),
    });
  } finally {
    await query(`DROP ROLE ${url.username}`);
  }
  await expect(openOwnerSession(`${database.url}?pgbouncer=true`, APPLICATION)).rejects.toMatchObject({
    code: 'session_needed',
  });
});

test('an index of the queue is rebuilt beside enqueues and claims, and every job is done', async () => {
  await registerDefinitions(db, [echo]);
  await enqueueMany(
    db,
    Array.from({ length: 10_000 }, (_, n) => jobRequest(echo, { n })),
  );
  await query('DELETE FROM duework.job_runs', 'VACUUM ANALYZE duework.job_runs');
  const store = createPostgresStore({ db });
  const ended = new AbortController();
  let enqueued = 0;
  const enqueueUntil = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await enqueueMany(db, [jobRequest(echo, { n: 1 })]);
      enqueued++;
    }
  };
  const workUntil = async (): Promise<void> => {
    for (let runs = await claim(db, 10); runs.length > 0 || !ended.signal.aborted; runs = await claim(db, 10))
      await store.settle(runs.map(({ id, fence }) => ({ id, fence, kind: 'complete', result: null })));
  };
  const live = Promise.all([enqueueUntil(), enqueueUntil(), workUntil()]);
  const done = await care({ lockTimeoutMs: 20_000 }).finally(() => ended.abort());
  await live;
  expect(done).toMatchObject({ left: [], dropped: [] });
  expect(done!.rebuilt.map(({ name }) => name)).toContain('job_runs_claim_idx');
  await withServer(database.url, async (client) => {
    const { rows } = await client.query('SELECT status, count(*)::int AS count FROM duework.jobs GROUP BY status');
    expect(rows).toEqual([{ status: 'succeeded', count: enqueued }]);
  });
  expect(await wrongOf()).toEqual([]);
});
