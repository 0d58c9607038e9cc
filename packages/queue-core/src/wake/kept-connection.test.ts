import { gate, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { systemClock } from '../clock.js';
import { KeptConnection } from './kept-connection.js';

const database = useTestDatabase();
const stopping: AbortController[] = [];
afterEach(() => {
  for (const controller of stopping.splice(0)) controller.abort();
});

/** An open connection, with the most statements that were ever on their way together, and why it was lost. */
async function open() {
  const controller = new AbortController();
  stopping.push(controller);
  const seen = { most: 0, now: 0 };
  const lost = gate<unknown>();
  let cut = (): void => {};
  await new Promise<void>((resolve) => {
    const connection = new KeptConnection({
      database: { url: database.url },
      config: {},
      greet: async (ask, client) => {
        cut = () => void client.connection.stream.destroy();
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
      onLost: lost.open,
      onNotification: () => {},
    });
    Object.assign(seen, { connection });
    void connection.keepOpen(controller.signal);
  });
  return { ...(seen as typeof seen & { readonly connection: KeptConnection }), seen, lost: lost.promise, cut };
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

test('a connection was lost for the reason that the server gave, though the statement on its way has got it', async () => {
  const { connection, lost } = await open();
  await expect(connection.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
  const asked = connection.query('SELECT pg_terminate_backend(pg_backend_pid())');
  await expect(asked).rejects.toMatchObject({ code: '57P01' });
  expect(await lost).toMatchObject({ code: '57P01' });
});

test('a server that says no word before it ends a connection leaves no error of before as the reason', async () => {
  const { connection, lost, cut } = await open();
  await expect(connection.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
  // the server is ready again
  await connection.query('SELECT 1');
  cut();
  expect(await lost).toMatchObject({ message: 'Connection terminated unexpectedly' });
});
