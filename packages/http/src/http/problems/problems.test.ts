import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectPrisma } from '@duework/database';
import { openQueue } from '@duework/queue-core';
import { encodeCursor } from '../../jobs/cursor.js';
import { HTTP_ERRORS, type HttpErrorCode } from '../../http-errors.js';
import { useTestApi, type Answer } from '../../testing/use-test-api.js';

const api = useTestApi();
const away = useTestApi(() => ({
  db: connectPrisma({ url: 'postgres://postgres@127.0.0.1:1/nowhere', connectTimeoutMs: 500 }),
}));
const readOnly = useTestApi(({ databaseUrl }) => {
  const db = connectPrisma({ url: `${databaseUrl}?options=-c%20default_transaction_read_only%3Don` });
  return { db, queue: openQueue(db) };
});
const denied = useTestApi(({ databaseUrl }) => {
  const db = connectPrisma({ url: `${databaseUrl}?options=-c%20role%3Dpg_monitor` });
  return { db, queue: openQueue(db) };
});
const stopping = useTestApi(() => ({ isStopping: () => true }));

const JSON_TYPE = { 'Content-Type': 'application/json' };
const enqueue = (job: unknown) => api.post('/v1/jobs', job);
const invoice = (more: object = {}) => ({ type: 'send_invoice', payload: { orderId: 1 }, ...more });
const webhook = (body: unknown) => ({
  type: 'deliver_webhook',
  payload: { eventId: 'e', url: 'https://example.com/', event: 'e', body },
});
const nest = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

type Case = readonly [what: string, code: HttpErrorCode, where: readonly string[], ask: () => Promise<Answer>];

const cases: readonly Case[] = [
  ['no body', 'empty_body', [], () => api.post('/v1/jobs')],
  ['broken JSON', 'malformed_json', [], () => enqueue('{"type": "send_invoice", payload')],
  ['a body that is not UTF-8', 'malformed_json', [], () => postBytes(Buffer.from([0x22, 0xff, 0x22]))],
  ['no media type', 'unsupported_media_type', [], () => postBytes(Buffer.from('{}'), {})],
  [
    'a form',
    'unsupported_media_type',
    [],
    () => api.post('/v1/jobs', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  ],
  [
    'another charset',
    'unsupported_media_type',
    [],
    () => api.post('/v1/jobs', '{}', { 'Content-Type': 'application/json; charset=latin1' }),
  ],
  ['a body that is no object', 'invalid_body', [''], () => enqueue('[]')],
  ['a body without its fields', 'invalid_body', ['/type'], () => enqueue({})],
  [
    'a job without a payload, of a type that has none to give',
    'invalid_payload',
    ['/payload'],
    () => enqueue({ type: 'send_invoice' }),
  ],
  ['unknown fields', 'invalid_body', ['/run_at', '/a~1b'], () => enqueue(invoice({ run_at: 1, 'a/b': 1 }))],
  [
    'an own __proto__',
    'invalid_body',
    ['/__proto__'],
    () => enqueue('{"type":"send_invoice","payload":{"orderId":1},"__proto__":{"x":1}}'),
  ],
  [
    'options out of range',
    'invalid_body',
    ['/delaySeconds', '/priority', '/maxAttempts'],
    () => enqueue(invoice({ delaySeconds: -1, priority: 10, maxAttempts: 0 })),
  ],
  ['a time without a zone', 'invalid_body', ['/runAt'], () => enqueue(invoice({ runAt: '2030-01-01T10:00:00' }))],
  ['a day that is not there', 'invalid_body', ['/runAt'], () => enqueue(invoice({ runAt: '2030-02-30T10:00:00Z' }))],
  ['a time before 1970', 'invalid_body', ['/runAt'], () => enqueue(invoice({ runAt: '0001-01-01T00:00:00Z' }))],
  [
    'a time and a delay',
    'invalid_body',
    ['/delaySeconds'],
    () => enqueue(invoice({ runAt: '2030-01-01T10:00:00Z', delaySeconds: 1 })),
  ],
  ['a type that is not there', 'unknown_job_type', ['/type'], () => enqueue({ type: 'nope', payload: {} })],
  [
    'a payload against its contract',
    'invalid_payload',
    ['/payload/orderId'],
    () => enqueue({ type: 'send_invoice', payload: { orderId: 'x' } }),
  ],
  [
    'a payload whose fields disagree',
    'invalid_payload',
    ['/payload/to'],
    () => enqueue({ type: 'send_weekly_report', payload: { userId: 1, from: '2026-01-08', to: '2026-01-01' } }),
  ],
  ['a NUL in a payload', 'payload_not_storable', ['/payload'], () => enqueue(webhook({ a: '\0' }))],
  [
    'half a surrogate pair',
    'payload_not_storable',
    ['/payload'],
    () =>
      enqueue(
        '{"type":"deliver_webhook","payload":{"eventId":"e","url":"https://example.com/","event":"e","body":{"a":"\\ud800"}}}',
      ),
  ],
  ['a deep payload', 'payload_not_storable', ['/payload'], () => enqueue(webhook({ a: nest(101) }))],
  [
    'a payload that would overflow the stack',
    'invalid_body',
    [''],
    () =>
      enqueue(
        `{"type":"deliver_webhook","payload":{"eventId":"e","url":"https://example.com/","event":"e","body":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}}`,
      ),
  ],
  [
    'a number that JavaScript would change',
    'invalid_body',
    ['/payload/orderId'],
    () => enqueue('{"type":"send_invoice","payload":{"orderId":9007199254740993}}'),
  ],
  ['a payload over its limit', 'payload_too_large', ['/payload'], () => enqueue(webhook({ a: 'x'.repeat(66_000) }))],
  ['a body over its limit', 'body_too_large', [], () => enqueue(' '.repeat(90_000))],
  [
    'a key with a NUL',
    'invalid_idempotency_key',
    ['/idempotencyKey'],
    () => enqueue(invoice({ idempotencyKey: 'a\0b' })),
  ],
  ['an empty batch', 'invalid_body', ['/jobs'], () => api.post('/v1/jobs/batch', { jobs: [] })],
  [
    'a batch that is too long',
    'invalid_body',
    ['/jobs'],
    () => api.post('/v1/jobs/batch', { jobs: Array(1_001).fill(invoice()) }),
  ],
  ['a job that is not there', 'job_not_found', [], () => api.get('/v1/jobs/999999')],
  ['an id that is none', 'invalid_job_id', [], () => api.get('/v1/jobs/abc')],
  ['an id beyond a bigint', 'invalid_job_id', [], () => api.post('/v1/jobs/99999999999999999999/retry')],
  ['an id with a NUL', 'invalid_job_id', [], () => api.post('/v1/jobs/%00/cancel')],
  [
    'a wrong cancellation',
    'invalid_body',
    ['/reason', '/by'],
    () => api.post('/v1/jobs/1/cancel', { by: 1, reason: '' }),
  ],
  ['wrong query parameters', 'invalid_query', ['limit', 'page'], () => api.get('/v1/jobs?limit=201&page=2')],
  ['a filter with a mistake', 'invalid_filter', ['filter'], () => api.get('/v1/jobs?filter=stauts:dead')],
  ['a repeated parameter', 'invalid_query', ['limit'], () => api.get('/v1/jobs?limit=1&limit=2')],
  ['a cursor that is none', 'invalid_cursor', [], () => api.get('/v1/jobs?cursor=abc')],
  ['a cursor that was changed', 'invalid_cursor', [], () => api.get(`/v1/jobs?cursor=${encodeCursor('-12')}!`)],
  ['a path that is not there', 'not_found', [], () => api.get('/v1/nothing')],
  ['a method that is not there', 'method_not_allowed', [], () => api.post('/v1/jobs/1', {})],
  ['a database that is away, reading', 'database_unavailable', [], () => away.get('/v1/jobs/1')],
  ['a database that is away, writing', 'database_unavailable', [], () => away.post('/v1/jobs', invoice())],
  ['a database that is away, in a transaction', 'database_unavailable', [], () => away.post('/v1/schedules/x/trigger')],
  ['a database that takes no writes, writing', 'database_unavailable', [], () => readOnly.post('/v1/jobs', invoice())],
  ['a database that refuses a right, writing', 'permission_denied', [], () => denied.post('/v1/jobs', invoice())],
  ['a database that refuses a right, reading', 'permission_denied', [], () => denied.get('/v1/jobs/1')],
  ['a database that is away, when asked whether ready', 'not_ready', [], () => away.get('/readyz')],
  ['a process that stops', 'stopping', [], () => stopping.get('/readyz')],
];

/** fetch always sends a media type with a string. */
async function postBytes(bytes: Buffer, headers: Record<string, string> = JSON_TYPE): Promise<Answer> {
  const response = await fetch(`${api.url}/v1/jobs`, { method: 'POST', body: new Uint8Array(bytes), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

describe('every error is a problem with a stable code and pointers', () => {
  test.each(cases)('%s: %s', async (_what, code, where, ask) => {
    const answer = await ask();
    const { status, title } = HTTP_ERRORS[code];
    expect(answer.body).toEqual({
      type: `/problems/${code}`,
      title,
      status,
      detail: expect.any(String),
      code,
      errors: where.map((place) =>
        expect.objectContaining({
          [code === 'invalid_query' || code === 'invalid_filter' ? 'parameter' : 'pointer']: place,
          message: expect.any(String),
        }),
      ),
      requestId: answer.headers.get('x-request-id'),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.text).not.toMatch(/prisma|node_modules|duework\.|ECONNREFUSED/i);
    expect(answer.headers.has('retry-after')).toBe(['database_unavailable', 'not_ready'].includes(code));
  });
});

test('which right the role of the server lacks is in its log, and the command that grants it', () => {
  expect(denied.logged.filter(({ msg }) => msg === 'request.refused')).toContainEqual(
    expect.objectContaining({
      code: 'permission_denied',
      reason: expect.stringMatching(
        /^"pg_monitor" may not do this: .* npx duework roles --grant duework_\w+ --to pg_monitor$/,
      ),
    }),
  );
});

test('every code of a problem is in the documentation', () => {
  const documented = readFileSync(new URL('../../../../../docs/look-up/errors.md', import.meta.url), 'utf8');
  expect(Object.keys(HTTP_ERRORS).filter((code) => !documented.includes(`\`${code}\``))).toEqual([]);
});

test('a wrong method is answered with the allowed ones', async () => {
  const answer = await fetch(`${api.url}/v1/jobs`, { method: 'DELETE' });
  expect(answer.headers.get('allow')).toBe('POST, GET, HEAD');
});

test('a request whose address cannot be read is answered with a problem, too', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.end('GET /v1\\jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('"code":"malformed_request"');
});

test('a body over its limit is refused, even when the request does not declare its length', async () => {
  const chunk = new TextEncoder().encode(' '.repeat(64 * 1024));
  let sentBytes = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sentBytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const answer = await fetch(`${api.url}/v1/jobs/batch`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: endless,
    duplex: 'half',
  } as RequestInit).catch(() => null);
  // The answer arrives, or the connection is cut because the client does not stop; either way the API reads no further.
  if (answer !== null) expect(answer.status).toBe(413);
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
  expect((await api.get('/livez')).status).toBe(200);
});

describe('a transaction that PostgreSQL rolls back', () => {
  beforeAll(async () => {
    await api.db.$executeRaw`CREATE SEQUENCE shop.conflicts`;
    // A sequence survives roll-backs: so many inserts fail, then they succeed.
    await api.db.$executeRaw`
      CREATE FUNCTION shop.conflict() RETURNS trigger LANGUAGE plpgsql AS '
      BEGIN
        IF nextval(''shop.conflicts'') <= (NEW.payload ->> ''orderId'')::int THEN RAISE EXCEPTION ''deadlock detected'' USING ERRCODE = ''40P01''; END IF;
        RETURN NEW;
      END'`;
    await api.db
      .$executeRaw`CREATE TRIGGER conflict BEFORE INSERT ON duework.job_runs FOR EACH ROW EXECUTE FUNCTION shop.conflict()`;
  });
  afterAll(() => api.db.$executeRaw`DROP FUNCTION shop.conflict() CASCADE`);

  const enqueueAfterConflicts = async (count: number): Promise<Answer> => {
    await api.db.$executeRaw`ALTER SEQUENCE shop.conflicts RESTART`;
    return enqueue({ type: 'send_invoice', payload: { orderId: count } });
  };

  test('is tried again after each of three deadlocks, and the job is enqueued once', async () => {
    const answer = await enqueueAfterConflicts(3);
    expect([answer.status, answer.body.deduplicated]).toEqual([202, false]);
    expect(await api.db.jobRun.count({ where: { idempotencyKey: 'invoice:3' } })).toBe(1);
  });

  test('is answered with 503 and Retry-After when the conflict lasts', async () => {
    const answer = await enqueueAfterConflicts(4);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'database_busy', '1']);
  });
});
