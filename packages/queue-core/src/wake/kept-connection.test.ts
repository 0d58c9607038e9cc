import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { systemClock } from '../clock.js';
import { KeptConnection } from './kept-connection.js';

const database = useTestDatabase();
const stopping: AbortController[] = [];
afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort();
});

/** An open connection, with the most statements that were ever on their way together. */
async function open() {
  const controller = new AbortController();
  stopping.push(controller);
  const seen = { most: 0, now: 0 };
  await new Promise<void>((resolve, reject) => {
    const connection = new KeptConnection({
      database: { url: database.url },
      config: {},
      greet: async (ask, client) => {
        const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
        const counted = async (...given: unknown[]): Promise<unknown> => {
          seen.most = Math.max(seen.most, ++seen.now);
          return query(...given).finally(() => seen.now--);
        };
        Object.assign(client, { query: counted });
        await ask('SELECT 1');
      },
      answerLimitMs: 5_000,
      clock: systemClock,
      onOpen: resolve,
      onLost: reject,
      onNotification: () => {},
    });
    Object.assign(seen, { connection });
    void connection.keepOpen(controller.signal);
  });
  return { ...(seen as typeof seen & { readonly connection: KeptConnection }), seen };
}

test('statements that are asked for together take turns, and each gets its own answer', async () => {
  const { connection, seen } = await open();
  const answers = await Promise.all([1, 2, 3].map((n) => connection.query('SELECT $1::int AS n', [n])));
  expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  expect(seen.most).toBe(1);
});

test('a statement that fails keeps nobody behind it waiting', async () => {
  const { connection } = await open();
  const [failed, next] = await Promise.allSettled([
    connection.query('SELECT 1 / 0'),
    connection.query('SELECT 2 AS n'),
  ]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  expect(next).toEqual({ status: 'fulfilled', value: [{ n: 2 }] });
});

test('all that wait for their turn are told when the connection is lost', async () => {
  const { connection } = await open();
  const answers = [
    connection.query('SELECT pg_terminate_backend(pg_backend_pid())'),
    ...[1, 2].map((n) => connection.query('SELECT $1::int', [n])),
  ];
  for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected');
});
