import { DueworkError, enqueue } from '@duework/queue-core';
import { cleanupNightly, deliverWebhook, sendInvoice } from '@duework/shop';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { job, jobAttempt, jobDetail, type jobPage } from '../../jobs/present-job.js';
import { ask, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();

let lastOrderId = 0;
/** Enqueues a job that shares its key with no other. */
const invoice = (more: object = {}) => ({ type: 'send_invoice', payload: { orderId: ++lastOrderId }, ...more });

/** Writes what a worker's claim would have written. */
const markRunning = (id: string) =>
  api.db.$executeRaw`
    UPDATE duework.job_runs
    SET status = 'running', attempts = 1, fence = 1, locked_by = 'w1', locked_until = now() + interval '1 minute', claimed_at = now()
    WHERE id = ${id}::bigint`;

const patch = (path: string, body: object) =>
  ask(api.url + path, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

describe('PATCH /v1/jobs/{id}', () => {
  test('changes what is given of a job that waits, and answers with the job', async () => {
    const { body: job } = await api.post('/v1/jobs', invoice({ delaySeconds: 3_600 }));
    const change = { payload: { orderId: 5_000 }, runAt: '2999-06-01T12:00:00+02:00', priority: 1, maxAttempts: 2 };
    const { status, body } = await patch(`/v1/jobs/${job.id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...change, id: job.id, runAt: '2999-06-01T10:00:00.000Z', status: 'queued' });
    const later = await patch(`/v1/jobs/${job.id}`, { delaySeconds: 60 });
    expect(later.body).toMatchObject({ payload: change.payload, priority: 1 });
    expect(Date.parse(later.body.runAt)).toBeLessThan(Date.parse(change.runAt));
  });

  test.each<[string, object, number, object]>([
    ['a payload of the wrong shape', { payload: { orderId: 'x' } }, 422, { errors: [{ pointer: '/payload/orderId' }] }],
    ['a field that there is not', { status: 'dead' }, 422, { code: 'invalid_body' }],
    ['nothing', {}, 422, { code: 'invalid_option' }],
    ['a moment and a delay', { runAt: '2030-01-01T00:00:00Z', delaySeconds: 1 }, 422, { code: 'invalid_option' }],
  ])('refuses %s', async (_, change, status, problem) => {
    const { body: job } = await api.post('/v1/jobs', invoice());
    const answer = await patch(`/v1/jobs/${job.id}`, change);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(problem);
  });

  test('leaves a job as it is that runs, is over, or is not there', async () => {
    const { body: job } = await api.post('/v1/jobs', invoice());
    const change = () => patch(`/v1/jobs/${job.id}`, { payload: { orderId: 1 } });
    await markRunning(job.id);
    expect(await change()).toMatchObject({ status: 409, body: { code: 'job_is_running' } });
    await api.db
      .$executeRaw`UPDATE duework.job_runs SET status = 'queued', attempts = 0, locked_by = NULL, locked_until = NULL
      WHERE id = ${job.id}::bigint`;
    await api.post(`/v1/jobs/${job.id}/cancel`, {});
    expect(await change()).toMatchObject({ status: 409, body: { code: 'job_is_over' } });
    expect(await patch('/v1/jobs/7', { priority: 1 })).toMatchObject({ status: 404 });
  });
});

describe('POST /v1/jobs', () => {
  test('a job is accepted and found at the address in the answer', async () => {
    const answer = await api.post('/v1/jobs', invoice());
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      id: expect.any(String),
      type: 'send_invoice',
      status: 'queued',
      runAt: expect.stringMatching(/Z$/),
      deduplicated: false,
      payloadDiffers: false,
    });
    expect(answer.headers.get('location')).toBe(`/v1/jobs/${answer.body.id}`);
    const found = await api.get(answer.headers.get('location')!);
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({
      id: answer.body.id,
      payload: { orderId: lastOrderId },
      attempts: 0,
      attemptHistory: [],
      idempotencyKey: `invoice:${lastOrderId}`,
    });
  });

  test('a taken key is answered with 200 and the first run', async () => {
    const request = invoice();
    const first = await api.post('/v1/jobs', request);
    const second = await api.post('/v1/jobs', request);
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first.body, deduplicated: true });
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });

  test('every option is stored with the job', async () => {
    const options = { priority: 0, maxAttempts: 2, idempotencyKey: 'mine' };
    const { body } = await api.post('/v1/jobs', invoice({ ...options, runAt: '2030-06-01T12:00:00+02:00' }));
    expect((await api.get(`/v1/jobs/${body.id}`)).body).toMatchObject({
      ...options,
      runAt: '2030-06-01T10:00:00.000Z',
    });
  });

  test('a delay counts from the clock of the database', async () => {
    const clock = async () => (await api.db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`)[0].at.getTime();
    const before = await clock();
    const { body } = await api.post('/v1/jobs', invoice({ delaySeconds: 90.5 }));
    const countedFrom = Date.parse((await api.get(`/v1/jobs/${body.id}`)).body.runAt) - 90_500;
    expect(countedFrom).toBeGreaterThanOrEqual(before);
    expect(countedFrom).toBeLessThanOrEqual(await clock());
  });

  test('a null key asks for no key', async () => {
    const request = invoice({ idempotencyKey: null });
    const [first, second] = [await api.post('/v1/jobs', request), await api.post('/v1/jobs', request)];
    expect([first.status, second.status]).toEqual([202, 202]);
  });

  test('a __proto__ in a payload is refused, because it would be lost, and changes no object; a constructor is data', async () => {
    const text = (body: string): string =>
      `{"type":"deliver_webhook","payload":{"eventId":"proto","url":"https://example.com/","event":"e","body":${body}}}`;
    const refused = await api.post('/v1/jobs', text('{"__proto__":{"polluted":true}}'));
    expect([refused.status, refused.body.code]).toEqual([422, 'payload_not_storable']);
    const kept = await api.post('/v1/jobs', text('{"constructor":{"prototype":{"polluted":true}}}'));
    expect((await api.get(`/v1/jobs/${kept.body.id}`)).body.payload.body).toEqual({
      constructor: { prototype: { polluted: true } },
    });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('POST /v1/jobs/batch', () => {
  test('a batch is answered in its order, and 200 once all of it was there before', async () => {
    const jobs = [invoice(), { type: 'cleanup_nightly', payload: { day: '2026-01-01' } }, invoice()];
    const first = await api.post('/v1/jobs/batch', { jobs });
    expect(first.status).toBe(202);
    expect(first.body.jobs.map((entry: { type: string }) => entry.type)).toEqual([
      'send_invoice',
      'cleanup_nightly',
      'send_invoice',
    ]);
    const again = await api.post('/v1/jobs/batch', { jobs: [...jobs].reverse() });
    expect(again.status).toBe(200);
    expect(again.body.jobs.map((entry: { id: string }) => entry.id)).toEqual(
      first.body.jobs.map((entry: { id: string }) => entry.id).reverse(),
    );
    expect((await api.post('/v1/jobs/batch', { jobs: [...jobs, invoice()] })).status).toBe(202);
  });

  test('one wrong entry refuses the whole batch, and every wrong entry is named', async () => {
    const before = await api.db.jobRun.count();
    const jobs = [
      invoice(),
      { type: 'nope', payload: {} },
      { type: 'send_invoice', payload: { orderId: 'x' } },
      7,
      invoice({ priority: 10, extra: 1 }),
    ];
    const answer = await api.post('/v1/jobs/batch', { jobs });
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('invalid_body');
    expect(answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ['/jobs/1/type', 'unknown_job_type'],
      ['/jobs/2/payload/orderId', 'invalid_payload'],
      ['/jobs/3', 'invalid_body'],
      ['/jobs/4/priority', 'invalid_body'],
      ['/jobs/4/extra', 'invalid_body'],
    ]);
    expect(await api.db.jobRun.count()).toBe(before);
  });

  test('a batch whose entries share one fault is refused with its code, and with at most 100 faults', async () => {
    const jobs = Array.from({ length: 1_000 }, () => ({ type: 'send_invoice', payload: {} }));
    const { body } = await api.post('/v1/jobs/batch', { jobs });
    expect(body.code).toBe('invalid_payload');
    expect(body.errors).toHaveLength(100);
    expect(body.errors[99].pointer).toBe('/jobs/99/payload/orderId');
  });
});

describe('GET /v1/jobs', () => {
  test('a list shows every job once, page by page, while new ones arrive', async () => {
    const days = Array.from({ length: 25 }, (_, index) => `2027-01-${String(index + 1).padStart(2, '0')}`);
    const made = await api.post('/v1/jobs/batch', {
      jobs: days.map((day) => ({ type: 'cleanup_nightly', payload: { day } })),
    });
    const wanted = made.body.jobs.map((entry: { id: string }) => entry.id).reverse();
    // The same list shows finished jobs.
    await api.post(`/v1/jobs/${wanted[3]}/cancel`);
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const { body }: { body: z.infer<typeof jobPage> } = await api.get(
        `/v1/jobs?filter=type:cleanup_nightly&limit=7${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...body.jobs.map(({ id }) => id));
      cursor = body.nextCursor;
      await enqueue(api.db, cleanupNightly, { day: `2028-01-0${++pages}` });
    } while (cursor !== null);
    expect(seen.slice(0, wanted.length)).toEqual(wanted);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('a list can be filtered', async () => {
    const { id } = (await api.post('/v1/jobs', invoice())).body;
    await api.post(`/v1/jobs/${id}/cancel`);
    const { body } = await api.get('/v1/jobs?filter=status:cancelled+type:send_invoice');
    expect(body.jobs.map((entry: { id: string }) => entry.id)).toContain(id);
    expect(new Set(body.jobs.map((entry: { status: string }) => entry.status))).toEqual(new Set(['cancelled']));
  });

  test('a job has the fields that the document promises, and no other', async () => {
    const { id } = (await api.post('/v1/jobs', invoice())).body;
    z.strictObject(jobDetail.shape).parse((await api.get(`/v1/jobs/${id}`)).body);
    z.strictObject(job.shape).parse((await api.get('/v1/jobs?limit=1')).body.jobs[0]);
  });

  test('a failed attempt is in the history of its job, its stack included', async () => {
    const { id } = await enqueue(api.db, deliverWebhook, {
      eventId: 'failed',
      url: 'https://example.com/',
      event: 'e',
      body: {},
    });
    await api.db.$executeRaw`
      INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, error_code, error_type, error_message, error_stack)
      VALUES (${id}::bigint, 1, 1, 'deliver_webhook', 'failed', 'w1', now(), 'http_500', 'Error', 'It said 500', 'Error: It said 500 at x')`;
    const { attemptHistory } = (await api.get(`/v1/jobs/${id}`)).body;
    z.strictObject(jobAttempt.shape).parse(attemptHistory[0]);
    expect(attemptHistory).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        errorStack: 'Error: It said 500 at x',
        claimedAt: expect.stringMatching(/Z$/),
      }),
    ]);
  });
});

describe('retry and cancel', () => {
  test('a queued job is cancelled at once, and queued again when it is retried', async () => {
    const { id } = (await api.post('/v1/jobs', invoice({ delaySeconds: 3_600 }))).body;
    const cancelled = await api.post(`/v1/jobs/${id}/cancel`, { reason: 'a mistake' });
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect(cancelled.body).toMatchObject({
      cancelRequestedBy: 'local',
      cancelReason: 'a mistake',
      finishedAt: expect.any(String),
    });
    const retried = await api.post(`/v1/jobs/${id}/retry`);
    expect([retried.status, retried.body.status, retried.body.finishedAt]).toEqual([200, 'queued', null]);
  });

  test('a running job is answered with 202, and its worker is asked to abort it', async () => {
    const { id } = (await api.post('/v1/jobs', invoice())).body;
    await markRunning(id);
    const answer = await api.post(`/v1/jobs/${id}/cancel`);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      status: 'running',
      cancelRequestedAt: expect.any(String),
      cancelRequestedBy: 'local',
    });
  });

  test('a transition that is not allowed is answered with 409 and changes nothing', async () => {
    const { id } = (await api.post('/v1/jobs', invoice())).body;
    await markRunning(id);
    const before = (await api.get(`/v1/jobs/${id}`)).text;
    const answer = await api.post(`/v1/jobs/${id}/retry`);
    expect([answer.status, answer.body.code]).toEqual([409, 'transition_not_allowed']);
    expect((await api.get(`/v1/jobs/${id}`)).text).toBe(before);
  });

  test('a refusal of the queue is a refusal of the API', async () => {
    await expect(enqueue(api.db, cleanupNightly, { day: 'x' })).rejects.toBeInstanceOf(DueworkError);
    expect((await api.post('/v1/jobs', { type: 'cleanup_nightly', payload: { day: 'x' } })).body.code).toBe(
      'invalid_payload',
    );
  });
});

test('an operator frees the key of a cancelled job, says that a dead one was looked at, and lists by queue', async () => {
  const idempotencyKey = 'event:1';
  const { id } = await enqueue(api.db, sendInvoice, { orderId: 1 }, { idempotencyKey, delay: '1h' });
  expect(await api.post(`/v1/jobs/${id}/free-key`)).toMatchObject({
    status: 409,
    body: { code: 'transition_not_allowed' },
  });
  await api.post(`/v1/jobs/${id}/cancel`);
  expect(await api.post(`/v1/jobs/${id}/free-key`)).toMatchObject({ status: 200, body: { freed: true } });
  expect(await api.post(`/v1/jobs/${id}/free-key`)).toMatchObject({ status: 200, body: { freed: false } });
  expect((await enqueue(api.db, sendInvoice, { orderId: 1 }, { idempotencyKey })).isDeduplicated).toBe(false);
  expect(await api.post(`/v1/jobs/${id}/acknowledge`)).toMatchObject({ status: 409 });
  const { body } = await api.get(`/v1/jobs?filter=queue:${sendInvoice.queue}+status:cancelled`);
  expect(body.jobs[0]).toMatchObject({ id, acknowledgedAt: expect.any(String), snoozes: 0 });
});
