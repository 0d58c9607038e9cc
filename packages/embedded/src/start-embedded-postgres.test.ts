import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeTestDir, withServer } from '@duework/database/testing';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type StartEmbeddedPostgresOptions,
} from './start-embedded-postgres.js';

let dir: string;
const started: EmbeddedPostgres[] = [];

beforeEach(() => {
  dir = makeTestDir();
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function start(options: Partial<StartEmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir: join(dir, 'data'),
    port: 0,
    settings: { fsync: 'off' },
    ...options,
  });
  started.push(server);
  return server;
}
const query = (url: string, sql: string): Promise<unknown[]> =>
  withServer(url, async (client) => (await client.query(sql)).rows);
const postmasterPid = (): number => Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('a stop is clean, and the next start keeps the data, its password and its name', async () => {
  const before = await start({ database: 'app' });
  await query(before.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await before.stop();
  await before.stop();
  expect(readFileSync(join(dir, 'data', 'server.log'), 'utf8')).toContain('database system is shut down');

  const after = await start({ database: 'app' });
  expect(after.isReused).toBe(false);
  expect(await query(after.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(new URL(after.url).password).toBe(new URL(before.url).password);
});

test('a server that was left behind is reused', async () => {
  const lines: string[] = [];
  const left = await start();
  const again = await start({ onProgress: (line) => lines.push(line) });
  expect(again).toMatchObject({ isReused: true, url: left.url });
  expect(lines).toEqual([expect.stringContaining('still running')]);
});

test('a server that was killed is started again with its data', async () => {
  const killed = await start();
  await query(killed.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  killed.stopNow();
  const again = await start();
  expect(again.isReused).toBe(false);
  expect(await query(again.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
});

test('a server whose process was killed with all its children is started again with its data', async () => {
  const killed = await start();
  await query(killed.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  process.kill(postmasterPid(), 'SIGKILL');
  const again = await start();
  expect(again.isReused).toBe(false);
  expect(await query(again.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
});

test('the server is UTF8 and UTC, listens on 127.0.0.1 only and asks for the password', async () => {
  const { url } = await start();
  const names = ['server_encoding', 'TimeZone', 'listen_addresses', 'unix_socket_directories', 'fsync'];
  const [row] = await query(url, `SELECT ${names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}`);
  expect(row).toEqual({
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  });
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await expect(query(wrong.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(join(dir, 'data.password')).mode & 0o777).toBe(0o600);
});

test('the server is in a session of its own, so that Ctrl-C does not end it', async () => {
  if (process.platform !== 'linux') return;
  await start();
  const pid = postmasterPid();
  const [, , group, session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  expect([group, session]).toEqual([pid, pid]);
});

test('a port that is taken is refused with the variable to set', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  await expect(start({ port })).rejects.toMatchObject({
    code: 'embedded_port_taken',
    message: `Port ${port} is taken, so the embedded PostgreSQL cannot have it. Set POSTGRES_PORT to a free port.`,
  });
  other.close();
});

test('data of another major version is refused with both numbers', async () => {
  await (await start()).stop();
  writeFileSync(join(dir, 'data', 'PG_VERSION'), '13\n');
  await expect(start()).rejects.toMatchObject({
    code: 'embedded_data_unusable',
    problem: expect.stringMatching(/made by PostgreSQL 13, and this is PostgreSQL 1[4-9]/),
  });
});

test('a folder that holds something else is refused by name and left alone', async () => {
  mkdirSync(join(dir, 'data'));
  writeFileSync(join(dir, 'data', 'letter.txt'), 'dear Ada');
  await expect(start()).rejects.toMatchObject({ code: 'embedded_data_unusable' });
  expect(readFileSync(join(dir, 'data', 'letter.txt'), 'utf8')).toBe('dear Ada');
});

test('a folder that cannot be written to is refused by name', async () => {
  const file = join(dir, 'file');
  writeFileSync(file, '');
  await expect(start({ dataDir: join(file, 'data') })).rejects.toMatchObject({
    code: 'embedded_data_unusable',
    problem: expect.stringContaining(file),
  });
});

test('without its binaries the server is refused with the advice to set DATABASE_URL', async () => {
  await expect(start({ nativeDir: join(dir, 'native') })).rejects.toMatchObject({
    code: 'embedded_unavailable',
    fix: expect.stringContaining('DATABASE_URL'),
  });
});
