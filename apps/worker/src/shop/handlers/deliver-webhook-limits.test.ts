import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { deliverWebhook } from '@duework/shop';
import type { JobContext } from '@duework/queue-core';
import type { AttemptDatabase } from '../../bind-database.js';
import { openTestDatabase } from '../testing/open-test-database.js';
import { createDeliverWebhook, type WebhookOptions } from './deliver-webhook.js';

const sockets: Socket[] = [];
/** Takes connections and says nothing. */
const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let url: string;

beforeAll(async () => {
  database = await openTestDatabase();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/geheim`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await database.close();
});

function deliver(
  options: Partial<WebhookOptions>,
  payload: { url?: string; eventId?: string } = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const handler = createDeliverWebhook({
    db: database.db,
    secret: 'a secret of the tests',
    isPrivateAllowed: true,
    timeoutMs: 60_000,
    resolve: () => new Promise(() => {}),
    now: () => new Date(),
    ...options,
  });
  const transaction: AttemptDatabase['transaction'] = (run) => database.db.$transaction(run);
  const context = { payload: { eventId: 'evt_1', url, event: 'e', body: {}, ...payload }, signal, transaction };
  return handler(context as unknown as JobContext<typeof deliverWebhook> & AttemptDatabase);
}

test('no webhook leaves unsigned', async () => {
  expect(await deliver({ secret: undefined })).toMatchObject({ kind: 'bury', code: 'webhook_secret_missing' });
  expect(sockets).toHaveLength(0);
});

test('a receiver, or a name server, that does not answer in time is tried again', async () => {
  await expect(deliver({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'webhook_timeout' });
  await expect(deliver({ timeoutMs: 50 }, { url: 'http://slow.example/' })).rejects.toMatchObject({
    code: 'webhook_timeout',
  });
});

test('a delivery stops when it is told to', async () => {
  const controller = new AbortController();
  silent.once('connection', () => controller.abort(new Error('stop')));
  await expect(deliver({}, {}, controller.signal)).rejects.toThrow('stop');
  await expect(deliver({}, {}, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});

test('an address that is too long for the index of deliveries is delivered once, too', async () => {
  const receiver = createHttpServer((_request, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const long = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${'ü'.repeat(2_000)}`;
  const answers = [
    await deliver({}, { url: long, eventId: 'evt_long' }),
    await deliver({}, { url: long, eventId: 'evt_long' }),
  ];
  expect(answers).toEqual([
    { kind: 'complete', result: { status: 204 } },
    { kind: 'complete', result: { status: 204, isDuplicate: true } },
  ]);
  expect(await database.db.deliveredWebhook.findMany({ where: { eventId: 'evt_long' } })).toMatchObject([
    { url: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
  ]);
  receiver.closeAllConnections();
  receiver.close();
});
