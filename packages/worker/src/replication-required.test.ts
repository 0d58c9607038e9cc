import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { runDoctor } from '@duework/operate';
import { useReplicas } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const servers = useReplicas();
const primary = servers.r1;
const catalog = defineCatalog([defineJob({ type: 'work', payload: z.object({}) })]);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const clients: PgClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.$disconnect();
});
function connect(url: string): PgClient {
  const db = connectPg({ url, poolSize: 1 });
  clients.push(db);
  return db;
}

/** What a worker says that has to have a replicated database: its exit code, or the error. */
const start = (databaseUrl: string): Promise<unknown> => {
  const stopping = new AbortController();
  const ended = runWorker({
    catalog,
    handlers: { work: () => {} },
    databaseUrl,
    workerPort: 'none',
    log: silent,
    replicated: 'required',
    handleSignals: false,
    signal: stopping.signal,
    onStarted: () => stopping.abort(),
  });
  return ended.catch((error: unknown) => error);
};
const doctor = async (isReplicated = true): Promise<{ codes: string[]; replication: object }> => {
  const { findings, replication } = await runDoctor(connect(primary.url), { isReplicated });
  // these servers need not survive a power cut
  return { codes: findings.map(({ code }) => code).filter((code) => code !== 'durability_off'), replication };
};

test('where replication is required a worker starts, and the doctor names the standbys, when one of them confirms each commit', async () => {
  expect(await start(servers.url)).toBe(0);
  const names = ['r2', 'r3'].map((name) => ({ name, state: 'streaming', isCounted: true }));
  expect(await doctor()).toEqual({
    codes: [],
    replication: [{ waitsFor: 'ANY 1 (r1, r2, r3)', commits: 'on', standbys: names }],
  });
});

test('where replication is required a worker does not start when its sessions would not wait', async () => {
  expect(await start(`${primary.url}?options=-c%20synchronous_commit%3Dlocal`)).toMatchObject({
    code: 'not_replicated',
    message: expect.stringContaining('synchronous_commit is local'),
  });
  await primary.ask('ALTER DATABASE postgres SET synchronous_commit = local');
  expect(await start(primary.url)).toMatchObject({ code: 'not_replicated' });
  expect((await doctor(false)).codes).toEqual(['commits_not_replicated']);
  await primary.ask('ALTER DATABASE postgres RESET synchronous_commit');
});

test('where replication is required a worker does not start when the server waits for nobody', async () => {
  await primary.set({ synchronous_standby_names: '' });
  while (!((await start(primary.url)) as { code?: string }).code);
  expect(await start(primary.url)).toMatchObject({
    code: 'not_replicated',
    message: expect.stringContaining('synchronous_standby_names is empty'),
  });
  expect((await doctor()).codes).toEqual(['not_replicated']);
  expect((await doctor(false)).codes).toEqual([]);
  await primary.set({ synchronous_standby_names: 'ANY 1 (nobody)' });
  while ((await doctor(false)).codes.length === 0);
  expect((await doctor(false)).codes).toEqual(['standbys_missing']);
  expect(await start(primary.url)).toMatchObject({
    code: 'not_replicated',
    message: expect.stringContaining('none of the standbys is connected (ANY 1 (nobody))'),
  });
  await primary.set({ synchronous_standby_names: 'ANY 1 (r1, r2, r3)' });
  await servers.untilReplicated(primary);
});

test('a role that may not see the standbys is told so', async () => {
  await primary.ask(`CREATE ROLE looker LOGIN PASSWORD 'looker'`);
  const url = Object.assign(new URL(primary.url), { username: 'looker', password: 'looker' }).toString();
  const { replication } = await runDoctor(connect(url));
  expect(replication).toEqual([{ waitsFor: 'ANY 1 (r1, r2, r3)', commits: 'on', standbys: null }]);
});
