import { defineCatalog, defineJob } from '@duework/contracts';
import { Prisma } from '@duework/database';
import { moveOrigin, runDoctor } from '@duework/operate';
import { enqueue, findJobs, getJob, retryJob } from '@duework/queue-core';
import { saveSchedule, findSchedules } from '@duework/schedules';
import { emptyTables, useOwnServer } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const settings = { wal_level: 'logical', max_replication_slots: '10', max_wal_senders: '10' };
const [old, next] = [useOwnServer(settings), useOwnServer(settings)];
const mail = defineJob({ type: 'mail', payload: z.object({ n: z.int() }), maxAttempts: 1 });
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const sent: string[] = [];

const work = (databaseUrl: string, as: string): Promise<unknown> =>
  runWorker({
    catalog: defineCatalog([mail]),
    handlers: {
      mail: ({ payload: { n } }) => {
        if (n === 0) throw new Error('no');
        sent.push(`${as} ${n}`);
      },
    },
    databaseUrl,
    workerPort: 'none',
    log: silent,
    handleSignals: false,
    once: { maxRuntime: '20s' },
  }).catch((error: unknown) => error);

/** Resolves when the next server has all that the old one has committed. */
async function untilCaughtUp(): Promise<void> {
  const [{ lsn }] = await old.db.$queryRaw<[{ lsn: string }]>`SELECT pg_current_wal_lsn()::text AS lsn`;
  const isThere = async (): Promise<boolean> => {
    const rows = await old.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_replication_slots WHERE slot_name = 'next' AND confirmed_flush_lsn >= ${lsn}::text::pg_lsn`;
    const copying = await next.db.$queryRaw<unknown[]>`SELECT 1 FROM pg_subscription_rel WHERE srsubstate <> 'r'`;
    return rows.length === 1 && copying.length === 0;
  };
  while (!(await isThere()));
}

test('a system moves to another server by logical replication: nothing is done twice, nothing is lost, and ids go on', async () => {
  await enqueue(old.db, mail, { n: 1 });
  const dead = await enqueue(old.db, mail, { n: 0 });
  expect(await work(old.url, 'old')).toBe(4);
  await saveSchedule(old.db, mail, { key: 'daily', every: '24h', payload: { n: 9 } });

  // the schema is there, and nothing in it
  await emptyTables(next.db, 'migrations');
  await old.db.$executeRaw`CREATE PUBLICATION moving FOR ALL TABLES`;
  const { hostname, port, username, password, pathname } = new URL(old.url);
  const to = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} dbname=${pathname.slice(1)}`;
  await next.db.$executeRaw(Prisma.raw(`CREATE SUBSCRIPTION next CONNECTION '${to}' PUBLICATION moving`));
  await untilCaughtUp();
  // of every kind of change: written, claimed, moved to the history, and taken from it
  const kept = await enqueue(old.db, mail, { n: 2 }, { idempotencyKey: 'two' });
  expect(await work(old.url, 'old')).toBe(0);
  const waiting = await enqueue(old.db, mail, { n: 3 }, { idempotencyKey: 'three' });
  await retryJob(old.db, dead.id);
  await untilCaughtUp();

  expect(await work(next.url, 'next')).toMatchObject({ code: 'database_copied' });
  await next.db.$executeRaw`DROP SUBSCRIPTION next`;
  await moveOrigin(next.db);
  expect((await runDoctor(next.db)).findings.map(({ code }) => code)).not.toContain('schema_changed');
  const fresh = await enqueue(next.db, mail, { n: 4 });
  expect(BigInt(fresh.id)).toBeGreaterThan(BigInt(waiting.id));
  expect((await enqueue(next.db, mail, { n: 2 }, { idempotencyKey: 'two' })).id).toBe(kept.id);
  expect(await work(next.url, 'next')).toBe(4);
  expect(sent).toEqual(['old 1', 'old 2', 'next 3', 'next 4']);
  expect((await getJob(next.db, dead.id)).job).toMatchObject({ status: 'dead' });
  expect((await findJobs(next.db, { status: 'succeeded' })).jobs).toHaveLength(4);
  expect((await findSchedules(next.db)).schedules).toMatchObject([{ key: 'daily' }]);
});
