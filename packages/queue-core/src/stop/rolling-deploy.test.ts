import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Prisma } from '@duework/database';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { programPath, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
const children = new Set<ChildProcess>();

beforeEach(async () => {
  await database.db.$executeRaw`CREATE TABLE promised (id bigint PRIMARY KEY, version integer NOT NULL)`;
  await database.db
    .$executeRaw`CREATE TABLE ran (id bigint, stored_version integer, worker_version integer, payload jsonb)`;
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

type Role = 'producer' | 'worker';
interface Program {
  stop(): Promise<void>;
}

/** A program of that version, in a process of its own. */
function start(role: Role, version: 1 | 2): Program {
  const child = spawn(process.execPath, [programPath('deploy-program.mjs'), database.url, role, String(version)], {
    stdio: 'inherit',
  });
  children.add(child);
  return {
    async stop() {
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      children.delete(child);
    },
  };
}

async function count(query: string): Promise<number> {
  const [row] = await database.db.$queryRaw<{ count: number }[]>(
    Prisma.raw(`SELECT count(*)::int AS count FROM ${query}`),
  );
  return row!.count;
}

/** Waits until there are so many rows more than now. */
async function untilMore(query: string, more: number): Promise<void> {
  const wanted = (await count(query)) + more;
  while ((await count(query)) < wanted) await pause(20);
}
const ranOn = (worker: 1 | 2, stored: 1 | 2): string =>
  `ran WHERE worker_version = ${worker} AND stored_version = ${stored}`;

test('a deploy rolls forward, back and forward while both versions are enqueued: nothing is dead or lost, each run runs once, and gets the shape of its worker', async () => {
  const oldProducer = start('producer', 1);
  let oldWorker = start('worker', 1);
  await untilMore(ranOn(1, 1), 20);

  // the producers come first: what the new ones enqueue waits as it is, and what comes behind it is run
  const newProducer = start('producer', 2);
  await untilMore('promised WHERE version = 2', 20);
  await untilMore(ranOn(1, 1), 20);
  const waiting = await count(`promised WHERE version = 2`);
  expect(
    await count(`duework.job_runs WHERE job_version = 2 AND status = 'queued' AND attempts = 0 AND fence = 0`),
  ).toBeGreaterThanOrEqual(waiting);
  expect(await count('ran WHERE stored_version = 2')).toBe(0);

  // both workers side by side, and then the new one alone
  let newWorker = start('worker', 2);
  await untilMore(ranOn(2, 2), waiting);
  await untilMore(ranOn(2, 1), 20);
  await oldWorker.stop();
  await untilMore(ranOn(2, 1), 20);

  // back: the new runs wait again
  oldWorker = start('worker', 1);
  await untilMore(ranOn(1, 1), 20);
  await newWorker.stop();
  await untilMore(ranOn(1, 1), 20);
  const before = await count('ran WHERE stored_version = 2');
  await untilMore('promised WHERE version = 2', 20);
  expect(await count('ran WHERE stored_version = 2')).toBe(before);

  // forward, to the end
  newWorker = start('worker', 2);
  await untilMore(ranOn(2, 2), 20);
  await Promise.all([oldProducer.stop(), newProducer.stop(), oldWorker.stop()]);
  while ((await count('duework.job_runs')) > 0) await pause(20);
  await newWorker.stop();

  const promised = await count('promised');
  expect(await count(`duework.job_history WHERE status = 'succeeded' AND attempts = 1`)).toBe(promised);
  expect(await count('duework.job_history')).toBe(promised);
  expect(await count('ran')).toBe(promised);
  expect(await count('promised JOIN ran USING (id) WHERE stored_version = version')).toBe(promised);
  const shapes = await database.db.$queryRaw`
    SELECT DISTINCT stored_version, worker_version, ARRAY(SELECT jsonb_object_keys(payload) ORDER BY 1) AS fields,
      payload ->> 'unit' AS unit
    FROM ran ORDER BY 1, 2`;
  expect(shapes).toEqual([
    { stored_version: 1, worker_version: 1, fields: ['n'], unit: null },
    { stored_version: 1, worker_version: 2, fields: ['number', 'unit'], unit: 'metre' },
    { stored_version: 2, worker_version: 2, fields: ['number', 'unit'], unit: 'foot' },
  ]);
});
