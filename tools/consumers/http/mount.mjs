import assert from 'node:assert/strict';
import { createQueueHandler } from '@duework/http';
import { defineCatalog, defineJob } from 'duework';
import pg from 'pg';
import { z } from 'zod';

const KIND = typeof module === 'undefined' ? 'esm' : 'cjs';
const ping = defineJob({ type: 'ping', payload: z.object({ n: z.number() }) });
const catalog = defineCatalog([ping]);
const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const basePath = '/api/queue';
const at = (path) => `http://localhost${basePath}${path}`;
const json = { 'Content-Type': 'application/json' };
const enqueue = () =>
  new Request(at('/v1/jobs'), {
    method: 'POST',
    headers: { ...json, 'Idempotency-Key': KIND },
    body: JSON.stringify({ type: 'ping', payload: { n: 1 } }),
  });

async function main() {
  const closed = await createQueueHandler({ db, catalog, basePath })(enqueue());
  assert.equal(closed.status, 401);

  const scopes = ['enqueue', 'read'];
  const authorize = async () => ({ id: 'key:1', name: 'key:check', kind: 'key', scopes, types: null, from: null });
  const handler = createQueueHandler({ db, catalog, basePath, authorize });
  const first = await handler(enqueue());
  assert.equal(first.status, 202);
  const job = await first.json();
  assert.equal(first.headers.get('location'), `${basePath}/v1/jobs/${job.id}`);
  const again = await handler(enqueue());
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await again.json()).id, job.id);
  const found = await handler(new Request(at(`/v1/jobs/${job.id}`)));
  assert.equal((await found.json()).status, 'queued');
  for (const path of [
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/openapi.json',
    '/problems/not_found',
    '/metrics',
    '/readyz',
  ])
    assert.equal((await handler(new Request(at(path)))).status, 200, path);
  await db.end();
}

void main();
