import { sendInvoice } from '@duework/shop';
import { cancelJob, enqueueMany, jobRequest } from '@duework/queue-core';
import { emptyTables } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { useTestApi, type AnyJson } from '../../testing/use-test-api.js';
import { waitUntil } from '../../testing/wait-until.js';

const api = useTestApi();

afterEach(() => api.bulkActionsEnded());
beforeEach(async () => {
  await emptyTables(api.db, 'job_runs, job_history, job_keys');
});

/** So many cancelled jobs. */
async function cancelled(count: number): Promise<string[]> {
  const requests = Array.from({ length: count }, (_, n) =>
    jobRequest(sendInvoice, { orderId: n + 1 }, { delay: '1h' }),
  );
  const jobs = await enqueueMany(api.db, requests);
  for (const { id } of jobs) await cancelJob(api.db, id);
  return jobs.map(({ id }) => id);
}

const retry = { verb: 'retry', filter: 'status:cancelled type:send_invoice', reason: 'they were right' };
const ended = async (id: string): Promise<AnyJson> => {
  let body: AnyJson;
  await waitUntil(`bulk action ${id} has ended`, async () => {
    ({ body } = await api.get(`/v1/bulk-actions/${id}`));
    return body.status !== 'running';
  });
  return body;
};

test('jobs are previewed, retried behind the answer, undone, and the audit tells of each of them', async () => {
  const ids = await cancelled(3);
  const preview = await api.post('/v1/bulk-actions/preview', retry);
  expect(preview).toMatchObject({ status: 200, body: { count: { count: 3, isAtLeast: false }, refused: [] } });
  expect(preview.body.sample).toHaveLength(3);
  expect(preview.text).not.toContain('orderId');

  const started = await api.post('/v1/bulk-actions', { ...retry, atMost: 3 });
  expect(started).toMatchObject({ status: 202, body: { status: 'running', by: 'local', reason: 'they were right' } });
  expect(started.headers.get('location')).toBe(`/v1/bulk-actions/${started.body.id}`);
  expect(await ended(started.body.id)).toMatchObject({ status: 'finished', done: 3 });

  const undone = await api.post(`/v1/bulk-actions/${started.body.id}/undo`, { reason: 'they were not' });
  expect(undone).toMatchObject({ status: 202, body: { verb: 'undo', undoOf: started.body.id } });
  expect(await ended(undone.body.id)).toMatchObject({ done: 3 });
  expect((await api.get(`/v1/jobs/${ids[0]}`)).body.status).toBe('cancelled');

  const { body } = await api.get(`/v1/audit?job=${ids[1]}`);
  expect(body.entries.map(({ verb, reason }: AnyJson) => [verb, reason])).toEqual([
    ['finish_bulk_action', 'they were not'],
    ['undo_bulk_action', 'they were not'],
    ['finish_bulk_action', 'they were right'],
    ['start_bulk_action', 'they were right'],
    ['cancel', null],
  ]);
  expect((await api.get('/v1/bulk-actions?limit=1')).body.actions).toMatchObject([{ verb: 'undo' }]);
});

test.each<[string, object, number, string]>([
  ['preview', { verb: 'retry', filter: 'stauts:dead' }, 422, 'invalid_filter'],
  ['', { verb: 'retry', filter: 'type:nothing' }, 422, 'bulk_action_refused'],
  ['', { verb: 'retry' }, 422, 'invalid_body'],
  ['', { verb: 'explode', filter: '' }, 422, 'invalid_body'],
  ['999999/abort', {}, 404, 'bulk_action_not_found'],
  ['999999/undo', {}, 404, 'bulk_action_not_found'],
])('POST /v1/bulk-actions/%s with %j is answered with %i %s', async (path, body, status, code) => {
  expect(await api.post(`/v1/bulk-actions${path === '' ? '' : `/${path}`}`, body)).toMatchObject({
    status,
    body: { code },
  });
});

test('a page of the audit goes on where the one before has ended, and a filter keeps to it', async () => {
  await cancelled(5);
  const first = (await api.get('/v1/audit?verb=cancel&limit=2')).body;
  const second = (await api.get(`/v1/audit?verb=cancel&limit=2&cursor=${first.nextCursor}`)).body;
  const ids = [...first.entries, ...second.entries].map(({ id }: AnyJson) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect(new Set(ids).size).toBe(4);
  expect((await api.get('/v1/audit?by=nobody')).body).toEqual({ entries: [], nextCursor: null });
  expect((await api.get('/v1/audit?since=2999-01-01T00:00:00Z')).body.entries).toEqual([]);
  expect(await api.get('/v1/audit?cursor=x')).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  expect(await api.get('/v1/audit?target=1')).toMatchObject({ status: 422, body: { code: 'invalid_option' } });
  expect(await api.get('/v1/audit?job=x')).toMatchObject({ status: 404, body: { code: 'invalid_job_id' } });
});
