import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKey } from '@duework/operate';
import { enqueue } from '@duework/queue-core';
import { folderStore, setOffload } from '@duework/queue-core/objects';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeAny } from '../../access/authorize/authorize-any.js';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { authorizeLocal } from '../../access/authorize/authorize-local.js';
import { useTestApi } from '../../testing/use-test-api.js';

const importRows = defineJob({ type: 'import_rows', payload: z.object({ rows: z.array(z.string()) }) });
const payload = { rows: ['the first', 'x'.repeat(2_000)] };
const api = useTestApi(({ db }) => ({
  catalog: defineCatalog([importRows]),
  authorize: authorizeAny(authorizeByKey(db), authorizeLocal()),
}));
const folder = mkdtempSync(join(tmpdir(), 'duework-whole-'));
beforeEach(() => setOffload({ above: '1kB', store: folderStore(folder) }));
afterAll(() => {
  setOffload(null);
  rmSync(folder, { recursive: true });
});

const store = async () => (await enqueue(api.db, importRows, payload)).id;

test('a job is answered with the reference of its payload, and with whole=true with the payload', async () => {
  const id = await store();
  const reference = {
    $offloaded: { $object: expect.stringContaining('objects/'), bytes: 2_025, sha256: expect.anything() },
  };
  for (const query of ['', '?whole=false'])
    expect((await api.get(`/v1/jobs/${id}${query}`)).body.payload).toEqual(reference);
  expect((await api.get(`/v1/jobs/${id}?whole=true`)).body.payload).toEqual(payload);
});

test('one whose payload is in its row is answered as it is', async () => {
  setOffload(null);
  const id = await store();
  expect((await api.get(`/v1/jobs/${id}?whole=true`)).body.payload).toEqual(payload);
});

test('whoever may not see payloads gets none, and the object is not read', async () => {
  const { text } = await createKey(api.db, { name: 'reader', scopes: ['read'] });
  const id = await store();
  rmSync(join(folder, 'objects'), { recursive: true });
  const { status, body } = await api.get(`/v1/jobs/${id}?whole=true`, { authorization: `Bearer ${text}` });
  expect([status, 'payload' in body]).toEqual([200, false]);
});

test.each([
  ['an object that is gone', 'object_missing', () => rmSync(join(folder, 'objects'), { recursive: true })],
  ['a program without a store', 'offload_missing', () => setOffload(null)],
])('%s is told by its code', async (_, code, spoil) => {
  const id = await store();
  spoil();
  const { status, body } = await api.get(`/v1/jobs/${id}?whole=true`);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.code).toBe(code);
  expect((await api.get(`/v1/jobs/${id}`)).status).toBe(200);
});

test('another word than true or false is refused', async () => {
  const { status, body } = await api.get('/v1/jobs/1?whole=yes');
  expect([status, body.code]).toEqual([400, 'invalid_query']);
});
