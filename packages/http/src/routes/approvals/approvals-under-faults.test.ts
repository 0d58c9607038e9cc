import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { defineJob } from '@duework/contracts';
import { createKey, readAudit } from '@duework/operate';
import { createKeyRing, enqueue, getJob, setKeyRing } from '@duework/queue-core';
import { programPath, untilJob } from '@duework/testing/fixtures';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { ask, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi((parts) => ({ authorize: authorizeByKey(parts.db) }));
const refund = defineJob({ type: 'refund', payload: z.object({ n: z.int() }), durable: true, maxAttempts: 100 });
const JOBS = 40;
/** So many decisions after each of which the worker is killed. */
const EVERY = 5;

let worker: ChildProcess | undefined;
async function startWorker(): Promise<void> {
  worker = spawn(process.execPath, [programPath('approval-program.mjs'), api.databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout!, 'data');
}
/** As a machine that loses its power; its leases are over at once, so that nobody waits for them. */
async function killWorker(): Promise<void> {
  const gone = once(worker!, 'exit');
  worker!.kill('SIGKILL');
  await gone;
  await api.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 ms' WHERE status = 'running'`;
}

let headers: Record<string, string> = {};
beforeAll(async () => {
  setKeyRing(createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } }));
  await api.db.$executeRaw`CREATE TABLE asked (n integer NOT NULL, link text NOT NULL)`;
  await api.db.$executeRaw`CREATE TABLE did (n integer NOT NULL, choice text NOT NULL)`;
  const { text } = await createKey(api.db, { name: 'desk', scopes: ['approve'] });
  headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' };
});
afterAll(async () => {
  setKeyRing(null);
  worker?.kill('SIGKILL');
});

const linkOf = async (n: number): Promise<string> => {
  for (;;) {
    const [row] = await api.db.$queryRaw<{ link: string }[]>`SELECT link FROM asked WHERE n = ${n}::integer LIMIT 1`;
    if (row !== undefined) return row.link;
    await pause(10);
  }
};

/** A link and a key decide at the same moment, again while the job is only about to wait; which of them it was. */
async function decide(id: string, n: number): Promise<string> {
  const link = api.url + (await linkOf(n));
  for (;;) {
    const [byLink, byKey] = await Promise.all([
      ask(link, { method: 'POST', body: new URLSearchParams({ choice: 'refund' }) }),
      api.post(`/v1/jobs/${id}/approve`, { choice: 'refuse' }, headers),
    ]);
    expect([byLink.status, byKey.status]).toEqual(expect.arrayContaining([409]));
    if (byLink.status === 200) return 'refund';
    if (byKey.status === 200) return 'refuse';
  }
}

test('a worker is killed again and again while links and keys decide at once: one decision each, none lost, all done once', async () => {
  await startWorker();
  const ids: string[] = [];
  for (let n = 0; n < JOBS; n++) ids.push((await enqueue(api.db, refund, { n })).id);
  const chosen: string[] = [];
  for (const [n, id] of ids.entries()) {
    // the next ones are asked while it is away
    if (n % EVERY === EVERY - 1) await killWorker();
    const deciding = decide(id, n);
    if (n % EVERY === EVERY - 1) await startWorker();
    chosen.push(await deciding);
  }
  for (const [n, id] of ids.entries()) {
    await untilJob(api.db, id);
    const { job } = await getJob(api.db, id);
    const by = chosen[n] === 'refund' ? 'link:boss' : 'key:desk';
    expect(job).toMatchObject({ status: 'succeeded', result: { choice: chosen[n], by } });
    const { entries } = await readAudit(api.db, { kind: 'job', target: id });
    expect(entries).toMatchObject([{ verb: 'approve', by, after: { choice: chosen[n] } }]);
  }
  const did = await api.db.$queryRaw<{ n: number; choice: string }[]>`SELECT n, choice FROM did ORDER BY n`;
  expect(did).toEqual(chosen.map((choice, n) => ({ n, choice })));
  await killWorker();
}, 120_000);
