import { fixMoments, parseFilter } from '@duework/filter';
import { queryRows, sql } from '@duework/sql';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { addJobs } from '../../testing/add-jobs.js';
import { countJobs } from '../count-jobs.js';
import { readFilter } from '../read-filter.js';
import { searchJobs } from '../search-jobs.js';
import { compileFilter } from './compile-filter.js';

const database = useTestDatabase();

beforeAll(async () => {
  await addJobs(database.db, [
    { id: 1, status: 'queued', type: 'mail', queue: 'mails', payload: { orderId: 812 }, hoursAgo: 5 },
    { id: 2, status: 'running', type: 'mail', worker: 'w2', priority: 0, key: 'invoice:812' },
    { id: 3, status: 'failed', error: ['boom', null, 'connect ECONNREFUSED 127.0.0.1:25'], version: 2, attempts: 3 },
    {
      id: 4,
      status: 'dead',
      error: ['http_503', 'HttpError', 'The "provider" said: try again (later)'],
      key: 'a, "b"',
    },
    {
      id: 5,
      status: 'dead',
      error: ['boom', 'Error', 'connect econnrefused'],
      payload: { orderId: '812' },
      hoursAgo: 0.1,
    },
    {
      id: 6,
      status: 'dead',
      payload: { order: { 'the.id': 7, isPaid: true, note: null } },
      version: 3,
      key: 'invoice:812',
    },
    { id: 7, status: 'cancelled', queue: 'mails', worker: 'w2', payload: { orderId: 812, list: [1] } },
    { id: 8, status: 'succeeded', type: 'mail', payload: { orderId: 8120 }, hoursAgo: 30 },
    { id: 9, status: 'succeeded', isLate: true, error: ['boom', null, 'once, before it succeeded'] },
  ]);
  await database.db.$executeRaw`
    INSERT INTO duework.job_keys (job_type, key, run_id) VALUES ('mail', 'invoice:812', 2), ('echo', 'other', 6)`;
  await database.db.$executeRaw`
    INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, run_id, fires_at, decided_at, late_ms)
    SELECT 1, now() - n * interval '1 day', 'nightly', 'echo', 'fired', n, now(), now(), 0 FROM unnest(ARRAY[3, 4, 8]) AS n`;
});

const FITTING: Readonly<Record<string, readonly number[]>> = {
  '': [9, 8, 7, 6, 5, 4, 3, 2, 1],
  'status:dead': [6, 5, 4],
  '-status:dead': [9, 8, 7, 3, 2, 1],
  'status:dead,failed -status:failed': [6, 5, 4],
  'status:running,queued': [2, 1],
  'status:failed': [3],
  'id:3,8,77': [8, 3],
  'type:mail': [8, 2, 1],
  '-type:mail status:succeeded': [9],
  'queue:mails': [7, 1],
  'worker:w2': [7, 2],
  '-worker:w2 status:queued,running,cancelled': [1],
  'key:invoice:812': [6, 2],
  'key:"a, \\"b\\""': [4],
  'schedule:nightly': [8, 4, 3],
  'schedule:weekly': [],
  '-schedule:nightly status:dead,failed': [6, 5],
  'version:<3 status:failed,dead': [5, 4, 3],
  'version:>=2': [6, 3],
  'version:>1 version:<3': [3],
  'priority:0': [2],
  'attempts:>2': [3],
  'error:ECONNREFUSED': [5, 3],
  'error:econnrefused status:dead': [5],
  'error:REFUSED': [],
  'code:boom': [9, 5, 3],
  'code:HttpError,http_503': [4],
  'code:http': [],
  '-code:boom status:dead': [6, 4],
  'error:127.0.0.1': [3],
  '"connect econnrefused"': [5, 3],
  '"said: try again (later)"': [4],
  '"again (later"': [4],
  '"gain (later"': [],
  'error:HttpError,http_503': [4],
  '-error:boom status:dead': [6, 4],
  'error:boom "once, before"': [9],
  'error:boom,"a|b",econnrefused "connect"': [5, 3],
  [`error:${Array.from({ length: 98 }, (_, n) => `w${n}`).join(',')},BOOM`]: [9, 5, 3],
  [`-error:${Array.from({ length: 98 }, (_, n) => `w${n}`).join(',')},boom status:dead`]: [6, 4],
  'payload.orderId:812': [7, 5, 1],
  'payload.orderId:"812"': [5],
  'payload.order."the.id":7': [6],
  'payload.order.isPaid:true': [6],
  'payload.order.isPaid:"true"': [],
  'payload.order.note:null': [6],
  'payload.list:1': [],
  'payload.list.0:1': [],
  'payload.order."the.id".x:7': [],
  'payload.orderId:1,2,3,4,5,6,7,8,9,10,812.0 status:queued,cancelled': [7, 1],
  'payload.orderId:8120,812 status:succeeded,cancelled': [8, 7],
  '-payload.orderId:812 status:dead,cancelled': [6, 4],
  'since:2h': [9, 7, 6, 5, 4, 3, 2],
  'since:15m': [5],
  'until:2h': [8, 1],
  'since:2d until:15m status:dead,succeeded': [9, 8, 6, 4],
};

test.each(Object.entries(FITTING))('%j finds the jobs that it means, and counts them', async (filter, ids) => {
  const { jobs, isComplete } = await searchJobs(database.db, { filter });
  expect(jobs.map(({ id }) => Number(id))).toEqual(ids);
  expect(isComplete).toBe(true);
  expect(await countJobs(database.db, filter)).toEqual({ count: ids.length, isAtLeast: false });
});

test.each(Object.entries(FITTING))('%j is a condition over rows, which bulk actions use', async (filter, ids) => {
  const fixed = fixMoments(readFilter(filter), new Date());
  const rows = await queryRows<{ id: number }>(
    database.db,
    sql`SELECT j.id::integer AS id FROM duework.jobs AS j WHERE ${compileFilter(fixed)} ORDER BY j.id DESC`,
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
  const live = await queryRows<{ id: number }>(
    database.db,
    sql`SELECT j.id::integer AS id FROM duework.job_runs AS j WHERE ${compileFilter(fixed, 'runs')} ORDER BY j.id DESC`,
  );
  expect(live.map(({ id }) => id)).toEqual(ids.filter((id) => id <= 3));
});

test('a filter that was typed wrong is refused with everything that is wrong with it', async () => {
  await expect(searchJobs(database.db, { filter: 'stauts:dead version:x' })).rejects.toMatchObject({
    code: 'invalid_filter',
    facts: { errors: [{ code: 'unknown_field', from: 0, to: 6 }, { code: 'invalid_number' }] },
  });
  expect(parseFilter('status:dead').isOk).toBe(true);
});

test.each([
  { limit: 0 },
  { limit: 201 },
  { cursor: 'x' },
  { cursor: '-1-1' },
  { cursor: '-9223372036854775807' },
  { cursor: '-5', filter: 'status:running' },
])('a page by %j is refused', async (options) => {
  await expect(searchJobs(database.db, options)).rejects.toMatchObject({
    code: expect.stringMatching(/^invalid_(option|cursor)$/),
  });
});
