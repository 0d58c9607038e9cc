import { defineJob } from '@duework/contracts';
import { createKey } from '@duework/operate';
import { enqueueMany, jobRequest } from '@duework/queue-core';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { useTestApi } from '../../testing/use-test-api.js';

const before = z.object({ to: z.string(), items: z.array(z.object({ n: z.unknown() })) });
const after = z.object({ to: z.email(), items: z.array(z.object({ n: z.int() })) });
const lift = (payload: unknown) => {
  if (JSON.stringify(payload).includes('unliftable')) throw new Error('secret');
  return payload as never;
};
const sent = defineJob({ type: 'mail', payload: before });
const mail = defineJob({ type: 'mail', version: 2, payload: after, past: { 1: { payload: before, lift } } });
const newer = defineJob({ type: 'mail', version: 3, payload: before, past: {} });
const letter = defineJob({ type: 'letter', payload: z.object({}) });

const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db), catalog: [mail] }));
let key = '';
const ask = (type: string, text = key) => api.get(`/v1/contracts/${type}/parses`, { Authorization: `Bearer ${text}` });

beforeAll(async () => {
  key = (await createKey(api.db, { name: 'reader', scopes: ['read'] })).text;
  const jobs = await enqueueMany(api.db, [
    jobRequest(sent, { to: 'ada@example.com', items: [{ n: 1 }] }),
    jobRequest(sent, { to: 'secret one', items: [{ n: 'secret two' }, { n: 'secret three' }] }),
    jobRequest(sent, { to: 'secret four', items: [] }),
    jobRequest(sent, { to: 'unliftable', items: [] }),
    jobRequest(mail, { to: 'bob@example.com', items: [] }),
    jobRequest(newer, { to: 'bob@example.com', items: [] }),
    jobRequest(letter, {}),
  ]);
  ids = jobs.map(({ id }) => id);
});
let ids: string[] = [];

test('what waits of a type is parsed by this server: the answer has paths and codes, and nothing of a payload', async () => {
  const { status, body, text } = await ask('mail');
  expect([status, body]).toEqual([
    200,
    {
      looked: 7,
      isComplete: true,
      versions: [
        {
          version: 1,
          state: 'read',
          checked: 4,
          fits: 1,
          sealed: 0,
          faulty: 3,
          faults: [
            { code: 'invalid_payload', path: '/to', jobs: 2, jobId: ids[1] },
            { code: 'invalid_payload', path: '/items/*/n', jobs: 1, jobId: ids[1] },
            { code: 'lift_threw', path: '', jobs: 1, jobId: ids[3] },
          ],
        },
        { version: 2, state: 'read', checked: 1, fits: 1, sealed: 0, faulty: 0, faults: [] },
        { version: 3, state: 'newer_version', checked: 1, fits: 0, sealed: 0, faulty: 0, faults: [] },
      ],
    },
  ]);
  expect(text).not.toMatch(/secret|example|liftable/);
});

test('a type that this server has no code of is said to be so, and one of which nothing waits has no version', async () => {
  expect((await ask('letter')).body.versions).toMatchObject([
    { version: 1, state: 'unknown_type', checked: 1, fits: 0 },
  ]);
  for (const type of ['nothing_waits', 'No%20type', '%00'])
    expect([(await ask(type)).status, (await ask(type)).body.versions]).toEqual([200, []]);
});

test('a key that is limited to types sees only its types', async () => {
  const { text } = await createKey(api.db, { name: 'limited', scopes: ['enqueue', 'read'], types: ['letter'] });
  expect((await ask('letter', text)).body.versions).toHaveLength(1);
  expect((await ask('mail', text)).body).toEqual({ looked: 0, isComplete: true, versions: [] });
});
