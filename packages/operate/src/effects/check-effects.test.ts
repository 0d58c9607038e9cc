import { Prisma } from '@duework/database';
import { createPostgresStore, DueworkError, enqueue, type Queryable, retryJob } from '@duework/queue-core';
import type { EffectEnding } from '@duework/queue-core/ports';
import { countBuffers } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { charge, echo, useOperated } from '../testing/use-operated.js';
import { checkEffects } from './check-effects.js';
import { findDoubtfulEffects } from './sql/find-doubtful-effects.js';
import { findUnrecordedJobs } from './sql/find-unrecorded-jobs.js';

const operated = useOperated();
const store = () => createPostgresStore({ db: operated.db() });
let since = new Date();
const check = (type = 'charge') => checkEffects(operated.db(), { type, since });
const error = { code: 'boom', type: 'Error', message: 'it broke', stack: null };
let invoice = 0;

beforeEach(async () => {
  await operated.db().$executeRaw`
    INSERT INTO duework.job_definitions (type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema)
    VALUES ('charge', 1, 'default', 5, 10, 1000, 1000, '{}', '{}'), ('echo', 1, 'default', 5, 10, 1000, 1000, '{}', '{}') ON CONFLICT DO NOTHING`;
  const [row] = await operated.db().$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  since = row!.now;
});

/** A job of its own, and what its attempts do to its effect and to itself. */
async function begin(type: 'charge' | 'echo' = 'charge') {
  const db = operated.db();
  const { id } =
    type === 'charge' ? await enqueue(db, charge, { invoice: ++invoice }) : await enqueue(db, echo, { n: 1 });
  const key = { type, runKey: type === 'charge' ? `charge:${invoice}` : `run:${id}`, name: 'mail' };
  let claim = { id, fence: 0 };
  return {
    id,
    key,
    async take() {
      await db.$executeRaw`
        UPDATE duework.job_runs SET run_at = now() + CASE WHEN id = ${BigInt(id)} THEN '0' ELSE '1 hour' END::interval
        WHERE status <> 'running'`;
      const [run] = await operated.claim(1);
      claim = { id: run!.id, fence: run!.fence };
    },
    effect: (policy: 'at_most_once' | 'at_least_once' = 'at_most_once') =>
      store().beginEffect({ ...key, ...claim, policy }),
    end: (ending: EffectEnding) => store().endEffect(key, claim, ending),
    fail: () => store().settle([{ ...claim, kind: 'fail', error, delayMs: 3_600_000, abort: null }]),
    bury: () => store().settle([{ ...claim, kind: 'bury', error, abort: null }]),
    complete: () => store().settle([{ ...claim, kind: 'complete', result: null }]),
  };
}
const DONE = { kind: 'done', resultJson: 'null' } as const;

test('what was done once in every job is proven, whatever attempts the jobs needed', async () => {
  const one = await begin();
  await one.take();
  await one.effect();
  await one.end(DONE);
  await one.fail();
  await one.take();
  expect(await one.effect()).toMatchObject({ kind: 'done' });
  await one.complete();
  const checked = await check();
  expect(checked).toMatchObject({
    isProven: true,
    jobs: 1,
    done: 1,
    unknown: 0,
    repeated: 0,
    undone: 0,
    unrecorded: 0,
  });
  expect(checked.sentence).toMatch(
    /^Nothing of charge was done twice from \S+ to \S+: 1 job, 1 effect done once; no job without a recorded effect has run more than once\.$/,
  );
});

test('an effect that is being done is no doubt; one whose claim is over is, also where its job is dead', async () => {
  const one = await begin();
  await one.take();
  await one.effect();
  expect(await check()).toMatchObject({ isProven: true, doing: 1 });
  await one.bury();
  expect(await check()).toMatchObject({
    isProven: false,
    doing: 0,
    unknown: 1,
    doubts: [{ doubt: 'unknown', name: 'mail', jobId: one.id, lookFor: `charge:${one.key.runKey}:mail` }],
    sentence: expect.stringContaining('It is not proven that nothing of charge was done twice'),
  });
});

test('what a person has judged to have happened is done once, and what they let happen again may have happened twice', async () => {
  const [happened, again] = [await begin(), await begin()];
  for (const one of [happened, again]) {
    await one.take();
    await one.effect();
    await one.end({ kind: 'unknown' });
    await one.bury();
  }
  await retryJob(operated.db(), happened.id, { effectsHappened: true });
  await retryJob(operated.db(), again.id);
  expect(await check()).toMatchObject({ done: 1, repeated: 1, unknown: 0 });
  await again.take();
  expect(await again.effect()).toEqual({ kind: 'begun', isRepeat: true });
  expect(await check()).toMatchObject({ done: 1, repeated: 1 });
  await again.end(DONE);
  expect(await check()).toMatchObject({
    isProven: false,
    done: 1,
    repeated: 1,
    doubts: [{ doubt: 'repeated', jobId: again.id }],
  });
});

test('an effect that an attempt took over from one that was cut off may have happened twice', async () => {
  const one = await begin();
  await one.take();
  await one.effect('at_least_once');
  // the answer was lost, and the statement is sent again: the same try
  await one.effect('at_least_once');
  await one.fail();
  await one.take();
  await one.effect('at_least_once');
  await one.end(DONE);
  await one.complete();
  expect(await check()).toMatchObject({ isProven: false, jobs: 1, done: 0, repeated: 1 });
});

test('a try that certainly did not happen is told and is no doubt, also where the next one has done it', async () => {
  const [one, never] = [await begin(), await begin()];
  for (const each of [one, never]) {
    await each.take();
    await each.effect();
    await each.end({ kind: 'undone' });
    await each.fail();
  }
  await one.take();
  expect(await one.effect()).toEqual({ kind: 'begun', isRepeat: false });
  await one.end(DONE);
  await one.complete();
  const checked = await check();
  expect(checked).toMatchObject({ isProven: true, jobs: 2, done: 1, undone: 2, unrecorded: 0 });
  expect(checked.doubts.map(({ doubt, jobId }) => [doubt, jobId]).toSorted()).toEqual(
    [
      ['undone', one.id],
      ['undone', never.id],
    ].toSorted(),
  );
  expect(checked.sentence).toContain('2 with a try that certainly did not happen');
});

test('a job without a recorded effect that has run more than once is named with its attempts; one that ran once is not', async () => {
  const [twice, failed, dead] = [await begin('echo'), await begin('echo'), await begin('echo')];
  await twice.take();
  await failed.take();
  await dead.take();
  await twice.fail();
  await failed.fail();
  await dead.bury();
  expect(await check('echo')).toMatchObject({ isProven: true, unrecorded: 0, jobs: 0 });
  await twice.take();
  await twice.complete();
  const checked = await check('echo');
  expect(checked).toMatchObject({ isProven: false, unrecorded: 1 });
  expect(checked.unrecordedJobs).toEqual([
    {
      jobId: twice.id,
      status: 'succeeded',
      attempts: [{ attempt: 1, outcome: 'failed', worker: 'tester', finishedAt: expect.any(Date), errorCode: 'boom' }],
    },
  ]);
  expect(checked.sentence).toContain('no effect was begun; 1 job without a recorded effect has run more than once');
  // an attempt that a stopping worker gave back may have acted, too, and has no error
  await operated.db()
    .$executeRaw`UPDATE duework.job_attempts SET outcome = 'interrupted', error_code = NULL WHERE run_id = ${BigInt(twice.id)}`;
  expect(await check('echo')).toMatchObject({ unrecorded: 1, unrecordedJobs: [{ attempts: [{ errorCode: null }] }] });
});

test('a job that found its event done has done nothing, however often it has run', async () => {
  const one = await begin();
  await one.take();
  await one.effect();
  await one.end(DONE);
  await one.complete();
  await operated.db().$executeRaw`DELETE FROM duework.job_keys`;
  invoice--;
  const other = await begin();
  await other.take();
  await other.effect();
  await other.fail();
  await other.take();
  await other.complete();
  expect(await check()).toMatchObject({ isProven: true, jobs: 1, done: 1, unrecorded: 0 });
});

test('only what was begun, and what attempts ended, from one moment up to before the other counts', async () => {
  const one = await begin();
  await one.take();
  await one.effect();
  await one.end(DONE);
  const [row] = await operated.db().$queryRaw<{ at: Date }[]>`
    UPDATE duework.job_effects SET started_at = date_trunc('milliseconds', started_at) RETURNING started_at AS at`;
  const at = row!.at.getTime();
  const count = async (from: number, to: number) =>
    (await checkEffects(operated.db(), { type: 'charge', since: new Date(from), until: new Date(to) })).done;
  expect(await count(at, at + 1)).toBe(1);
  expect(await count(at - 1, at)).toBe(0);
  expect((await checkEffects(operated.db(), { type: 'charge' })).done).toBe(1);
});

test('in a shard, what to look for has the name of the shard where a job has no key', async () => {
  await operated.db().$executeRaw`INSERT INTO duework.shard (name) VALUES ('eu')`;
  const one = await begin('echo');
  await one.take();
  await one.effect();
  await one.bury();
  expect(await check('echo')).toMatchObject({ doubts: [{ lookFor: `echo:run:eu.${one.id}:mail` }] });
  await operated.db().$executeRaw`DELETE FROM duework.shard`;
});

test('a type that no program has declared, and a time that ends before it begins, are refused', async () => {
  await expect(checkEffects(operated.db(), { type: 'chrage' })).rejects.toMatchObject({
    code: 'unknown_job_type',
    message: expect.stringContaining('charge'),
  });
  await expect(
    checkEffects(operated.db(), { type: 'charge', since: new Date(5), until: new Date(5) }),
  ).rejects.toMatchObject({ code: 'invalid_option', facts: { option: 'since' } });
});

test('a time with too much in it is refused with until when it can be checked, and in parts all of it is', async () => {
  await operated.db().$executeRaw`
    INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, started_at, done_at)
    SELECT 'charge', n::text, 'mail', 'done', n, 1, ${since.toISOString()}::text::timestamptz + n * interval '1 millisecond', now()
    FROM generate_series(1, 100002) AS n`;
  const until = new Date(since.getTime() + 1_000_000);
  const refusal = await checkEffects(operated.db(), { type: 'charge', since, until }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!DueworkError.is(refusal, 'span_too_wide')) throw new Error('it was not refused');
  const half = new Date(refusal.facts.until);
  expect((await checkEffects(operated.db(), { type: 'charge', since, until: half })).done).toBe(100_000);
  expect((await checkEffects(operated.db(), { type: 'charge', since: half, until })).done).toBe(2);
});

test('what a check reads is bounded by its time, beside 200,000 effects and attempts of the same and other types', async () => {
  // the oldest first, as in life: a vacuum that comes in the middle must not believe that all of them are new
  await operated.db().$executeRaw`
    INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, started_at, done_at)
    SELECT CASE WHEN n % 2 = 0 THEN 'charge' ELSE 'other' END, n::text, 'mail', 'done', n, 1, now() - n * interval '1 second', now()
    FROM generate_series(200000, 1, -1) AS n`;
  await operated.db().$executeRaw`
    INSERT INTO duework.job_attempts (is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code)
    SELECT n % 4 < 2, duework.first_id_today(0) + n, 1, 1, CASE WHEN n % 2 = 0 THEN 'charge' ELSE 'other' END, 'failed', 'w',
      now(), now() - n * interval '1 second', 'boom'
    FROM generate_series(200000, 1, -1) AS n`;
  for (const analyse of [false, true]) {
    if (analyse) await operated.db().$executeRaw(Prisma.sql`ANALYZE duework.job_effects, duework.job_attempts`);
    const span = { type: 'charge', sinceMs: since.getTime() - 60_000, untilMs: since.getTime() };
    const answer = { over_ms: null, found: '{"doubts":[]}', jobs: '[]', count: 0 };
    for (const find of [findDoubtfulEffects, findUnrecordedJobs]) {
      const ask = (db: Queryable) => find(db, span);
      // a session reads what the catalog says of the partitions the first time, and again after others' changes of
      // tables
      const counts: number[] = [];
      for (let n = 0; n < 5; n++) counts.push(await countBuffers(operated.db(), ask, answer));
      expect(Math.min(...counts)).toBeLessThan(1_500);
    }
  }
});
