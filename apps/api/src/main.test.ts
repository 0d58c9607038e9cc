import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, afterEach, describe, expect, test } from '@jest/globals';
import type { PrismaClient } from '@duework/database';
import { connectPatiently, createTestDatabase, openGate, type TestDatabase } from '@duework/database/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { ask, waitUntil } from '@duework/http/testing';
import { createKey } from '@duework/operate';
import { startFixture } from '@duework/worker/testing';
import { startChild, type Child } from './testing/start-child.js';

let database: TestDatabase;
let db: PrismaClient;
const children: Child[] = [];

beforeAll(async () => {
  database = await createShopDatabase();
  db = connectPatiently({ url: database.url, poolSize: 3 });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL');
    await child.ended;
  }
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

function start(env: Record<string, string> = {}, program = 'main.js'): Child {
  const child = startChild(program, { DATABASE_URL: database.url, API_PORT: '0', API_KEYS: 'off', ...env });
  children.push(child);
  return child;
}
const portOf = async (child: Child): Promise<number> => (await child.logged('api.started'))['port'] as number;

/** The server finds out later than the system that a killed worker's sessions have ended. */
const isWorkerLost = async (): Promise<boolean> => {
  const [row] = await db.$queryRaw<
    [{ workers: number }]
  >`SELECT count(*)::integer AS workers FROM duework.lost_workers`;
  return row.workers > 0;
};

const isPaymentWaiting = async (): Promise<boolean> => {
  const [row] = await db.$queryRaw<[{ waiting: number }]>`
    SELECT count(*)::integer AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE shop.orders%' AND pid <> pg_backend_pid()`;
  return row.waiting > 0;
};

/**
 * Calls `callback` while a payment waits for its order, which this function has locked; returns the answer to the
 * payment.
 */
async function whilePaying(port: number, callback: () => Promise<void>): Promise<Awaited<ReturnType<typeof ask>>> {
  const user = await db.user.upsert({
    where: { email: 'a@example.com' },
    create: { name: 'A', email: 'a@example.com' },
    update: {},
  });
  const { id } = await db.order.create({ data: { userId: user.id, currency: 'EUR' } });
  let paying: ReturnType<typeof ask> | undefined;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM shop.orders WHERE id = ${id}::integer FOR UPDATE`;
    paying = ask(`http://127.0.0.1:${port}/v1/orders/${id}/pay`, { method: 'POST' });
    paying.catch(() => {});
    await waitUntil('the payment waits for the order', isPaymentWaiting);
    await callback();
  });
  return paying!;
}

describe('an API that is told to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes the request it is serving, and takes no other: %s',
    async (signal) => {
      const api = start();
      const port = await portOf(api);
      const answer = await whilePaying(port, async () => {
        api.process.kill(signal);
        await api.logged('api.stopping');
        await waitUntil('the port is closed', () =>
          fetch(`http://127.0.0.1:${port}/livez`).then(
            () => false,
            () => true,
          ),
        );
      });
      expect([answer.status, answer.body.order.status]).toEqual([200, 'PAID']);
      expect(answer.headers.get('connection')).toBe('close');
      expect(await api.ended).toBe(0);
      expect(await api.logged('api.stopped')).toMatchObject({ areAllAnswered: true });
    },
  );

  test('ends without waiting for a client that keeps its connection open', async () => {
    const api = start();
    const port = await portOf(api);
    const agent = new Agent({ keepAlive: true });
    const [response] = await once(request({ port, host: '127.0.0.1', path: '/livez', agent }).end(), 'response');
    response.resume();
    await once(response, 'end');
    api.process.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    agent.destroy();
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at once when it is told twice: %s', async (signal, code) => {
    const api = start();
    const port = await portOf(api);
    const paying = whilePaying(port, async () => {
      api.process.kill(signal);
      await api.logged('api.stopping');
      api.process.kill(signal);
      expect(await api.ended).toBe(code);
    });
    await expect(paying).rejects.toThrow('fetch failed');
  });
});

test('an API that is told to stop while it starts ends without an error', async () => {
  const hung = createServer((socket) => void socket.resume().on('error', () => {})).listen(0, '127.0.0.1');
  await once(hung, 'listening');
  const api = start({ DATABASE_URL: `postgres://u@127.0.0.1:${(hung.address() as AddressInfo).port}/x` });
  await once(hung, 'connection');
  api.process.kill('SIGTERM');
  expect([await api.ended, api.err()]).toEqual([0, '']);
  hung.close();
});

test('an API waits for a database that is not there yet, and says so once', async () => {
  const gate = await openGate(database.url);
  const { hostname, port, username, password, pathname } = new URL(gate.url);
  const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  const api = start({ DATABASE_URL: '', ...variables, PGDATABASE: pathname.slice(1) });
  expect(await api.logged('database.awaited')).toMatchObject({
    problem: expect.stringMatching(/^Cannot reach PostgreSQL at .*: nothing answers there\.$/),
    waitMs: 60_000,
  });
  await gate.open();
  expect((await ask(`http://127.0.0.1:${await portOf(api)}/readyz`)).status).toBe(200);
  expect([api.out().split('database.awaited').length, api.err()]).toEqual([2, '']);
  gate.close();
});

describe('an API that cannot start says why in one line', () => {
  const lines = (text: string): string[] => text.trim().split('\n');

  test('with wrong variables it prints one line for each and exits with 2', async () => {
    const api = start({ API_PORT: 'x', DATABASE_URL: '' });
    expect(await api.ended).toBe(2);
    expect(lines(api.err())).toEqual([
      expect.stringMatching(/^API_PORT must be/),
      expect.stringMatching(/^DATABASE_URL is not set/),
    ]);
  });

  test('where replication is required, with a database that has none, it exits with 1', async () => {
    const api = start({ REPLICATED: 'required' });
    expect(await api.ended).toBe(1);
    expect(lines(api.err())).toEqual([
      expect.stringMatching(/^REPLICATED=required, and the server waits for no standby: .* Run: ALTER SYSTEM /),
    ]);
  });

  test('without a database it exits with 1', async () => {
    const api = start({ DATABASE_URL: 'postgres://u:s3cret@127.0.0.1:1/nowhere', DATABASE_WAIT_MS: '0' });
    expect(await api.ended).toBe(1);
    expect(lines(api.err())).toEqual([expect.stringMatching(/^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/nowhere/)]);
    expect(api.err() + api.out()).not.toContain('s3cret');
  });

  test('with a database that nobody migrated it exits with 1', async () => {
    const empty = await createTestDatabase({ isMigrated: false });
    const api = start({ DATABASE_URL: empty.url, DATABASE_WAIT_MS: '0' });
    expect(await api.ended).toBe(1);
    expect(lines(api.err())).toEqual([expect.stringMatching(/npx duework migrate$/)]);
    await empty.drop();
  });

  test('with a port that is taken it exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const api = start({ API_PORT: String(port) });
    expect(await api.ended).toBe(1);
    expect(lines(api.err())).toEqual([
      `Port ${port} on 127.0.0.1 is taken. Set API_PORT to a free port, or stop what listens there.`,
    ]);
    other.close();
  });

  test('with keys off on an address that others see it exits with 2', async () => {
    const api = start({ HOST: '0.0.0.0' });
    expect(await api.ended).toBe(2);
    expect(lines(api.err())).toEqual([
      expect.stringMatching(/^API_KEYS cannot be off while HOST is 0\.0\.0\.0: .*npx duework keys create/),
    ]);
  });

  test('with a host that is not on this machine it exits with 1', async () => {
    const api = start({ HOST: '203.0.113.7', API_KEYS: 'on' });
    expect(await api.ended).toBe(1);
    expect(lines(api.err())).toEqual([expect.stringMatching(/^Cannot listen on 203\.0\.113\.7, .*Set HOST/)]);
  });
});

describe('an API whose workers were all killed', () => {
  const env = () => ({ DATABASE_URL: database.url, WORKER_PORT: 'none' });
  const enqueueDue = () => db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'greet', 1, 5, now() - interval '10 minutes', '{}', 1 FROM generate_series(1, 3)`;

  test('raises their alerts, and says at /readyz that nobody works', async () => {
    const worker = startFixture('worker', { env: env(), args: [], nodeArgs: [] });
    await worker.line('worker.started');
    worker.signal('SIGKILL');
    await worker.ended;
    // an API looks when it starts, and then once a minute
    await waitUntil('the worker is lost', isWorkerLost);
    await db.$executeRaw`DELETE FROM duework.job_runs`;
    await enqueueDue();
    const api = start();
    const port = await portOf(api);
    await waitUntil('the alert is raised', () => api.out().includes('"alert":"no_worker_for_type"'));
    const answer = await ask(`http://127.0.0.1:${port}/readyz`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 'ready',
        warning: { code: 'no_worker', waiting: 3, message: 'No worker is running, and 3 due jobs wait.' },
      },
    ]);
    await db.$executeRaw`DELETE FROM duework.job_runs`;
  });
});

test('an API whose keys are not off serves nobody without one', async () => {
  const port = await portOf(start({ API_KEYS: 'on' }));
  const answer = await ask(`http://127.0.0.1:${port}/v1/jobs`);
  expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  const { text } = await createKey(db, { name: 'reader', scopes: ['read'] });
  const headers = { Authorization: `Bearer ${text}` };
  expect((await ask(`http://127.0.0.1:${port}/v1/jobs`, { headers })).status).toBe(200);
});

test('an API that starts has made the partitions and the definitions', async () => {
  await db.jobDefinition.deleteMany();
  await portOf(start());
  expect((await db.jobDefinition.findMany({ select: { type: true } })).map(({ type }) => type).sort()).toEqual([
    'approve_credit',
    'cleanup_nightly',
    'confirm_order',
    'deliver_webhook',
    'handle_order',
    'send_invoice',
    'send_receipt',
    'send_weekly_report',
  ]);
  const [row] = await db.$queryRaw<[{ days: number }]>`SELECT count(*)::integer AS days FROM pg_class
    WHERE relname ~ '^job_history_succeeded_[0-9]+$' AND right(relname, 8) >= to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')`;
  // today, and seven more
  expect(row.days).toBe(8);
});

test('the seed prints one line, and the same line when it runs again', async () => {
  const first = start({}, 'seed-main.js');
  expect(await first.ended).toBe(0);
  const second = start({}, 'seed-main.js');
  expect(await second.ended).toBe(0);
  expect(first.out()).toMatch(/^Demo data is there: 2 users, order \d+ \(PENDING\), 1 expired session\.\n$/);
  expect(second.out()).toBe(first.out());
});
