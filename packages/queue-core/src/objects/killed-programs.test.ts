import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import S3rver from '@20minutes/s3rver';
import { defineCatalog, defineJob } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { startTestWorker } from '@duework/testing';
import { emptyTables, programPath, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { S3mini } from 's3mini';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';
import type { Worker } from '../worker/create-worker.js';
import { setOffload } from './current-offload.js';
import { s3Store } from './s3-store.js';
import { pruneObjects } from './prune-objects.js';

const database = useTestDatabase();
const big = defineJob({ type: 'big', payload: z.object({ n: z.int(), text: z.string() }), lease: '2s' });
const catalog = defineCatalog([big]);
const signal = new AbortController().signal;
let folder: string;
let server: S3rver;
let endpoint: string;
let bucket: ReturnType<typeof s3Store>;
let worker: Worker | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duework-killed-'));
  const configureBuckets = [{ name: 'jobs', configs: [] }];
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets,
    allowMismatchedSignatures: true,
  });
  endpoint = `http://127.0.0.1:${(await server.run()).port}/jobs`;
  const keys = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  bucket = s3Store(new S3mini({ endpoint, ...keys }));
  setOffload({ store: bucket });
});
afterEach(async () => {
  await worker?.stop({ deadlineMs: 0 });
  worker = null;
});
afterAll(async () => {
  setOffload(null);
  await server.close();
  await rm(folder, { recursive: true });
});

function run(role: string): { readonly child: ChildProcess; readonly lines: AsyncIterableIterator<string> } {
  const child = spawn(process.execPath, [programPath('offload-program.mjs'), database.url, endpoint, role], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function start(handle: (n: number) => void) {
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { big: ({ payload }) => handle(payload.n) },
    leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
  });
  worker = started.worker;
  return started.events;
}

async function keysOfBucket(): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list('objects/', { signal })) keys.push(key);
  return keys.sort();
}
const keysOfRows = async (): Promise<readonly string[]> => {
  const rows = await database.db.$queryRaw<{ key: string }[]>`
    SELECT payload #>> '{$offloaded,$object}' AS key FROM duework.jobs ORDER BY 1`;
  return rows.map(({ key }) => key).sort();
};

test('however often producers are killed, after that each job has its object, and no object is left over', async () => {
  const committed: number[] = [];
  const dieAfter = async (lineCount: number): Promise<void> => {
    const { child, lines } = run('producer');
    for (let seen = 0; seen < lineCount; seen++) {
      const { value: line } = (await lines.next()) as { value: string };
      if (line.startsWith('committed')) committed.push(Number(line.slice(10)));
    }
    // in the middle of its next transaction
    await kill(child);
  };
  await Promise.all([3, 4, 5, 7].map(dieAfter));
  expect((await keysOfBucket()).length).toBeGreaterThan((await keysOfRows()).length);
  await pruneObjects([database.db], { olderThanMs: -60_000 });
  expect(await keysOfBucket()).toEqual(await keysOfRows());
  const seen: number[] = [];
  const events = await start((n) => void seen.push(n));
  await events.waitFor('job.succeeded', (await keysOfRows()).length);
  expect(events.named('job.dead')).toEqual([]);
  expect(seen).toEqual(expect.arrayContaining(committed));
}, 60_000);

test('a worker that is killed while it reads a payload loses nothing: another one runs the job', async () => {
  await emptyTables(database.db, 'job_runs');
  const { id } = await enqueue(database.db, big, { n: 1, text: 'x'.repeat(80_000) });
  const { child, lines } = run('reader');
  expect(await lines.next()).toMatchObject({ value: 'reading' });
  await kill(child);
  const seen: number[] = [];
  const events = await start((n) => void seen.push(n));
  await events.waitFor('job.succeeded');
  expect(seen).toEqual([1]);
  expect(events.named('job.succeeded').map(({ run: { id: ran, attempt } }) => [ran, attempt])).toEqual([[id, 2]]);
}, 60_000);
