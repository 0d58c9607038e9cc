import { createPostgresStore } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
beforeEach(async () => {
  await emptyTables(
    api.db,
    'job_runs, job_keys, pauses, worker_contracts, figures_minutes, figures_hours, figures_days',
  );
});

const receipt = { type: 'cleanup_nightly', payload: { day: '2026-01-31' } };
const enqueue = async (): Promise<string> => (await api.post('/v1/jobs', receipt)).body.id;

describe('pauses', () => {
  test.each([
    ['queues', 'queue', 'mail'],
    ['types', 'type', 'cleanup_nightly'],
  ])('%s are paused and resumed, with a reason and an end', async (kinds, kind, name) => {
    const until = '2999-01-01T00:00:00.000Z';
    const paused = await api.post(`/v1/${kinds}/${name}/pause`, { reason: 'the provider is down', until });
    expect(paused.status).toBe(200);
    const pause = { kind, name, until, reason: 'the provider is down' };
    expect(paused.body).toMatchObject(pause);
    expect((await api.get('/v1/pauses')).body).toEqual({ pauses: [paused.body] });
    const resumed = await api.post(`/v1/${kinds}/${name}/resume`, { reason: 'it is back' });
    expect(resumed.body).toEqual({ pause: paused.body });
    expect((await api.post(`/v1/${kinds}/${name}/resume`)).body).toEqual({ pause: null });
    expect((await api.get('/v1/pauses')).body).toEqual({ pauses: [] });
  });

  test('an end that has passed, a name that is too long and an unknown field are refused', async () => {
    expect(await api.post('/v1/queues/mail/pause', { until: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_option' },
    });
    expect((await api.post(`/v1/types/${'x'.repeat(64)}/pause`)).body.code).toBe('invalid_option');
    expect((await api.post('/v1/queues/mail/pause', { till: 1 })).body.code).toBe('invalid_body');
    expect((await api.get('/v1/pauses')).body).toEqual({ pauses: [] });
  });
});

test('a job is explained by a code, its facts and a sentence', async () => {
  const id = await enqueue();
  expect((await api.get(`/v1/jobs/${id}/explain`)).body).toMatchObject({
    id,
    status: 'queued',
    code: 'no_worker',
    facts: { type: 'cleanup_nightly', missing: 'worker', lastWorker: null },
    sentence: 'No worker is running; none was seen within 30 days.',
    further: [],
  });
  expect((await api.get('/v1/jobs/9223372036854775807/explain')).status).toBe(404);
});

test('queues are listed by type with what waits, what happened lately, and their pauses', async () => {
  await enqueue();
  await api.post('/v1/types/cleanup_nightly/pause');
  await api.post('/v1/queues/empty/pause');
  const [{ queue }] = await api.db.$queryRaw<[{ queue: string }]>`SELECT queue FROM duework.job_runs`;
  const none = { failed: 0, dead: 0, cancelled: 0, snoozed: 0, ran: [], ranMs: 0 };
  await createPostgresStore({ db: api.db }).writeFigures!([
    { atMs: null, queue, type: 'cleanup_nightly', claimed: 3, succeeded: 2, waited: [0, 3], waitedMs: 4, ...none },
  ]);
  const { queues } = (await api.get('/v1/queues')).body;
  expect(queues).toMatchObject([
    {
      type: 'cleanup_nightly',
      due: 1,
      running: 0,
      claimed: 3,
      succeeded: 2,
      wait: { count: 3 },
      pauses: [{ kind: 'type' }],
    },
    { queue: 'empty', type: '', due: 0, claimed: 0, pauses: [{ kind: 'queue' }] },
  ]);
  expect((await api.get('/v1/figures?type=cleanup_nightly')).body.figures).toMatchObject([
    { claimed: 3, succeeded: 2 },
  ]);
  expect((await api.get('/v1/figures?step=whole&group=all')).body.figures).toMatchObject([
    { queue: '', type: '', claimed: 3, succeeded: 2 },
  ]);
  expect((await api.get('/v1/figures?step=2m')).body.code).toBe('invalid_query');
});

test('what is due and nobody can run is listed, with what is missing and who could run it last', async () => {
  await emptyTables(api.db, 'past_workers');
  await enqueue();
  const [{ queue, job_version: version }] = await api.db.$queryRaw<
    [{ queue: string; job_version: number }]
  >`SELECT queue, job_version FROM duework.job_runs`;
  const unserved = { queue, type: 'cleanup_nightly', version, waiting: 1, isAtLeast: false };
  const ask = async () => (await api.get('/v1/unserved')).body.unserved;
  expect(await ask()).toMatchObject([{ ...unserved, missing: 'worker', lastWorker: null, lastSeenAt: null }]);
  await api.db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts, seen_at) VALUES ('w1', '{default}', '{"a":[1,2]}', now())`;
  await api.db.$executeRaw`
    INSERT INTO duework.past_workers (worker, started_at, seen_at, queues, contracts)
    VALUES ('night', now() - interval '2 hours', '2026-01-31T14:02:00Z', ARRAY[${queue}], jsonb_build_object('cleanup_nightly', jsonb_build_array(1, ${version}::integer)))`;
  expect(await ask()).toMatchObject([
    { ...unserved, missing: 'type', lastWorker: 'night', lastSeenAt: '2026-01-31T14:02:00.000Z' },
  ]);
  await api.db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts, seen_at)
    VALUES ('w2', ARRAY[${queue}], jsonb_build_object('cleanup_nightly', jsonb_build_array(1, ${version}::integer)), now())`;
  expect(await ask()).toEqual([]);
});

test('workers are listed that were seen within three minutes', async () => {
  await api.db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts, seen_at, host, pid, slots)
    VALUES ('w1', '{default}', '{"a":[1,2]}', now(), 'h', 7, 10), ('w2', '{default}', '{}', now() - interval '4 minutes', 'h', 8, 10)`;
  expect((await api.get('/v1/workers')).body).toMatchObject({
    workers: [
      { name: 'w1', host: 'h', pid: 7, slots: 10, types: [{ type: 'a', oldestVersion: 1, version: 2 }], runs: [] },
    ],
  });
});
