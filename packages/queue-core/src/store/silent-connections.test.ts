import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectPg, connectPrisma } from '@duework/database';
import { defineCatalog, defineJob } from '@duework/contracts';
import { queryRows, sql, type Queryable } from '@duework/sql';
import { startTestWorker } from '@duework/testing';
import { gate, startCuttableProxy, useTestDatabase, type CuttableProxy } from '@duework/testing/fixtures';
import { afterAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';

const DIR = fileURLToPath(new URL('.', import.meta.url));
const database = useTestDatabase();
const echo = defineJob({ type: 'echo', payload: z.object({ n: z.int() }), timeout: '5m' });
const catalog = defineCatalog([echo]);

/** All of them wait for the same seconds of silence: at the same time, each behind a proxy of its own. */
const proxies: CuttableProxy[] = [];
async function startProxy(): Promise<CuttableProxy & { silence: () => void }> {
  const proxy = await startCuttableProxy(database.url);
  proxies.push(proxy);
  // every open connection goes silent without an end, as behind a NAT that forgot it; new ones work
  const silence = (): void => {
    proxy.cut();
    proxy.mend();
  };
  return { ...proxy, silence };
}
afterAll(() => {
  for (const proxy of proxies) proxy.stop();
});

const CLIENTS = [
  ['pg', connectPg],
  ['Prisma', connectPrisma],
] as const;
const ask = (db: Queryable): Promise<unknown> => queryRows(db, sql`SELECT 1 AS one`);
/** Sessions that have got a whole statement and have not answered it. */
const atWork = (): Promise<unknown[]> =>
  queryRows(
    database.db,
    sql`
      SELECT pid FROM pg_stat_activity
      WHERE application_name = 'silenced' AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'`,
  );

test.concurrent.each(CLIENTS)(
  '%s gives up a connection that has gone silent, and goes on with a new one',
  async (_, connect) => {
    const proxy = await startProxy();
    const db = connect({ url: proxy.url, poolSize: 1 });
    await ask(db);
    proxy.silence();
    await expect(ask(db)).rejects.toThrow(/does not answer any more|terminated/);
    expect(await ask(db)).toEqual([{ one: 1 }]);
    await db.$disconnect();
  },
);

test.concurrent('a statement that waited for its connection is watched, too', async () => {
  const proxy = await startProxy();
  const db = connectPg({ url: proxy.url, poolSize: 1 });
  const first = ask(db);
  const second = queryRows(db, sql`SELECT 1 AS one FROM pg_sleep(1)`);
  await first;
  proxy.silence();
  await expect(second).rejects.toThrow(/does not answer any more/);
  await db.$disconnect();
});

test.concurrent('a transaction whose connection has gone silent lets go of its locks', async () => {
  const proxy = await startProxy();
  const db = connectPg({ url: proxy.url, poolSize: 1 });
  const lock = sql`SELECT pg_advisory_xact_lock(1)::text`;
  const left = db.$transaction(
    async (tx) => {
      await queryRows(tx, lock);
      proxy.silence();
      await ask(tx);
    },
    { timeout: 50_000 },
  );
  await expect(left).rejects.toThrow(/does not answer any more/);
  await queryRows(database.db, lock);
  await db.$disconnect();
});

test.concurrent('a statement that takes long goes on', async () => {
  const proxy = await startProxy();
  const db = connectPg({ url: proxy.url, poolSize: 1 });
  expect(await queryRows(db, sql`SELECT 1 AS one FROM pg_sleep(8)`)).toEqual([{ one: 1 }]);
  await db.$disconnect();
});

test.concurrent('a worker whose connections have gone silent settles what has ended meanwhile, and claims what has come', async () => {
  const proxy = await startProxy();
  const db = connectPg({ url: proxy.url, poolSize: 4, applicationName: 'silenced' });
  const finish = gate();
  const { worker, events } = await startTestWorker<typeof catalog>(db, {
    catalog,
    handlers: { echo: ({ payload }) => (payload.n === 0 ? finish.promise : undefined) },
  });
  await enqueue(database.db, echo, { n: 0 });
  await events.waitFor('job.claimed');
  proxy.silence();
  finish.open();
  // a claim that is in the server already would take the job with it, until its lease is over
  while ((await atWork()).length > 0);
  await enqueue(database.db, echo, { n: 1 });
  await events.waitFor('job.succeeded', 2);
  await worker.stop({ deadlineMs: 0 });
  await db.$disconnect();
});

const BUSY = `
  import { connectPg } from '@duework/database';
  import { queryRows, sql } from '@duework/sql';
  const db = connectPg({ url: process.env.SERVER, poolSize: 1 });
  const session = async (statement) => (await queryRows(db, statement))[0].pid;
  const first = await session(sql\`SELECT pg_backend_pid() AS pid\`);
  // after the first look, and beyond the second one, whose timer then comes before what there is to read
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  setTimeout(() => setImmediate(block), 3_200);
  await queryRows(db, sql\`SELECT pg_sleep(4)::text\`);
  await new Promise((done) => setTimeout(done, 1_500));
  console.log((await session(sql\`SELECT pg_backend_pid() AS pid\`)) === first);
  await db.$disconnect();`;

test.concurrent('an answer that comes while the process is busy is read, and its session goes on', async () => {
  const env = { ...process.env, NODE_OPTIONS: '', SERVER: database.url };
  const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUSY], { cwd: DIR, env });
  expect(await child).toEqual({ stdout: 'true\n', stderr: '' });
});
