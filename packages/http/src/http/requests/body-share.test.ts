import { request, type ClientRequest } from 'node:http';
import { createKey } from '@duework/operate';
import { beforeAll, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { createMetrics } from '../../observe/create-metrics.js';
import { useTestApi } from '../../testing/use-test-api.js';
import { waitUntil } from '../../testing/wait-until.js';

const BATCH_BYTES = 15 * 1024 * 1024;
/** Default: what is stated in the documentation. */
const MOST_BYTES = 64 * 1024 * 1024;
const metrics = createMetrics();
const api = useTestApi((parts) => ({ metrics, authorize: authorizeByKey(parts.db) }));
const keys: string[] = [];
beforeAll(async () => {
  for (let n = 0; n < 40; n++) keys.push((await createKey(api.db, { name: `weak-${n}`, scopes: ['enqueue'] })).text);
});

interface Sent {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly code: string;
}

/** Sends the head of a request and the first byte of its body; the answer comes before the rest only where it is refused. */
function begin(key: string): { readonly client: ClientRequest; readonly answer: Promise<Sent> } {
  const client = request(`${api.url}/v1/jobs/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': BATCH_BYTES },
  });
  client.write('{');
  const answer = new Promise<Sent>((resolve, reject) => {
    client.on('error', reject);
    client.on('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
      resolve({
        status: response.statusCode!,
        retryAfter: response.headers['retry-after'],
        code: (JSON.parse(text) as { code: string }).code,
      });
    });
  });
  answer.catch(() => {});
  return { client, answer };
}

const heldBytes = async (): Promise<number> => (await metrics.bodyBytes.get()).values[0]!.value;

test.each([
  ['one key', () => keys[0]!, 1, 'rate_limited', 429],
  ['forty keys', (n: number) => keys[n]!, 4, 'overloaded', 503],
] as const)(
  'of 40 large batches at once from %s no more bytes are admitted than are stated, and the others are refused before they arrive',
  async (_whose, keyOf, admitted, code, status) => {
    const sent = Array.from({ length: 40 }, (_, n) => begin(keyOf(n)));
    const refused: Sent[] = [];
    for (const { answer } of sent) void answer.then((told) => refused.push(told)).catch(() => {});
    await waitUntil('all others are refused', async () => refused.length === 40 - admitted);
    for (const told of refused) expect(told).toEqual({ status, code, retryAfter: '1' });
    expect(await heldBytes()).toBe(admitted * BATCH_BYTES);
    expect(admitted * BATCH_BYTES).toBeLessThanOrEqual(MOST_BYTES);
    for (const { client } of sent) client.destroy();
    await waitUntil('what was held is given back', async () => (await heldBytes()) === 0);
  },
);

test('while one key holds its part, another enqueues', async () => {
  const { client } = begin(keys[0]!);
  await waitUntil('it is held', async () => (await heldBytes()) === BATCH_BYTES);
  const { status } = await api.post(
    '/v1/jobs',
    { type: 'send_invoice', payload: { orderId: 1 } },
    { 'Content-Type': 'application/json', Authorization: `Bearer ${keys[1]!}` },
  );
  expect(status).toBe(202);
  client.destroy();
  await waitUntil('it is given back', async () => (await heldBytes()) === 0);
});
