import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { root } from '../../../bootstrap/paths.mjs';
import { findFreePort } from '../../kit/find-free-port.js';
import { waitUntil } from '../../kit/wait-until.js';

interface Job {
  readonly id: string;
  readonly status: string;
}

const stateDir = mkdtempSync(join(tmpdir(), 'duework-start-'));
let database: TestDatabase;
let start: ChildProcess;
let said = '';
let url = '';
let mailboxUrl = '';

const get = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;
const find = async (filter: string): Promise<readonly Job[]> =>
  (await get<{ jobs: readonly Job[] }>(`/v1/jobs?${new URLSearchParams({ filter, limit: '100' })}`)).jobs;
const press = (button: string): Promise<Response> => fetch(`${url}/shop/${button}`, { method: 'POST' });
const listWorkers = async (): Promise<readonly { pid: number }[]> =>
  (await get<{ workers: readonly { pid: number }[] }>('/v1/workers')).workers;

/** Resolves with the exit code of the start. */
async function stop(): Promise<number | null> {
  if (start.exitCode !== null) return start.exitCode;
  const ended = new Promise<number | null>((resolve) => start.once('close', resolve));
  start.kill('SIGTERM');
  return ended;
}

beforeAll(async () => {
  database = await createTestDatabase();
  const names = ['API_PORT', 'WORKER_PORT', 'MAILBOX_PORT', 'SMTP_PORT'];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await findFreePort())])));
  url = `http://127.0.0.1:${ports['API_PORT']}`;
  mailboxUrl = `http://127.0.0.1:${ports['MAILBOX_PORT']}`;
  start = spawn(process.execPath, [join(root, 'tools/dist/src/develop/start/main.js')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      DUEWORK_STATE_DIR: stateDir,
      SHOP_ORDERS: 'off',
      ...ports,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [start.stdout!, start.stderr!]) stream.on('data', (chunk) => (said += String(chunk)));
  await waitUntil(
    'It did not start',
    () => {
      if (start.exitCode !== null) throw new Error(`It has ended: ${said}`);
      return said.includes('Ctrl-C stops everything.');
    },
    { limitMs: 60_000 },
  );
}, 120_000);
afterAll(async () => {
  await stop();
  await database.drop();
  rmSync(stateDir, { recursive: true });
}, 60_000);

test('a start names the console first, signed in, with a morning of the shop in it', async () => {
  expect(/http:\S+/.exec(said)?.[0]).toBe(`${url}/console`);
  // what goes well stays in the files
  expect(said).not.toContain('"level":30');
  expect((await fetch(`${url}/console`)).headers.get('content-type')).toMatch(/^text\/html/);
  expect(await get('/v1/principal')).toMatchObject({ kind: 'local' });
  await waitUntil(
    'The morning was not over',
    async () => (await find('status:queued,running type:send_invoice')).length === 0,
  );
  expect(await find('status:succeeded type:send_invoice')).toHaveLength(60);
  expect(await find('status:dead error:smtp_550')).toMatchObject([{ type: 'send_invoice', attempts: 1 }]);
});

test('the shop’s page has the mail server refuse mails, and take them again', async () => {
  await press('refusal');
  await waitUntil('No job failed', async () => (await find('status:failed error:smtp_451')).length > 0);
  expect(await (await fetch(`${url}/shop`)).text()).toContain('Let it take mails again');
  await press('accept-mails');
  expect(await (await fetch(`${mailboxUrl}/api/refusal`)).json()).toEqual({ until: null });
  expect(await (await fetch(`${url}/shop`)).text()).not.toContain('Let it take mails again');
});

test('the shop’s page has the worker killed: another one comes, and each of its jobs ends', async () => {
  const [first] = await waitUntil(
    'There is no worker',
    async () => (await listWorkers()).length === 1 && listWorkers(),
  );
  await press('death');
  const [second] = await waitUntil(
    'No other worker came',
    async () => {
      const workers = await listWorkers();
      return workers.length === 1 && workers[0]!.pid !== first!.pid && workers;
    },
    { limitMs: 60_000 },
  );
  expect(second!.pid).not.toBe(first!.pid);
  await waitUntil(
    'Not all have ended',
    async () => (await find('status:queued,running type:send_invoice')).length === 0,
    {
      limitMs: 60_000,
    },
  );
  expect(start.exitCode).toBeNull();
}, 120_000);

test('a start that is told to stop stops all of it', async () => {
  expect(await stop()).toBe(0);
  await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
  await expect(fetch(mailboxUrl)).rejects.toThrow('fetch failed');
});
