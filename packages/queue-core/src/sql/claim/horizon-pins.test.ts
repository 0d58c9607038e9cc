import { Prisma } from '@duework/database';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { createPinner, emptyTables, type Pin, useOwnServer } from '@duework/testing/fixtures';
import type { AlertLimits } from '../../ports/alerts.js';
import { lookForAlerts } from '../upkeep/look-for-alerts.js';
import { readHorizonAge } from '../upkeep/read-horizon-age.js';

/** Nothing but what the tests do may hold a snapshot. */
const server = useOwnServer({ autovacuum: 'off', max_prepared_transactions: '5', wal_level: 'logical' });
const pinner = createPinner(() => server.url);

beforeAll(async () => {
  await server.db.$executeRaw`CREATE DATABASE elsewhere`;
  for (const name of ['probe', 'other'])
    await server.db.$executeRaw(
      Prisma.raw(`CREATE TABLE public.${name} AS SELECT n FROM generate_series(1, 20000) AS n`),
    );
});
afterEach(async () => {
  await pinner.release();
  await emptyTables(server.db, 'xid_samples, job_alerts');
});

interface PinRow {
  readonly kind: string;
  readonly pid: number | null;
  readonly name: string | null;
  readonly database: string | null;
  readonly application_name: string | null;
  readonly state: string | null;
  readonly transaction_seconds: number | null;
  readonly pinned_seconds: number;
  readonly query: string | null;
  readonly remedy: string;
}
const readPins = () => server.db.$queryRaw<PinRow[]>`SELECT * FROM duework.horizon_pins`;

/** Deletes a row, and returns how many dead ones VACUUM says it may not remove yet. */
async function countUnremovable(): Promise<number> {
  const client = await pinner.connect('vacuum');
  await client.query('DELETE FROM public.probe WHERE n = (SELECT min(n) FROM public.probe)');
  const told: string[] = [];
  client.on('notice', ({ message, detail }) => told.push(`${message}\n${detail}`));
  await client.query('VACUUM (VERBOSE) public.probe');
  await client.end();
  const [, count] =
    /(\d+) (?:are dead but not yet removable|dead row versions cannot be removed yet)/.exec(told.join('\n')) ?? [];
  return Number(count);
}

const { session, call, sessionElsewhere } = pinner;
const pins: [string, () => Promise<Pin>, Partial<PinRow>][] = [
  [
    'a session that has written and idles in its transaction',
    () => session('BEGIN', 'CREATE TEMP TABLE t ()'),
    { kind: 'session', state: 'idle in transaction', query: 'CREATE TEMP TABLE t ()' },
  ],
  [
    'a session that keeps one snapshot',
    () => session('BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1'),
    { kind: 'session', state: 'idle in transaction' },
  ],
  [
    'an open cursor',
    () => session('BEGIN', 'DECLARE c CURSOR FOR SELECT n FROM public.other', 'FETCH c'),
    { kind: 'session', query: 'FETCH c' },
  ],
  [
    'a statement that runs',
    () => call('SELECT pg_sleep(600)'),
    { kind: 'session', state: 'active', query: 'SELECT pg_sleep(600)' },
  ],
  ['ANALYZE', () => call('ANALYZE public.other'), { kind: 'session', query: 'ANALYZE public.other' }],
  [
    'a prepared transaction',
    () => pinner.prepared(`order 7's`),
    {
      kind: 'prepared_transaction',
      name: `order 7's`,
      remedy: `in database postgres: COMMIT PREPARED 'order 7''s' or ROLLBACK PREPARED 'order 7''s'`,
    },
  ],
  [
    'a standby that sends feedback',
    () => pinner.standby(null),
    { kind: 'standby', state: 'streaming', transaction_seconds: null },
  ],
  [
    'the slot of a standby that sends feedback',
    () => pinner.standby('replica'),
    { kind: 'replication_slot', name: 'replica', state: 'active' },
  ],
  [
    'the slot of a standby that is gone',
    () => pinner.standby('replica', { isGone: true }),
    { kind: 'replication_slot', pid: null, state: 'inactive' },
  ],
];
test.each(pins)('%s keeps VACUUM from removing rows, and is listed as a pin', async (_, arrange, facts) => {
  const pin = await arrange();
  expect(await countUnremovable()).toBeGreaterThan(0);
  expect(await readPins()).toMatchObject([{ ...(pin.pid === undefined ? {} : { pid: pin.pid }), ...facts }]);
});

const harmless: [string, () => Promise<Pin>][] = [
  ['a session that idles in a transaction without a snapshot', () => session('BEGIN', 'SELECT 1')],
  ['a session that listens', () => session('LISTEN duework')],
  [
    'a session of another database that keeps a snapshot',
    () => sessionElsewhere('BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1'),
  ],
  ['VACUUM', () => call('VACUUM (DISABLE_PAGE_SKIPPING) public.other')],
  ['a logical slot', () => pinner.logicalSlot('changes')],
];
test.each(harmless)('%s keeps no row from being removed, and is not listed as a pin', async (_, arrange) => {
  await arrange();
  expect(await readPins()).toEqual([]);
  expect(await countUnremovable()).toBe(0);
});

test('a transaction of another database that has written pins through the snapshots taken here, and is listed before them', async () => {
  const writer = await sessionElsewhere('BEGIN', 'CREATE TEMP TABLE t ()');
  expect(await countUnremovable()).toBe(0);
  const reader = await session('BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1');
  await countUnremovable();
  expect(await countUnremovable()).toBeGreaterThan(0);
  expect(await readPins()).toMatchObject([
    { pid: writer.pid, database: 'elsewhere' },
    { pid: reader.pid, database: 'postgres' },
  ]);
});

test('a transaction that takes a new snapshot for each statement pins since its statement, and not since it began', async () => {
  const client = await pinner.connect('batch');
  await client.query('BEGIN');
  await server.db.$executeRaw`INSERT INTO duework.xid_samples (seen_at) VALUES (clock_timestamp())`;
  const pid = await pinner.start(client, 'SELECT pg_sleep(600)');
  const [pin] = await readPins();
  expect(pin).toMatchObject({ pid });
  expect(pin!.pinned_seconds).toBeLessThan(pin!.transaction_seconds!);
});

test('a transaction that began after the query’s own has pinned for 0 seconds, not for less', async () => {
  const looking = await pinner.connect('looking');
  await looking.query('BEGIN');
  const { pid } = await session('BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1');
  const { rows } = await looking.query<PinRow>('SELECT * FROM duework.horizon_pins');
  expect(rows).toMatchObject([{ pid, pinned_seconds: 0, transaction_seconds: 0 }]);
});

test('a reader without pg_read_all_stats sees who pins and for how long at least, but not the query', async () => {
  const { pid } = await session('BEGIN', 'CREATE TEMP TABLE t (secret text)');
  await server.db.$executeRaw`CREATE ROLE reader`;
  await server.db.$executeRaw`GRANT USAGE ON SCHEMA duework TO reader`;
  await server.db.$executeRaw`GRANT SELECT ON duework.horizon_pins TO reader`;
  await server.db
    .$executeRaw`INSERT INTO duework.xid_samples (seen_at, xid) SELECT now() - interval '1 hour', pg_current_xact_id()::xid`;
  const client = await pinner.connect('reader');
  const { rows } = await client
    .query<PinRow>('SET ROLE reader; SELECT * FROM duework.horizon_pins')
    .then((results) => (results as unknown as { rows: PinRow[] }[])[1]!);
  expect(rows).toMatchObject([
    {
      kind: 'session',
      pid,
      application_name: 'pinner',
      state: null,
      query: '<insufficient privilege>',
      transaction_seconds: null,
    },
  ]);
  expect(rows[0]!.pinned_seconds).toBeGreaterThanOrEqual(3_600);
});

const look = (limits: AlertLimits) => lookForAlerts(server.db, limits, []);
const limits = (maxHorizonSeconds: number): AlertLimits => ({ maxHorizonSeconds });

test('a session that pins for longer than the limit raises one alert, which names it and shows none of its values', async () => {
  const { pid } = await session('BEGIN', 'CREATE TEMP TABLE t AS SELECT 4711 AS card');
  expect(await look(limits(60))).toEqual([]);
  // those who look at the same time pin, too, for as long as they look
  const own = async () => (await look(limits(0))).filter(({ subject }) => subject === `session ${pid}`);
  const raised = (await Promise.all(Array.from({ length: 5 }, own))).flat();
  expect(raised).toMatchObject([
    {
      name: 'horizon_pinned',
      subject: `session ${pid}`,
      facts: {
        kind: 'session',
        pid,
        database: 'postgres',
        user: 'postgres',
        application: 'pinner',
        state: 'idle in transaction',
        command: 'CREATE',
        limit: 0,
        pinnedSeconds: expect.any(Number),
        transactionSeconds: expect.any(Number),
        deadRuns: expect.any(Number),
        remedy: `SELECT pg_terminate_backend(${pid})`,
      },
    },
  ]);
  expect(JSON.stringify(raised)).not.toContain('4711');
  expect(await own()).toEqual([]);
  await server.db.$executeRaw`UPDATE duework.job_alerts SET told_at = now() - interval '61 min'`;
  expect(await own()).toMatchObject([{ status: 'lasts' }]);
});

test('a pin without a time of its own counts since the first sample after it', async () => {
  await pinner.standby('replica', { isGone: true });
  expect(await look(limits(0))).toEqual([]);
  expect(await readHorizonAge(server.db)).toBe(0);
  await server.db.$executeRaw`CREATE TABLE public.later ()`;
  await server.db
    .$executeRaw`UPDATE duework.xid_samples SET seen_at = seen_at - interval '10 minutes', xid = pg_snapshot_xmax(pg_current_snapshot())::xid`;
  expect(await readHorizonAge(server.db)).toBeGreaterThanOrEqual(600);
  expect(await look(limits(300))).toMatchObject([{ facts: { kind: 'replication_slot', name: 'replica' } }]);
});

test('many checks within a minute leave one sample, and samples are kept for a day', async () => {
  await server.db.$executeRaw`INSERT INTO duework.xid_samples (seen_at) VALUES (now() - interval '25 hours')`;
  const count = (seenAt = {}) => server.db.xidSample.count({ where: { seenAt } });
  for (let n = 0; n < 3; n++) await look(limits(0));
  // the old one says that nobody has looked for long, and goes when somebody has for a minute
  expect(await count()).toBe(2);
  await server.db.$executeRaw`UPDATE duework.xid_samples SET seen_at = seen_at - interval '1 minute'`;
  await look(limits(0));
  expect([await count(), await count({ lt: new Date(Date.now() - 86_400_000) })]).toEqual([2, 0]);
});
