import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import type { Prisma } from '@duework/database';
import { findTestNativeDir } from '@duework/database/testing';
import { pauseQueue, resumeQueue, runDoctor } from '@duework/operate';
import { cancelJob, enqueue, enqueueBatch, enqueueMany, jobRequest, registerDefinitions } from '@duework/queue-core';
import { saveSchedule } from '@duework/schedules';
import { startTestWorker } from '@duework/testing';
import { useOwnServer } from '@duework/testing/fixtures';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';

const nativeDir = findTestNativeDir();
/** Since PostgreSQL 17 the queue of notifications can be made small; before, it has 8 GB. */
const canBeSmall =
  nativeDir === undefined ||
  Number(/ (\d+)/.exec(execFileSync(join(nativeDir, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' }))![1]) >=
    17;
const server = useOwnServer({
  max_prepared_transactions: '10',
  ...(canBeSmall ? { max_notify_queue_pages: '64' } : {}),
});

const echo = defineJob({ type: 'echo', payload: z.object({ n: z.int() }) });
const newest = defineJob({
  type: 'newest',
  payload: z.object({ n: z.int() }),
  unique: { by: 'n', onConflict: 'replace' },
});
const limited = defineJob({ type: 'limited', payload: z.object({ n: z.int() }), limits: [{ name: 'smtp', max: 1 }] });
const catalog = defineCatalog([echo, newest, limited]);
const handlers = { echo: () => {}, newest: () => {}, limited: () => {} };

const sessions: pg.Client[] = [];
async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  sessions.push(client);
  await client.connect();
  return client;
}
const closing: (() => Promise<unknown>)[] = [];
beforeAll(() => registerDefinitions(server.db, catalog));
beforeEach(() => server.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_keys`);
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  await Promise.all(sessions.splice(0).map((client) => client.end()));
});

/** Every verb that wakes workers, or tells them something, in one transaction. */
const doAll = (notify: 'on' | 'off', end: (tx: Prisma.TransactionClient) => Promise<unknown>) =>
  server.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('duework.notify', ${notify}::text, true)`;
    await enqueue(tx, echo, { n: 1 });
    await enqueueMany(tx, [jobRequest(echo, { n: 2 }), jobRequest(limited, { n: 2 }, { idempotencyKey: 'two' })]);
    await enqueue(tx, newest, { n: 3 });
    await enqueue(tx, newest, { n: 3 });
    await enqueueBatch(tx, { jobs: [jobRequest(echo, { n: 4 })] });
    await tx.$executeRaw`SELECT duework.enqueue('echo', '{"n": 5}')`;
    await cancelJob(tx, (await enqueue(tx, echo, { n: 6 }, { delay: '1h' })).id);
    await pauseQueue(tx, 'default');
    await resumeQueue(tx, 'default');
    await saveSchedule(tx, echo, { key: 'daily', every: '24h', payload: { n: 7 } });
    await end(tx);
  });

const runAll = async (count: number): Promise<void> => {
  const { worker, events } = await startTestWorker<typeof catalog>(server.db, { catalog, handlers });
  closing.push(() => worker.stop({ deadlineMs: 0 }));
  await events.waitFor('job.succeeded', count);
};

test('a two-phase commit goes through where its transaction wants no notifications, and workers find the jobs', async () => {
  await doAll('off', (tx) => tx.$executeRaw`PREPARE TRANSACTION 'two phases'`);
  expect(await server.db.jobRun.count()).toBe(0);
  await server.db.$executeRaw`COMMIT PREPARED 'two phases'`;
  await runAll(6);
  // as it is without
  const refused = server.db.$transaction(async (tx) => {
    await enqueue(tx, echo, { n: 1 });
    await tx.$executeRaw`PREPARE TRANSACTION 'refused'`;
  });
  await expect(refused).rejects.toThrow('NOTIFY');
});

if (canBeSmall)
  test('a queue of notifications that is full keeps nobody from enqueueing, and workers find the jobs; the doctor says who fills it', async () => {
    const [idle, filling] = [await open(), await open()];
    await idle.query('LISTEN filler');
    await idle.query('BEGIN');
    await idle.query('SELECT 1');
    const fill = async (): Promise<string | undefined> => {
      for (let n = 0; n < 1_000; n++) {
        const full = await filling
          .query(`SELECT pg_notify('filler', $1)`, [`${n}${'x'.repeat(7_900)}`])
          .catch((e) => e);
        if (full instanceof Error) return full.message;
      }
      return undefined;
    };
    expect(await fill()).toBe('too many notifications in the NOTIFY queue');
    await server.db.$transaction((tx) => enqueue(tx, echo, { n: 0 }));
    await doAll('on', async () => {});
    await server.db.$transaction(async (tx) => void (await enqueue(tx, limited, { n: 8 })));
    await runAll(8);
    const { findings } = await runDoctor(server.db);
    expect(findings.find(({ code }) => code === 'notifications_stuck')).toMatchObject({ about: 'the server' });
    await idle.query('ROLLBACK');
    // the listener has them, and room is made again
    while ((await runDoctor(server.db)).findings.some(({ code }) => code === 'notifications_stuck'));
    await filling.query(`SELECT pg_notify('filler', '')`);
  });
