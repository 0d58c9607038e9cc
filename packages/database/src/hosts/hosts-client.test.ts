import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { connectPg } from '../connect-pg.js';
import { connectPrisma } from '../connect-prisma.js';
import { describeDatabaseError } from '../describe-database-error.js';
import { Prisma } from '../generated/client.js';
import { readMigrationStatus } from '../migrate/index.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { withServer } from '../testing/with-server.js';
import { toPoolConfig } from '../to-pool-config.js';
import { watchSession } from './watch-session.js';

let database: TestDatabase;
let standby: TestDatabase;
const open: (() => unknown)[] = [];
const keep = <T extends { $disconnect(): Promise<void> }>(client: T): T => {
  open.push(() => client.$disconnect());
  return client;
};

beforeAll(async () => {
  database = await createTestDatabase();
  standby = await createTestDatabase();
  await withServer(database.url, (client) =>
    client.query(`ALTER DATABASE ${standby.name} SET default_transaction_read_only = on`),
  );
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
afterAll(async () => {
  await database.drop();
  await standby.drop();
});

interface Host {
  readonly name: string;
  /** How many connections it got. */
  readonly calls: () => number;
  /** Nothing gets through any more, and nobody is told. */
  readonly freeze: () => void;
}

/** A way to the server of the test, or, of one that is `frozen` from the start, to nothing. */
async function startHost(isFrozen = false): Promise<Host> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  let isMute = isFrozen;
  let calls = 0;
  const server: Server = createServer((client) => {
    calls++;
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    client.on('data', (chunk) => isMute || upstream.write(chunk));
    upstream.on('data', (chunk) => isMute || client.write(chunk));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    name: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    freeze: () => void (isMute = true),
  };
}

/** The URL of the test with these hosts, of which one that is not there refuses. */
function urlOf(...hosts: readonly (Host | 'nobody')[]): string {
  const names = hosts.map((host) => (host === 'nobody' ? '127.0.0.1:1' : host.name));
  return database.url.replace(new URL(database.url).host, names.join(','));
}

const one = Prisma.sql`SELECT 1 AS one`;

test('hosts that are away, or do not answer, are passed by, and the next clients begin with the one that worked', async () => {
  const mute = await startHost(true);
  const alive = await startHost();
  const url = urlOf('nobody', mute, alive);
  const db = keep(connectPg({ url, connectTimeoutMs: 900, poolSize: 3 }));
  expect(await db.$queryRaw(one)).toEqual([{ one: 1 }]);
  expect([mute.calls(), alive.calls()]).toEqual([1, 1]);
  await Promise.all([1, 2, 3].map(() => db.$transaction((tx) => tx.$queryRaw(one))));
  expect([mute.calls(), alive.calls()]).toEqual([1, 3]);
});

test('Prisma and the migrator connect to several hosts, too', async () => {
  const url = urlOf('nobody', await startHost());
  expect(await keep(connectPrisma({ url })).$queryRaw(one)).toEqual([{ one: 1 }]);
  expect(await readMigrationStatus({ url })).toMatchObject({ isUsable: true });
});

test('a wrong password is told at once, and no other host is asked', async () => {
  const [first, second] = [await startHost(), await startHost()];
  const url = new URL(database.url);
  url.password = 'wrong';
  const db = keep(connectPg({ url: url.toString().replace(url.host, `${first.name},${second.name}`) }));
  await expect(db.$queryRaw(one)).rejects.toMatchObject({ code: '28P01' });
  expect(second.calls()).toBe(0);
});

test('where no host lets a client in, the error names all of them', async () => {
  const url = urlOf('nobody', 'nobody');
  for (const db of [keep(connectPg({ url })), keep(connectPrisma({ url }))]) {
    const error: unknown = await db.$queryRaw(one).catch((refusal: unknown) => refusal);
    expect(describeDatabaseError(error, url)).toMatchObject({
      code: 'database_unreachable',
      problem: expect.stringContaining('at 127.0.0.1:1,127.0.0.1:1/'),
    });
  }
});

/** A pool on databases as if they were hosts, because here only a database can be read-only. */
function poolOn(urls: readonly string[], isWritten: boolean): pg.Pool {
  const address = { ...parseDatabaseUrl(urls[0]), others: urls.slice(1), isWritten };
  const pool = new pg.Pool(toPoolConfig(address, 'app', { url: address.url, poolSize: 1 }));
  pool.on('error', () => {});
  open.push(() => pool.end());
  return pool;
}
const where = async (pool: pg.Pool): Promise<unknown> =>
  (await pool.query<{ name: string }>('SELECT current_database() AS name')).rows[0]!.name;

test('a server that takes no writes is passed by, where writes are asked for', async () => {
  expect(await where(poolOn([standby.url, database.url], true))).toBe(database.name);
  expect(await where(poolOn([standby.url, database.url], false))).toBe(standby.name);
});

test.each([
  ['writes', () => database.url, true],
  ['no writes', () => standby.url, false],
])('a server whose pooler keeps to itself what the session may do is asked, and takes %s', async (_, url, expected) => {
  const client = new pg.Client({ connectionString: url() });
  client.on('error', () => {});
  open.push(() => client.end());
  const takesWrites = watchSession(client);
  client.connection.removeAllListeners('parameterStatus');
  await client.connect();
  expect(await takesWrites()).toBe(expected);
});

test('where no server takes writes, the error says so, and the database counts as away', async () => {
  const error: unknown = await where(poolOn([standby.url, standby.url], true)).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ code: '25006' });
  expect(describeDatabaseError(error, database.url)).toMatchObject({
    code: 'database_unreachable',
    problem: expect.stringContaining('takes no writes'),
  });
});

test('a connection on which a write was refused as on a standby is not used again', async () => {
  const prisma = keep(connectPrisma({ url: database.url, poolSize: 1 }));
  const backend = Prisma.sql`SELECT pg_backend_pid() AS pid`;
  const before = await prisma.$queryRaw(backend);
  expect(await prisma.$queryRaw(backend)).toEqual(before);
  const refused = prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET TRANSACTION READ ONLY`;
    await tx.$executeRaw`INSERT INTO duework.job_alerts (name, raised_at, facts) VALUES ('a', now(), '{}')`;
  });
  expect(describeDatabaseError(await refused.catch((error: unknown) => error), database.url)).toMatchObject({
    code: 'database_unreachable',
  });
  expect(await prisma.$queryRaw(backend)).not.toEqual(before);
});

test('a statement on a host that has gone silent fails within seconds, and the next one goes to another host', async () => {
  const [first, second] = [await startHost(), await startHost()];
  const db = keep(connectPg({ url: urlOf(first, second), connectTimeoutMs: 900, poolSize: 1 }));
  await db.$queryRaw(one);
  first.freeze();
  await expect(db.$queryRaw(one)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect(await db.$queryRaw(one)).toEqual([{ one: 1 }]);
  expect(second.calls()).toBe(1);
  // the seconds of its name
}, 20_000);

test('a statement that takes long on a host that lives goes on', async () => {
  const host = await startHost();
  const db = keep(connectPg({ url: urlOf(host, 'nobody'), poolSize: 1 }));
  expect(await db.$queryRaw(Prisma.sql`SELECT 1 AS one FROM pg_sleep(6.5)`)).toEqual([{ one: 1 }]);
  expect(host.calls()).toBeGreaterThan(1);
}, 20_000);
