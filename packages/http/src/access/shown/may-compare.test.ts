import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, setKeyRing } from '@duework/queue-core';
import { createKey } from '@duework/operate';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type AnyJson, useTestApi } from '../../testing/use-test-api.js';
import { authorizeByKey } from '../authorize/authorize-by-key.js';
import type { Scope } from '../principal.js';

const payload = z.object({ orderId: z.int(), iban: z.string().max(30) });
const key = ({ orderId }: { orderId: number }): string => `order:${orderId}`;
const pay = defineJob({ type: 'pay', payload, sensitive: ['/iban'], idempotencyKey: key });
const ship = defineJob({ type: 'ship', payload, idempotencyKey: key });
const api = useTestApi((parts) => ({ catalog: defineCatalog([pay, ship]), authorize: authorizeByKey(parts.db) }));
const ring = createKeyRing({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } });
afterEach(() => setKeyRing(null));

let last = 0;

/** Enqueues twice under one key, with another IBAN the second time; what the second answer says to a key with those scopes. */
async function guess(type: string, scopes: readonly Scope[]): Promise<AnyJson> {
  const { text } = await createKey(api.db, { name: `key-${++last}`, scopes });
  const send = (iban: string) =>
    api.post(
      '/v1/jobs',
      { type, payload: { orderId: last, iban } },
      { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' },
    );
  expect((await send('DE89370400440532013000')).status).toBe(202);
  const { status, body } = await send('DE00000000000000000000');
  expect(status).toBe(200);
  return body;
}

test.each(['ship', 'pay'])(
  'a key that may only enqueue finds out nothing about the payload of a %s by guessing',
  async (type) => {
    for (const given of [null, ring]) {
      setKeyRing(given);
      expect(await guess(type, ['enqueue'])).not.toHaveProperty('payloadDiffers');
      expect(await guess(type, ['enqueue', 'read'])).not.toHaveProperty('payloadDiffers');
    }
  },
);

test('a key that may read payloads is told that one differs', async () => {
  expect(await guess('ship', ['enqueue', 'read', 'payloads'])).toMatchObject({ payloadDiffers: true });
});

test('sensitive values that are stored as they are decide nothing for a key that may not see them', async () => {
  expect(await guess('pay', ['enqueue', 'read', 'payloads'])).not.toHaveProperty('payloadDiffers');
  expect(await guess('pay', ['enqueue', 'read', 'sensitive'])).toMatchObject({ payloadDiffers: true });
});

test('sensitive values that are encrypted decide nothing for anybody', async () => {
  setKeyRing(ring);
  expect(await guess('pay', ['enqueue', 'read', 'payloads'])).toMatchObject({ payloadDiffers: false });
  expect(await guess('pay', ['enqueue', 'read', 'sensitive'])).toMatchObject({ payloadDiffers: false });
});
