import { beforeAll, describe, expect, test } from '@jest/globals';
import { ensurePartitions } from '@duework/queue-core';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { HTTP_ERRORS, type HttpErrorCode } from '../http-errors.js';
import { hostileRequest, type HostileRequest } from '../testing/hostile-requests.js';
import { ask, useTestApi, type Answer } from '../testing/use-test-api.js';

const api = useTestApi();
beforeAll(() => ensurePartitions(api.db, 1));
const JSON_TYPE = { 'content-type': 'application/json' };
const LIST = '/v1/jobs';
/** Not a promise of speed: the limit tells an answer from a search that never ends. */
const SLOW_MS = 5_000;

async function countJobs(): Promise<number> {
  const [row] = await api.db.$queryRaw<[{ count: number }]>`SELECT count(*)::integer AS count FROM duework.jobs`;
  return row.count;
}

async function send({ method, path, headers, body }: HostileRequest): Promise<Answer> {
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD';
  return ask(api.url + path, { method, headers, ...(hasBody ? { body: body as never } : {}) });
}

/** Every refusal is a problem with a code of the table and its status, and never an internal error. */
function checkAnswer(answer: Answer, isHead = false): void {
  const { status, headers, text } = answer;
  expect(status).toBeLessThan(500);
  expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/);
  if (status < 400 || isHead) return;
  expect(headers.get('content-type')).toBe('application/problem+json');
  const problem = answer.body as { code: HttpErrorCode; status: number; detail: string; errors: unknown[] };
  expect(HTTP_ERRORS[problem.code]?.status).toBe(status);
  expect(problem.detail.length).toBeGreaterThan(10);
  expect(problem.errors.length).toBeLessThanOrEqual(100);
  expect(text).not.toMatch(/prisma|node_modules|duework\.|PostgreSQL error/i);
}

/** The ids of the jobs that an answer calls new. */
function newJobs(answer: Answer): string[] {
  if (answer.status !== 202 && answer.status !== 200) return [];
  const given = answer.body as { jobs?: { id: string; deduplicated?: boolean }[]; id?: string; deduplicated?: boolean };
  const told = given.jobs ?? [given as { id: string; deduplicated?: boolean }];
  return told.filter(({ deduplicated }) => deduplicated === false).map(({ id }) => id);
}

describe('whatever is requested over HTTP', () => {
  test('the answer is a result or a problem with a code, and every accepted job is stored, and no other', async () => {
    await fuzz(
      fc.asyncProperty(fc.array(hostileRequest, { minLength: 1, maxLength: 5 }), async (requests) => {
        const before = await countJobs();
        const startedMs = performance.now();
        const accepted = new Set<string>();
        let fired = 0;
        for (const request of requests) {
          const answer = await send(request);
          checkAnswer(answer, request.method === 'HEAD');
          if (request.method !== 'POST') continue;
          for (const id of newJobs(answer)) accepted.add(id);
          // a tick makes jobs of its own
          if (request.path.startsWith('/v1/wake') && answer.status === 200)
            fired += (answer.body as { fired: number }).fired;
        }
        expect(performance.now() - startedMs).toBeLessThan(SLOW_MS * requests.length);
        expect(await countJobs()).toBe(before + accepted.size + fired);
        for (const id of accepted) expect((await api.get(`/v1/jobs/${id}`)).status).toBe(200);
      }),
      60,
    );
    expect((await api.get('/livez')).status).toBe(200);
    expect(api.logged.filter(({ msg }) => msg === 'request.failed')).toEqual([]);
  });
});

describe('a request that once caused an internal error is answered with a problem', () => {
  const schedule = (more: object) => ({
    method: 'PUT',
    path: '/v1/schedules/mine',
    headers: JSON_TYPE,
    body: JSON.stringify({ type: 'cleanup_nightly', every: '1h', payload: { day: { $due: 'date' } }, ...more }),
  });
  const get = (path: string): HostileRequest => ({ method: 'GET', path, headers: {}, body: null });
  test.each<[string, HostileRequest, HttpErrorCode]>([
    ['a NUL in the key of a schedule', get('/v1/schedules/%00'), 'schedule_not_found'],
    [
      'a NUL in the key of a schedule to delete',
      { ...get('/v1/schedules/a%00'), method: 'DELETE' },
      'schedule_not_found',
    ],
    ['a NUL in a filter of due times', get('/v1/due-times?schedule=%00'), 'invalid_query'],
    ['a NUL in a filter of schedules', get('/v1/schedules?type=%00'), 'invalid_query'],
    ['a NUL in a cursor of schedules', get('/v1/schedules?cursor=%00'), 'invalid_query'],
    ['due times from the year 0', get('/v1/due-times?from=0000-01-01T00:00:00Z'), 'invalid_query'],
    ['due times to the year 10000', get('/v1/due-times?to=9999-12-31T23:59:59-23:59'), 'invalid_query'],
    [
      'a cursor of due times at a moment that is none',
      get('/v1/due-times?cursor=9999-99-99T99:99:99.999999Z_1'),
      'invalid_cursor',
    ],
    [
      'a preview from the year 0',
      {
        method: 'POST',
        path: '/v1/schedule-previews',
        headers: JSON_TYPE,
        body: '{"cron":"0 0 1 1 *","after":"0000-01-01T00:00:00Z"}',
      },
      'invalid_option',
    ],
    [
      'a NUL in a field that the contract leaves out of a schedule’s payload',
      schedule({
        type: 'send_invoice',
        at: '2099-01-01T00:00:00Z',
        every: undefined,
        payload: { orderId: 1, x: '\0' },
      }),
      'payload_not_storable',
    ],
    [
      'a NUL beside the template of a payload',
      schedule({ payload: { day: { $due: 'date' }, x: '\0' } }),
      'payload_not_storable',
    ],
    [
      'a "__proto__" in a webhook’s body',
      {
        method: 'POST',
        path: LIST,
        headers: JSON_TYPE,
        body: '{"type":"deliver_webhook","payload":{"eventId":"e","event":"e","url":"https://example.com/","body":{"__proto__":{"a":1}}}}',
      },
      'payload_not_storable',
    ],
    [
      'a number that no machine has',
      { method: 'POST', path: LIST, headers: JSON_TYPE, body: '{"type":"send_invoice","payload":{"orderId":1e400}}' },
      'payload_not_storable',
    ],
    [
      'small numbers that are large in the database',
      {
        method: 'POST',
        path: LIST,
        headers: JSON_TYPE,
        body: `{"type":"deliver_webhook","payload":{"eventId":"e","event":"e","url":"https://example.com/","body":{"a":[${Array(9_000).fill('1e300').join()}]}}}`,
      },
      'payload_too_large',
    ],
    [
      'a job of a million fields',
      {
        method: 'POST',
        path: '/v1/jobs/batch',
        headers: JSON_TYPE,
        body: `{"jobs":[{${Array.from({ length: 1_000_000 }, (_, n) => `"${n}":1`).join()}}]}`,
      },
      'invalid_body',
    ],
    [
      '16 MB of brackets',
      {
        method: 'POST',
        path: '/v1/jobs/batch',
        headers: JSON_TYPE,
        body: `{"jobs":[${'['.repeat(8_000_000)}${']'.repeat(8_000_000)}]}`,
      },
      'invalid_body',
    ],
    [
      'a payload of a million values',
      {
        method: 'POST',
        path: '/v1/jobs/batch',
        headers: JSON_TYPE,
        body: `{"jobs":[{"type":"deliver_webhook","payload":{"eventId":"e","event":"e","url":"https://example.com/","body":{"a":[${Array(1_000_000).fill('1e400').join()}]}}}]}`,
      },
      'payload_too_large',
    ],
  ])('%s', async (_, request, code) => {
    const answer = await send(request);
    checkAnswer(answer);
    expect(answer.body.code).toBe(code);
  });

  test('a pattern that the library of words cannot read can be previewed', async () => {
    const answer = await api.post('/v1/schedule-previews', { cron: '0 0 * * FRI#L' });
    expect([answer.status, answer.body.words]).toEqual([200, 'At 0 0 * * FRI#L, in UTC']);
  });

  test('a body of 50 MB is refused before it is read', async () => {
    const answer = await ask(api.url + LIST, {
      method: 'POST',
      headers: JSON_TYPE,
      body: new Uint8Array(50_000_000),
    }).catch(() => null);
    if (answer !== null) expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
    expect((await api.get('/livez')).status).toBe(200);
  });
});
