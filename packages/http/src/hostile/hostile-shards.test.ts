import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ensurePartitions } from '@duework/queue-core';
import { fuzz } from '@duework/database/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HTTP_ERRORS, type HttpErrorCode } from '../http-errors.js';
import { toNodeListener } from '../mount/to-node-listener.js';
import { hostileRequest, type HostileRequest } from '../testing/hostile-requests.js';
import { ask } from '../testing/use-test-api.js';
import { useTestShards } from '../testing/use-test-shards.js';

const logged: string[] = [];
const log = {
  debug() {},
  info() {},
  warn() {},
  error: (facts: object, name: string) =>
    void logged.push(
      name + JSON.stringify(facts, (_key, value: unknown) => (value instanceof Error ? value.stack : value)),
    ),
};
const api = useTestShards(['a', 'b'], (options) => ({
  ...options,
  bareIds: 'a',
  log,
  shardOf: (_contract: object, payload: { orderId: number }) => (payload.orderId % 2 === 0 ? 'a' : undefined),
}));
let server: Server;
let url = '';
beforeAll(async () => {
  for (const name of ['a', 'b']) await ensurePartitions(api.db(name), 1);
  server = createHttpServer(toNodeListener(api.handler) as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** An id in a path, or a parameter, with something before it. */
const prefix = fc.constantFrom('', '', 'a.', 'b.', 'z.', '.', 'b..', 'A.', 'a.1~b.', '~');
const shard = fc.constantFrom(
  '',
  '',
  'shard=a',
  'shard=b',
  'shard=',
  'shard=z',
  'shard=a&shard=b',
  'filter=shard:b',
  'filter=id:b.1,a.2',
);
const cursor = fc.constantFrom(
  '',
  ...[
    '["listJobs",0,{"a":"","b":""}]',
    '["listJobs",1,{"a":"x","b":null}]',
    '["listJobs",0,{"__proto__":""}]',
    '[]',
    'null',
    '{"a":1}',
  ].map((text) => `cursor=${Buffer.from(text).toString('base64url')}`),
);

const ofShards = fc.tuple(hostileRequest, prefix, shard, cursor).map(([request, before, named, at]): HostileRequest => {
  const path = request.path.replace(/^(\/v1\/[a-z-]+\/)/, `$1${before}`);
  const added = [named, at].filter((text) => text !== '').join('&');
  if (added === '') return { ...request, path };
  return { ...request, path: path + (path.includes('?') ? '&' : '?') + added };
});

test('whatever is requested of several databases, the answer is a result or a problem with a code', async () => {
  await fuzz(
    fc.asyncProperty(ofShards, async ({ method, path, headers, body }) => {
      const hasBody = body !== null && method !== 'GET' && method !== 'HEAD';
      const answer = await ask(url + path, { method, headers, ...(hasBody ? { body: body as never } : {}) });
      expect({ method, path, status: answer.status, logged }).toEqual({
        method,
        path,
        status: expect.any(Number),
        logged: [],
      });
      expect(answer.status).toBeLessThan(500);
      if (answer.status < 400 || method === 'HEAD') return;
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      const problem = answer.body as { code: HttpErrorCode; detail: string };
      expect(HTTP_ERRORS[problem.code]?.status).toBe(answer.status);
      expect(answer.text).not.toMatch(/prisma|node_modules|duework\.|PostgreSQL error/i);
    }),
    300,
  );
  expect(logged).toEqual([]);
});
