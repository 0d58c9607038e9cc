import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ask, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
const put = (key: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ask(`${api.url}/v1/schedules/${key}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const remove = (key: string) => ask(`${api.url}/v1/schedules/${key}`, { method: 'DELETE' });
const cleanup = {
  type: 'cleanup_nightly',
  payload: { day: { $due: 'date', addDays: -1 } },
  cron: '0 2 * * *',
  timeZone: 'Europe/Berlin',
};

beforeEach(async () => {
  await emptyTables(api.db, 'schedules, schedule_ledger, job_runs, job_keys');
});
/** Sets the schedule back, as if its due time of 14 January 2026 were next. */
const comeDue = () =>
  api.db
    .$executeRaw`UPDATE duework.schedules SET next_due_at = '2026-01-14T01:00:00Z', tick_at = now(), ends_at = '2026-01-14T01:00:01Z'`;

describe('schedules', () => {
  test('are made, shown, edited and deleted', async () => {
    const made = await put('cleanup:eu', cleanup);
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe('/v1/schedules/cleanup%3Aeu');
    expect(made.body).toMatchObject({
      key: 'cleanup:eu',
      source: 'api',
      words: 'At 02:00, in Europe/Berlin',
      missed: { policy: 'latest' },
      overlap: { policy: 'skip' },
      isPaused: false,
    });
    const edited = await put('cleanup:eu', {
      ...cleanup,
      cron: '30 3 * * *',
      missed: { policy: 'all', limit: 3, maxAge: '2h' },
      overlap: 'queue',
      splay: '10m',
    });
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({
      cron: '30 3 * * *',
      missed: { policy: 'all', limit: 3, maxAgeMs: 7_200_000 },
      overlap: { policy: 'queue', limit: 10 },
      splayMs: 600_000,
    });
    expect((await api.get(made.headers.get('location')!)).body).toEqual(edited.body);
    await put('a', { ...cleanup, cron: undefined, every: '15m' });
    const first = (await api.get('/v1/schedules?limit=1')).body;
    expect(first).toMatchObject({ schedules: [{ key: 'a', everyMs: 900_000 }], nextCursor: 'a' });
    expect((await api.get(`/v1/schedules?limit=1&cursor=${first.nextCursor}`)).body).toMatchObject({
      schedules: [{ key: 'cleanup:eu' }],
      nextCursor: null,
    });
    expect((await remove('a')).status).toBe(204);
    expect((await remove('a')).body).toMatchObject({ code: 'schedule_not_found', status: 404 });
    expect((await api.get('/v1/schedules/a')).status).toBe(404);
  });

  test.each([
    ['a rule with seven fields', { ...cleanup, cron: '0 0 2 * * * 2026' }, 'invalid_cron', '/cron'],
    ['31 February', { ...cleanup, cron: '0 0 31 2 *' }, 'rule_never_fires', undefined],
    ['an unknown zone', { ...cleanup, timeZone: 'Mars/Olympus' }, 'unknown_time_zone', '/timeZone'],
    ['two rules', { ...cleanup, every: '1h' }, 'invalid_rule', ''],
    ['an interval under a second', { ...cleanup, cron: undefined, every: '1ms' }, 'invalid_rule', '/every'],
    ['a template that is none', { ...cleanup, payload: { day: { $due: 'week' } } }, 'invalid_template', '/payload/day'],
    [
      'a payload that does not fit',
      { ...cleanup, payload: { day: { $due: 'iso' } } },
      'invalid_payload',
      '/payload/day',
    ],
    ['a wrong limit', { ...cleanup, splay: '2d' }, 'invalid_option', '/splay'],
    ['an unknown type', { ...cleanup, type: 'brew' }, 'unknown_job_type', '/type'],
    ['an unknown field', { ...cleanup, zone: 'UTC' }, 'invalid_body', '/zone'],
  ])('%s is refused with a code and a pointer', async (_, body, code, pointer) => {
    const refused = await put('x', body);
    expect([refused.status, refused.body.code, refused.body.errors[0]?.pointer]).toEqual([422, code, pointer]);
    expect((await api.get('/v1/schedules')).body.schedules).toEqual([]);
  });

  test('are made anew alone where a request asks for that, and stay as they are otherwise', async () => {
    const anew = { 'If-None-Match': '*' };
    expect((await put('new', cleanup, anew)).status).toBe(201);
    const again = await put('new', { ...cleanup, cron: '0 5 * * *' }, anew);
    expect([again.status, again.body]).toMatchObject([412, { code: 'schedule_key_taken' }]);
    expect((await api.get('/v1/schedules/new')).body).toMatchObject({ cron: cleanup.cron });
    expect((await put('new', cleanup, { 'If-None-Match': '"etag"' })).body).toMatchObject({
      code: 'malformed_request',
    });
  });

  test('are refused when the key is not valid', async () => {
    expect((await put('a%20b', cleanup)).body).toMatchObject({ code: 'invalid_schedule_key', status: 422 });
  });

  test('are paused, resumed and triggered', async () => {
    await put('s', cleanup);
    expect((await api.post('/v1/schedules/s/pause')).body).toMatchObject({ isPaused: true });
    expect((await api.get('/v1/schedules?paused=true')).body.schedules).toHaveLength(1);
    const triggered = await api.post('/v1/schedules/s/trigger');
    expect(triggered.status).toBe(202);
    expect((await api.get(triggered.headers.get('location')!)).body).toMatchObject({
      type: 'cleanup_nightly',
      status: 'queued',
      idempotencyKey: null,
    });
    expect((await api.post('/v1/schedules/s/resume')).body).toMatchObject({
      isPaused: false,
      lastRunId: triggered.body.id,
    });
    for (const verb of ['pause', 'resume', 'trigger'])
      expect((await api.post(`/v1/schedules/none/${verb}`)).status).toBe(404);
  });

  test('are listed with their last due times where they are asked for', async () => {
    await put('seldom', cleanup);
    await put('s', cleanup);
    const { id } = (await api.post('/v1/schedules/s/trigger')).body;
    const listed = (await api.get('/v1/schedules?dueTimes=2&limit=1000')).body.schedules;
    expect(listed).toMatchObject([
      { key: 's', dueTimes: [{ reason: 'triggered', runId: id, runStatus: 'queued' }] },
      { key: 'seldom', dueTimes: [] },
    ]);
    expect((await api.get('/v1/schedules')).body.schedules[0]).not.toHaveProperty('dueTimes');
    for (const wrong of ['dueTimes=21', 'dueTimes=x', 'dueTimes=3&limit=1000'])
      expect((await api.get(`/v1/schedules?${wrong}`)).body).toMatchObject({
        code: 'invalid_query',
        errors: expect.arrayContaining([expect.objectContaining({ parameter: 'dueTimes' })]),
      });
  });

  test('are previewed with what their rule means and where the clock changes, and nothing is saved', async () => {
    const { body } = await api.post('/v1/schedule-previews', {
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      count: 2,
      after: '2026-03-28T12:00:00Z',
    });
    expect(body).toMatchObject({
      words: 'At 02:30, in Europe/Berlin',
      dueTimes: [
        { local: '2026-03-29T03:00:00+02:00', dst: 'moved' },
        { local: '2026-03-30T02:30:00+02:00', dst: null },
      ],
    });
    expect((await api.post('/v1/schedule-previews', { cron: '@daily' })).body.dueTimes).toHaveLength(5);
    expect((await api.get('/v1/schedules')).body.schedules).toEqual([]);
    await put('saved', { ...cleanup, missed: 'all', overlap: 'queue' });
    const saved = (await api.get('/v1/schedules/saved/preview?count=2')).body;
    expect(saved).toMatchObject({
      words: 'At 02:00, in Europe/Berlin',
      timeZone: 'Europe/Berlin',
      policy:
        'Missed due times fire, the newest 10 of them, none older than 1 day. A due time waits while a run is live; at most 10 wait.',
    });
    expect(saved.dueTimes.map(({ local }: { local: string }) => local.slice(10, 16))).toEqual(['T02:00', 'T02:00']);
    expect((await api.get('/v1/schedules/none/preview')).status).toBe(404);
    expect((await api.post('/v1/schedule-previews', { cron: 'x' })).body.code).toBe('invalid_cron');
  });
});

describe('a wake-up over HTTP', () => {
  test('ticks, says what it did, and the ledger says whether it ran', async () => {
    await put('cleanup', cleanup);
    await comeDue();
    expect((await api.post('/v1/wake')).body).toEqual({ fired: 1, skipped: 0, waiting: 0, nextTickInMs: null });
    const { dueTimes } = (
      await api.get('/v1/due-times?schedule=cleanup&from=2026-01-13T00:00:00Z&to=2026-01-15T00:00:00Z')
    ).body;
    expect(dueTimes).toMatchObject([
      {
        scheduleKey: 'cleanup',
        dueAt: '2026-01-14T01:00:00.000Z',
        outcome: 'fired',
        runStatus: 'queued',
        reason: null,
      },
    ]);
    expect((await api.get(`/v1/jobs/${dueTimes[0].runId}`)).body).toMatchObject({ payload: { day: '2026-01-13' } });
    expect((await api.get('/v1/due-times?outcome=skipped')).body.dueTimes).toEqual([]);
    expect((await api.get(`/v1/due-times?job=${dueTimes[0].runId}`)).body).toEqual({
      dueTimes: [dueTimes[0]],
      nextCursor: null,
    });
    expect((await api.get('/v1/due-times?job=4000000000000000000')).body.dueTimes).toEqual([]);
    expect((await api.get('/v1/due-times?job=x')).body).toMatchObject({
      code: 'invalid_query',
      errors: [{ parameter: 'job' }],
    });
    expect((await api.get('/v1/due-times?from=yesterday')).body.code).toBe('invalid_query');
    expect((await api.get('/v1/due-times?cursor=x')).body.code).toBe('invalid_cursor');
  });

  test('fires a due time once when twenty arrive at once', async () => {
    await put('cleanup', cleanup);
    await comeDue();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/v1/wake')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + body.fired, 0)).toBe(1);
    expect(await api.db.jobRun.count()).toBe(1);
  });
});
