import { defineCatalog, defineJob } from '@duework/contracts';
import {
  acknowledgeJob,
  cancelJob,
  createPostgresStore,
  enqueue,
  enqueueBatch,
  getBatch,
  jobRequest,
  retryJob,
  type Json,
  type Queryable,
} from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readAudit } from '../audit/read-audit.js';
import { ANA, charge, echo, META, testCatalog, useOperated } from '../testing/use-operated.js';
import type { BulkRequest } from './bulk-action.js';
import { abortBulkAction, undoBulkAction } from './end-bulk-action.js';
import { getBulkAction, listBulkActions } from './get-bulk-action.js';
import { previewBulkAction } from './preview-bulk-action.js';
import { startBulkAction } from './start-bulk-action.js';
import { findNextStep } from './sql/find-bulk-actions.js';
import { stepBulkActions } from './step-bulk-actions.js';
import { takeNextStep } from './take-next-step.js';

const { db, die, wait, claim, step, job, counts, entries } = useOperated();
const start = (request: BulkRequest) => startBulkAction(db(), testCatalog, request, ANA);
const preview = (request: BulkRequest) => previewBulkAction(db(), testCatalog, request);
/** Starts an action and steps it to its end. */
const run = async (request: BulkRequest) => {
  const { id } = await start(request);
  await step();
  return getBulkAction(db(), id);
};
const undo = async (id: string) => {
  const undone = await undoBulkAction(db(), id, ANA);
  await step();
  return getBulkAction(db(), undone.id);
};

describe('a preview', () => {
  test('tells how many jobs, some of them and what would be refused and why, and changes nothing', async () => {
    const [first] = await die(12);
    await die(2, 'who knows', 'effect_unknown');
    const before = await counts();
    const found = await preview({ verb: 'retry', filter: 'type:echo' });
    expect(found).toMatchObject({
      statuses: ['dead'],
      count: { count: 12, isAtLeast: false },
      refused: [{ code: 'effect_unknown', count: 2, why: expect.stringContaining('effectsHappened') }],
    });
    expect(found.sample).toHaveLength(10);
    expect(found.sample[0]).toMatchObject({ job: { id: first, status: 'dead' }, refusal: null });
    expect(await counts()).toEqual(before);
    expect(await entries()).toEqual([]);
  });

  test('of a verb that is not for a status says so of those jobs', async () => {
    await wait(3);
    await claim(1);
    const found = await preview({ verb: 'change_priority', priority: 1, filter: 'status:queued,running,succeeded' });
    expect(found.count).toEqual({ count: 2, isAtLeast: false });
    expect(found.refused).toMatchObject([
      { code: 'transition_not_allowed', count: 1 },
      { code: 'transition_not_allowed', count: null },
    ]);
  });
});

describe('a request', () => {
  test.each<[object, string]>([
    [{ verb: 'retry', filter: 'stauts:dead' }, 'invalid_filter'],
    [{ verb: 'explode', filter: '' }, 'invalid_option'],
    [{ verb: 'retry', filter: 'status:running,succeeded' }, 'bulk_action_refused'],
    [{ verb: 'retry', filter: 'type:nothing' }, 'bulk_action_refused'],
    [{ verb: 'delete', filter: 'type:echo' }, 'bulk_action_refused'],
    [{ verb: 'retry', filter: 'type:echo', atMost: 1 }, 'bulk_action_refused'],
    [{ verb: 'retry', filter: 'type:echo', perSecond: 0 }, 'invalid_option'],
    [{ verb: 'change_priority', filter: '', priority: 10 }, 'invalid_option'],
    [{ verb: 'change_priority', filter: '' }, 'invalid_option'],
    [{ verb: 'change_queue', filter: '', queue: 'No Queue' }, 'invalid_option'],
    [{ verb: 'reschedule', filter: '', runAt: 'tomorrow' }, 'invalid_option'],
    [{ verb: 'edit_payload', filter: 'status:dead', path: ['n'], value: 1 }, 'bulk_action_refused'],
    [{ verb: 'edit_payload', filter: 'status:dead type:none', path: ['n'], value: 1 }, 'unknown_job_type'],
    [{ verb: 'edit_payload', filter: 'status:dead type:echo', path: [], value: 1 }, 'invalid_option'],
  ])('%j is refused with %s, and leaves nothing', async (request, code) => {
    await die(2);
    await expect(start(request as BulkRequest)).rejects.toMatchObject({ code });
    expect((await listBulkActions(db())).actions).toEqual([]);
    expect(await entries()).toEqual([]);
  });
});

describe('a bulk retry', () => {
  test('brings the dead jobs back that fit, with all their attempts, and is told by the audit once', async () => {
    const refusedOnes = await die(3, 'connect ECONNREFUSED');
    const [other] = await die(1, 'no such user');
    const action = await run({ verb: 'retry', filter: 'error:ECONNREFUSED' });
    expect(action).toMatchObject({
      status: 'finished',
      done: 3,
      refused: {},
      total: { count: 3, isAtLeast: false },
      by: ANA.by,
      reason: ANA.reason,
      undoUntil: expect.any(Date),
    });
    for (const id of refusedOnes)
      expect(await job(id)).toMatchObject({ status: 'queued', attempts: 0, fence: 1, meta: META });
    expect(await job(other!)).toMatchObject({ status: 'dead' });
    expect(await entries()).toMatchObject([
      {
        verb: 'start_bulk_action',
        kind: 'bulk_action',
        target: action.id,
        by: ANA.by,
        after: { verb: 'retry', jobs: 3 },
      },
      { verb: 'finish_bulk_action', target: action.id, after: { done: 3 } },
    ]);
    const told = await readAudit(db(), { job: refusedOnes[1]! });
    expect(told.entries.map(({ verb }) => verb)).toEqual(['finish_bulk_action', 'start_bulk_action']);
    expect((await readAudit(db(), { job: other! })).entries).toEqual([]);
  });

  test('walks through many steps, and takes neither a job that died later nor one that came later', async () => {
    const ids = await die(25);
    const { id } = await start({ verb: 'retry', filter: 'status:dead', perSecond: 100_000 });
    await die(4);
    await step();
    expect(await getBulkAction(db(), id)).toMatchObject({ done: ids.length });
    expect(await counts()).toEqual({ dead: 4, queued: 25 });
  });

  test('leaves jobs whose effects are unknown unless somebody says what happened', async () => {
    await die(2, 'who knows', 'effect_unknown');
    await die(1);
    expect(await run({ verb: 'retry', filter: '' })).toMatchObject({ done: 1, refused: { effect_unknown: 2 } });
    expect(await run({ verb: 'retry', filter: '', effectsHappened: false })).toMatchObject({ done: 2, refused: {} });
  });

  test('brings jobs back behind all others when it is told so, and its undo gives them their priority', async () => {
    const [id] = await die(1);
    const before = await job(id!);
    const action = await run({ verb: 'retry', filter: '', priority: 9 });
    expect(await job(id!)).toMatchObject({ status: 'queued', priority: 9 });
    await undo(action.id);
    expect(await job(id!)).toEqual({ ...before, meta: META });
  });

  test('makes jobs due one after the other, so that others are run between them', async () => {
    await die(100);
    await run({ verb: 'retry', filter: '', perSecond: 100 });
    const [spread] = await db().$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM max(run_at) - min(run_at))::float8 AS seconds FROM duework.job_runs`;
    expect(spread!.seconds).toBeCloseTo(0.99, 5);
  });

  test('changes no more jobs in a second than it may', async () => {
    await die(1_500);
    const { createdAt, finishedAt } = await run({ verb: 'retry', filter: '', perSecond: 1_000 });
    expect(finishedAt!.getTime() - createdAt.getTime()).toBeGreaterThanOrEqual(1_000);
  });
});

describe('the other verbs', () => {
  test('cancel ends waiting jobs, and asks the workers of running ones', async () => {
    const ids = await wait(3);
    const [running] = await claim(1);
    expect(await run({ verb: 'cancel', filter: 'type:echo' })).toMatchObject({ done: 3 });
    expect(await job(running!.id)).toMatchObject({ status: 'running', cancelRequestedBy: ANA.by });
    const waiting = ids.find((id) => id !== running!.id)!;
    expect(await job(waiting)).toMatchObject({
      status: 'cancelled',
      cancelRequestedBy: ANA.by,
      cancelReason: ANA.reason,
    });
  });

  test('reschedule, change_priority and change_queue change waiting jobs and no running one', async () => {
    const ids = await wait(2);
    const [running] = await claim(1);
    const waiting = ids.find((id) => id !== running!.id)!;
    const runAt = new Date(Date.now() + 3_600_000);
    const refused = { transition_not_allowed: 1 };
    const filter = 'status:queued,running';
    expect(await run({ verb: 'reschedule', filter, runAt })).toMatchObject({ done: 1, refused });
    expect(await run({ verb: 'change_priority', filter, priority: 9 })).toMatchObject({ done: 1, refused });
    expect(await run({ verb: 'change_queue', filter, queue: 'slow' })).toMatchObject({ done: 1, refused });
    expect(await job(waiting)).toMatchObject({ runAt, priority: 9, queue: 'slow', status: 'queued' });
    expect(await job(running!.id)).toMatchObject({ priority: 5, queue: 'default', status: 'running' });
  });

  test('free_key lets the business events be enqueued again, and refuses jobs without a key', async () => {
    const { id } = await enqueue(db(), charge, { invoice: 1 });
    await cancelJob(db(), id);
    await die(1);
    expect(await run({ verb: 'free_key', filter: '' })).toMatchObject({
      done: 1,
      refused: { no_key: 1 },
      undoUntil: null,
    });
    expect(await enqueue(db(), charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
  });

  test('delete removes finished jobs with their keys, and cannot be undone', async () => {
    const { id } = await enqueue(db(), charge, { invoice: 2 });
    await cancelJob(db(), id);
    await die(2);
    const action = await run({ verb: 'delete', filter: 'status:dead,cancelled' });
    expect(action).toMatchObject({ done: 3, undoUntil: null });
    expect(await counts()).toEqual({});
    expect(await db().jobKey.count()).toBe(0);
    await expect(undoBulkAction(db(), action.id)).rejects.toMatchObject({ code: 'undo_not_possible' });
  });
});

describe('an edit of payloads', () => {
  test('changes one field of each payload that then fits its contract, and refuses the others', async () => {
    const mail = defineJob({ type: 'echo', payload: z.object({ n: z.int().max(2), zip: z.string().optional() }) });
    const catalog = defineCatalog([mail]);
    const ids = await die(4);
    const request: BulkRequest = {
      verb: 'edit_payload',
      filter: 'type:echo status:dead',
      path: ['zip'],
      value: '10115',
    };
    const { sample } = await previewBulkAction(db(), catalog, request);
    expect(sample.map(({ refusal }) => refusal?.code ?? null)).toEqual([
      null,
      null,
      'invalid_payload',
      'invalid_payload',
    ]);
    const { id } = await startBulkAction(db(), catalog, request, ANA);
    await stepBulkActions(db(), catalog, new AbortController().signal);
    const action = await getBulkAction(db(), id);
    expect(action).toMatchObject({ status: 'finished', done: 2, refused: { invalid_payload: 2 } });
    expect(await Promise.all(ids.map(async (each) => (await job(each)).payload))).toEqual([
      { n: 1, zip: '10115' },
      { n: 2, zip: '10115' },
      { n: 3 },
      { n: 4 },
    ]);
    // no value of it is left in the action or in the audit
    expect(JSON.stringify([action, (await entries()).map(({ before, after }) => [before, after])])).not.toContain(
      '10115',
    );
    expect((await entries())[0]).toMatchObject({ after: { options: { path: ['zip'] } } });
    expect(await undo(id)).toMatchObject({ done: 2 });
    expect((await job(ids[0]!)).payload).toEqual({ n: 1 });
  });

  test('leaves numbers that JavaScript cannot hold what they are, and so does its undo', async () => {
    const [id] = await die(1);
    const before = '{"n": 1, "orderId": 9007199254740993}';
    await db().$executeRaw`UPDATE duework.job_history_dead SET payload = ${before}::text::jsonb`;
    const stored = async (): Promise<string> => {
      const [row] = await db().$queryRaw<
        { text: string }[]
      >`SELECT payload::text AS text FROM duework.job_history_dead`;
      return row!.text;
    };
    for (const [path, value, after] of [
      [['n'], 7, '{"n": 7, "orderId": 9007199254740993}'],
      [['orderId'], 7, '{"n": 1, "orderId": 7}'],
      [['orderId'], undefined, '{"n": 1}'],
      [['note'], null, '{"n": 1, "note": null, "orderId": 9007199254740993}'],
    ] as const) {
      const edit = await run({ verb: 'edit_payload', filter: `type:echo id:${id} status:dead`, path, value });
      expect([edit.done, await stored()]).toEqual([1, after]);
      expect(await undo(edit.id)).toMatchObject({ done: 1 });
      expect(await stored()).toBe(before);
    }
  });

  test('leaves a payload that somebody has changed since it was read', async () => {
    const [id] = await die(1);
    await start({ verb: 'edit_payload', filter: 'type:echo status:dead', path: ['n'], value: 7 });
    const action = await findNextStep(db(), ['echo'], false);
    let reads = 0;
    const slow = {
      $queryRaw: async (query: never) => {
        const rows = await db().$queryRaw(query);
        if (reads++ === 0) await db().$executeRaw`UPDATE duework.job_history_dead SET payload = '{"n": 3}'`;
        return rows;
      },
    } as unknown as Queryable;
    expect(await takeNextStep(slow, testCatalog, action!)).toMatchObject({ done: 0 });
    expect((await job(id!)).payload).toEqual({ n: 3 });
    expect((await getBulkAction(db(), action!.id)).refused).toEqual({ changed_meanwhile: 1 });
  });

  test('waits for somebody who has the contract, and other actions do not wait for it', async () => {
    await die(1);
    const { id } = await start({
      verb: 'edit_payload',
      filter: 'type:echo status:dead',
      path: ['n'],
      value: 7 as Json,
    });
    await wait(1, 5);
    const other = await start({ verb: 'change_priority', filter: 'type:echo', priority: 1 });
    await stepBulkActions(db(), defineCatalog([charge]), new AbortController().signal);
    expect(await getBulkAction(db(), other.id)).toMatchObject({ status: 'finished', done: 1 });
    expect(await getBulkAction(db(), id)).toMatchObject({ status: 'running', done: 0 });
    await step();
    expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished', done: 1 });
  });
});

describe('an undo', () => {
  test('makes retried jobs dead again as they were, but for those that somebody has claimed or changed since', async () => {
    const ids = await die(5);
    await acknowledgeJob(db(), ids[4]!);
    const before = await job(ids[4]!);
    const { id } = await run({ verb: 'retry', filter: '' });
    const [claimed] = await claim(1);
    const changed = ids.find((each) => each !== claimed!.id)!;
    await run({ verb: 'change_priority', filter: `id:${changed}`, priority: 0 });
    const undone = await undo(id);
    expect(undone).toMatchObject({ verb: 'undo', undoOf: id, done: 3, refused: { changed_meanwhile: 2 } });
    expect(await counts()).toEqual({ dead: 3, queued: 1, running: 1 });
    expect(await job(ids[4]!)).toEqual(before);
    expect((await getBulkAction(db(), id)).undoUntil).toBeNull();
    await expect(undoBulkAction(db(), id)).rejects.toMatchObject({ code: 'undo_not_possible' });
  });

  test('of a retry is told to the batch of the jobs, and to who has begun to wait for one meanwhile', async () => {
    const { id: batch, jobs } = await enqueueBatch(db(), { jobs: [1, 2].map((n) => jobRequest(echo, { n })) });
    const [waiting] = await wait(1);
    const store = createPostgresStore({ db: db() });
    const error = { code: 'boom', type: 'Error', message: 'connect ECONNREFUSED', stack: null };
    const claims = (await claim(3)).map(({ id, fence }) => ({ id, fence }));
    const waiter = claims.find((one) => one.id === waiting)!;
    const failed = claims.filter((one) => one !== waiter);
    await store.settle(failed.map((one) => ({ ...one, kind: 'bury', error, abort: null })));
    const { id } = await run({ verb: 'retry', filter: 'status:dead' });
    expect(await getBatch(db(), batch)).toMatchObject({ open: 2, dead: 0 });
    const forever = { afterMs: null, until: null };
    await store.beginWaits([
      { ...waiter, name: 'other', askedSeq: 1, ...forever, awaits: 'job', awaited: jobs[0]!.id },
    ]);
    await undo(id);
    expect(await getBatch(db(), batch)).toMatchObject({ open: 0, dead: 2 });
    expect(await store.readSteps(waiter.id, waiter.fence)).toMatchObject({
      done: [{ result: { status: 'dead' } }],
    });
  });

  test('gives waiting jobs back their moment, priority and queue', async () => {
    const [id] = await wait(1);
    const before = await job(id!);
    const requests: BulkRequest[] = [
      { verb: 'reschedule', filter: '', runAt: new Date(Date.now() + 3_600_000), spreadMs: 60_000 },
      { verb: 'change_priority', filter: '', priority: 0 },
      { verb: 'change_queue', filter: '', queue: 'slow' },
    ];
    for (const request of requests) {
      const action = await run(request);
      expect(await job(id!)).not.toEqual(before);
      expect(await undo(action.id)).toMatchObject({ done: 1 });
      expect(await job(id!)).toEqual({ ...before, meta: META });
    }
    // a retry makes due what waits for later, and leaves what is due where it is
    await run(requests[0]!);
    const later = await job(id!);
    const retried = await run({ verb: 'retry', filter: 'status:queued' });
    expect(await job(id!)).not.toEqual(later);
    expect(await undo(retried.id)).toMatchObject({ done: 1 });
    expect(await job(id!)).toEqual({ ...later, meta: META });
  });

  test('leaves waiting jobs that somebody has changed since', async () => {
    const [changed, other] = await wait(2);
    const action = await run({ verb: 'change_priority', filter: '', priority: 0 });
    await run({ verb: 'change_queue', filter: `id:${changed}`, queue: 'slow' });
    expect(await undo(action.id)).toMatchObject({ done: 1, refused: { changed_meanwhile: 1 } });
    expect(await job(changed!)).toMatchObject({ priority: 0, queue: 'slow' });
    expect(await job(other!)).toMatchObject({ priority: 5, queue: 'default' });
  });

  test('makes cancelled jobs wait again', async () => {
    const [id] = await wait(1);
    const before = await job(id!);
    const action = await run({ verb: 'cancel', filter: '' });
    expect(await counts()).toEqual({ cancelled: 1 });
    expect(await undo(action.id)).toMatchObject({ done: 1 });
    expect(await job(id!)).toEqual({ ...before, meta: META });
  });

  test('is refused while the action runs, and an hour after its end', async () => {
    await die(2);
    const { id } = await start({ verb: 'retry', filter: '' });
    await expect(undoBulkAction(db(), id)).rejects.toMatchObject({ code: 'undo_not_possible' });
    await step();
    await db().$executeRaw`UPDATE duework.bulk_actions SET finished_at = now() - interval '61 min'`;
    await expect(undoBulkAction(db(), id)).rejects.toMatchObject({
      code: 'undo_not_possible',
      facts: { reason: expect.stringContaining('hour') },
    });
    await step();
    expect(await db().bulkUndo.count()).toBe(0);
  });
});

describe('an abort', () => {
  test('leaves the action where it is, and what it has changed may be undone', async () => {
    await die(1_200);
    const { id } = await start({ verb: 'retry', filter: '', perSecond: 500 });
    const controller = new AbortController();
    const stepping = stepBulkActions(db(), testCatalog, controller.signal);
    while ((await getBulkAction(db(), id)).done === 0);
    expect(await abortBulkAction(db(), id, { ...ANA, reason: 'wrong ones' })).toMatchObject({
      status: 'aborted',
      done: 500,
    });
    await stepping;
    expect(await counts()).toEqual({ dead: 700, queued: 500 });
    expect((await entries()).at(-1)).toMatchObject({
      verb: 'abort_bulk_action',
      target: id,
      reason: 'wrong ones',
      after: { done: 500 },
    });
    await expect(abortBulkAction(db(), id)).rejects.toMatchObject({ code: 'bulk_action_over' });
    expect(await undo(id)).toMatchObject({ done: 500 });
    expect(await counts()).toEqual({ dead: 1_200 });
  });

  test('of an action that is not there is refused', async () => {
    for (const id of ['999999', 'x'])
      await expect(abortBulkAction(db(), id)).rejects.toMatchObject({ code: 'bulk_action_not_found' });
  });
});

test('two who step an action at once change each job once', async () => {
  await die(5_000);
  const { id } = await start({ verb: 'retry', filter: '', perSecond: 100_000 });
  const done = await Promise.all([step(), step(), step()]);
  expect(done.reduce((sum, each) => sum + each, 0)).toBe(5_000);
  expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished', done: 5_000, refused: {} });
  const lists = await db().bulkActionRun.findMany({ where: { bulkActionId: BigInt(id) } });
  expect(new Set(lists.flatMap(({ runIds }) => runIds)).size).toBe(5_000);
});

test('a step that another process has taken meanwhile changes nothing', async () => {
  await die(2_000);
  const { id } = await start({ verb: 'retry', filter: '', perSecond: 1_000 });
  const action = await findNextStep(db(), [], false);
  expect(await takeNextStep(db(), testCatalog, action!)).toMatchObject({ done: 1_000 });
  expect(await takeNextStep(db(), testCatalog, action!)).toBeNull();
  expect(await getBulkAction(db(), id)).toMatchObject({ done: 1_000, refused: {} });
});

test('an action and the retry of one job at the same time bring it back once', async () => {
  const ids = await die(50);
  const { id } = await start({ verb: 'retry', filter: '' });
  const byHand = Promise.allSettled(ids.slice(20).map((each) => retryJob(db(), each)));
  await Promise.all([step(), byHand]);
  expect(await counts()).toEqual({ queued: 50 });
  const { done, refused } = await getBulkAction(db(), id);
  expect(done + (refused.changed_meanwhile ?? 0)).toBeLessThanOrEqual(50);
});
