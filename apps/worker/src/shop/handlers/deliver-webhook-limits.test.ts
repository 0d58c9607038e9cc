import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { deliverWebhook } from '@duework/shop';
import type { JobContext, Once } from '@duework/queue-core';
import { createDeliverWebhook, type WebhookOptions } from './deliver-webhook.js';

const sockets: Socket[] = [];
/** Takes connections and answers nothing. */
const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/geheim`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

function deliver(
  options: Partial<WebhookOptions>,
  payload: { url?: string; eventId?: string } = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const handler = createDeliverWebhook({
    secret: 'a secret of the tests',
    isPrivateAllowed: true,
    timeoutMs: 60_000,
    resolve: () => new Promise(() => {}),
    now: () => new Date(),
    ...options,
  });
  const once: Once = async (_name, effect) => effect({ key: 'delivery', isRepeat: false, begin: async () => {} });
  const context = { payload: { eventId: 'evt_1', url, event: 'e', body: {}, ...payload }, signal, once };
  return handler(context as unknown as JobContext<typeof deliverWebhook>);
}

test('a webhook is never sent unsigned', async () => {
  expect(await deliver({ secret: undefined })).toMatchObject({ kind: 'bury', code: 'webhook_secret_missing' });
  expect(sockets).toHaveLength(0);
});

test('a webhook is tried again when the receiver, or the name server, does not answer in time', async () => {
  await expect(deliver({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'webhook_timeout' });
  await expect(deliver({ timeoutMs: 50 }, { url: 'http://slow.example/' })).rejects.toMatchObject({
    code: 'webhook_timeout',
  });
});

test('a delivery ends when its signal aborts', async () => {
  const controller = new AbortController();
  silent.once('connection', () => controller.abort(new Error('stop')));
  await expect(deliver({}, {}, controller.signal)).rejects.toThrow('stop');
  await expect(deliver({}, {}, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});
