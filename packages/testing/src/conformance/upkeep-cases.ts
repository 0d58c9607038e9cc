import type { JobContract } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { type AlertLimits, jobRequest } from '@duework/queue-core';
import { charge, echo, testCatalog } from '../fixtures/test-contracts.js';
import { RESCUE } from '@duework/queue-core/ports';
import { ARRANGE } from './arrange.js';
import { claim, settle, someError, type StoreHarness, type UseHarness } from './harness.js';

const DAY_MS = 86_400_000;
const KEEP = { keepDays: 30, keepDeadDays: 90 };
const LIMITS = { maxDeadPerHour: 10, maxWaitingSeconds: 60, maxHorizonSeconds: 300 };

/** What somebody without ways has to tell. */
async function lookOnce({ store }: Pick<StoreHarness, 'store'>, limits: AlertLimits) {
  const alerts = await store.lookForAlerts(limits, []);
  return alerts.map(({ name, subject, status, facts }) => ({ name, subject, status, facts }));
}

export function upkeepCases(use: UseHarness): void {
  test('queue depth counts what is due, scheduled, retrying and running, with the age of the oldest', async () => {
    const { queue } = use();
    await queue.enqueue(echo, { n: 1 });
    await settle(use(), (await claim(use(), 1))[0]!, {
      kind: 'fail',
      error: someError,
      delayMs: 3_600_000,
      abort: null,
    });
    await queue.enqueueMany([
      jobRequest(echo, { n: 2 }),
      jobRequest(echo, { n: 3 }, { delay: '1h' }),
      jobRequest(charge, { invoice: 1 }, { delay: '1h' }),
    ]);
    await use().passTime(90_000);
    const depth = await queue.queueDepth();
    expect(depth).toEqual([
      {
        queue: 'default',
        type: 'charge',
        due: 0,
        scheduled: 1,
        retrying: 0,
        running: 0,
        held: 0,
        oldestWaitingSeconds: 0,
        isAtLeast: false,
      },
      {
        queue: 'default',
        type: 'echo',
        due: 1,
        scheduled: 1,
        retrying: 1,
        running: 0,
        held: 0,
        oldestWaitingSeconds: expect.any(Number),
        isAtLeast: false,
      },
    ]);
    expect(depth[1]!.oldestWaitingSeconds).toBeGreaterThanOrEqual(90);
    expect(depth[1]!.oldestWaitingSeconds).toBeLessThan(120);
    await claim(use(), 5);
    expect((await queue.queueDepth())[1]).toMatchObject({ due: 0, running: 1, oldestWaitingSeconds: 0 });
  });

  test('a chore is the first one’s who asks in its period, of any number who ask at once, and each chore for itself', async () => {
    const decade = { everyMs: 10 * 365 * DAY_MS };
    const take = async (...names: string[]) =>
      (await use().store.takeChores(names.map((name) => ({ name, ...decade })))).taken;
    const all = await Promise.all(Array.from({ length: 20 }, () => take('alerts', 'prune')));
    expect(all.flat().toSorted()).toEqual(['alerts', 'prune']);
    expect(await take('alerts', 'prune', 'prune 30')).toEqual(['prune 30']);
  });

  test('lost work is looked for by one at a time, and at once where somebody has to be sure', async () => {
    const look = async (everyMs: number) => (await use().store.takeChores([{ name: RESCUE, everyMs }])).lost;
    const all = await Promise.all(Array.from({ length: 10 }, () => look(10 * 365 * DAY_MS)));
    expect(all.filter((lost) => lost !== null)).toEqual([{ hasExpired: false, missing: [] }]);
    expect(await look(0)).toEqual({ hasExpired: false, missing: [] });
    expect(await look(10 * 365 * DAY_MS)).toBeNull();
  });

  test('more dead runs of a type within an hour than allowed are an alert, until they are not', async () => {
    const look = () => lookOnce(use(), { maxDeadPerHour: 2, maxWaitingSeconds: 60 });
    for (let n = 0; n < 2; n++) await ARRANGE.dead(use());
    expect(await look()).toEqual([]);
    await ARRANGE.dead(use());
    const alert = {
      name: 'too_many_dead_jobs',
      subject: 'echo',
      facts: { type: 'echo', deadInTheLastHour: 3, limit: 2, error: 'boom' },
    };
    expect(await look()).toEqual([{ ...alert, status: 'raised' }]);
    expect(await look()).toEqual([]);
    await use().passTime(3_660_000);
    expect(await look()).toEqual([{ ...alert, status: 'resolved' }]);
    expect(await look()).toEqual([]);
    for (let n = 0; n < 3; n++) await ARRANGE.dead(use());
    expect(await look()).toEqual([{ ...alert, status: 'raised' }]);
  });

  test('an alert of one type, queue or job silences no other', async () => {
    const { queue } = use();
    const look = () => lookOnce(use(), { maxDeadPerHour: 1, maxWaitingSeconds: 60, maxUnservedSeconds: 1e9 });
    for (let n = 0; n < 2; n++) await ARRANGE.dead(use());
    expect(await look()).toMatchObject([{ name: 'too_many_dead_jobs', subject: 'echo' }]);
    await queue.enqueueMany([jobRequest(charge, { invoice: 1 }), jobRequest(charge, { invoice: 2 })]);
    for (const run of await claim(use(), 2)) await settle(use(), run, { kind: 'bury', error: someError, abort: null });
    expect(await look()).toMatchObject([{ name: 'too_many_dead_jobs', subject: 'charge', status: 'raised' }]);
    await queue.enqueue(echo, { n: 3 });
    await use().passTime(90_000);
    expect(await look()).toMatchObject([{ name: 'oldest_job_waits_too_long', subject: 'default' }]);
  });

  test('few dead runs of each of many types are an alert together', async () => {
    const { queue } = use();
    for (let n = 0; n < 2; n++) await ARRANGE.dead(use());
    await queue.enqueue(charge, { invoice: 1 });
    await settle(use(), (await claim(use(), 1))[0]!, { kind: 'bury', error: someError, abort: null });
    expect(await lookOnce(use(), { maxDeadPerHour: 2 })).toEqual([
      {
        name: 'too_many_dead_jobs',
        subject: '',
        status: 'raised',
        facts: { deadInTheLastHour: 3, limit: 2, error: 'boom' },
      },
    ]);
  });

  test('an alert lasts, is told so each hour, and is over when it has been gone for two minutes', async () => {
    const { queue } = use();
    const look = async () =>
      (await lookOnce(use(), { maxWaitingSeconds: 60, maxUnservedSeconds: 1e9 })).map(({ status }) => status);
    await queue.enqueue(echo, { n: 1 });
    await use().passTime(120_000);
    expect(await look()).toEqual(['raised']);
    for (const expected of [[], ['lasts'], []]) {
      await use().passTime(31 * 60_000);
      expect(await look()).toEqual(expected);
    }
    const [run] = await claim(use(), 1);
    expect(await look()).toEqual([]);
    await use().passTime(70_000);
    // it is back before it was over
    await settle(use(), run!, { kind: 'release', reason: null, abort: null });
    expect(await look()).toEqual([]);
    await claim(use(), 1);
    await use().passTime(125_000);
    expect(await look()).toEqual(['resolved']);
    expect(await look()).toEqual([]);
  });

  test('what comes back within an hour of its end has to be gone for longer each time', async () => {
    const { queue } = use();
    const look = async () =>
      (await lookOnce(use(), { maxWaitingSeconds: 60, maxUnservedSeconds: 1e9 })).map(({ status }) => status);
    for (const minutes of [2, 4, 8]) {
      await queue.enqueue(echo, { n: minutes });
      await use().passTime(120_000);
      expect(await look()).toEqual(['raised']);
      await settle(use(), (await claim(use(), 1))[0]!, { kind: 'complete', result: null });
      await use().passTime(minutes * 60_000 - 5_000);
      expect(await look()).toEqual([]);
      await use().passTime(6_000);
      expect(await look()).toEqual(['resolved']);
    }
  });

  test('a message that was not told is given to others again, and one that was is not', async () => {
    const { queue, store } = use();
    const limits = { maxWaitingSeconds: 60, maxUnservedSeconds: 1e9 };
    const look = async (...ways: string[]) =>
      (await store.lookForAlerts(limits, ways)).map((alert) => ({ isFirst: alert.isFirst, ways: alert.ways }));
    const told = async (told: string[], hasFailed: boolean, message = 1): Promise<void> =>
      store.alertTold({ name: 'oldest_job_waits_too_long', subject: 'default', message, told, hasFailed });
    await queue.enqueue(echo, { n: 1 });
    await use().passTime(120_000);
    // a process that only has a log leaves it to the others
    expect(await look()).toEqual([{ isFirst: true, ways: [] }]);
    expect(await look('mail', 'webhook')).toEqual([{ isFirst: false, ways: ['mail', 'webhook'] }]);
    // whoever had it has ended
    expect(await look('mail', 'webhook')).toEqual([]);
    await use().passTime(121_000);
    expect(await look('mail', 'webhook')).toEqual([{ isFirst: false, ways: ['mail', 'webhook'] }]);
    await told(['webhook'], true);
    expect(await look('mail', 'webhook')).toEqual([]);
    await use().passTime(5 * 60_000);
    // what is said of an older message says nothing of this one
    await told(['mail'], false, 0);
    expect(await look('mail', 'webhook')).toEqual([{ isFirst: false, ways: ['mail'] }]);
    await told(['mail'], false);
    await use().passTime(5 * 60_000);
    expect(await look('mail', 'webhook')).toEqual([]);
  });

  test('a dead run of which nobody knows what has happened is an alert until somebody has looked at it', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(charge, { invoice: 1 });
    const error = { ...someError, code: 'effect_unknown' };
    await settle(use(), (await claim(use(), 1))[0]!, { kind: 'bury', error, abort: null });
    const alert = { name: 'effect_unknown', subject: 'charge', facts: { type: 'charge', runs: 1, id } };
    expect(await lookOnce(use(), {})).toEqual([{ ...alert, status: 'raised' }]);
    await use().passTime(2 * 3_600_000);
    expect(await lookOnce(use(), {})).toEqual([{ ...alert, status: 'lasts' }]);
    await queue.acknowledgeJob(id);
    await use().passTime(121_000);
    expect(await lookOnce(use(), {})).toEqual([{ ...alert, status: 'resolved' }]);
  });

  test('a run that waits for too long raises an alert', async () => {
    await use().queue.enqueue(echo, { n: 1 });
    await use().passTime(120_000);
    expect(await lookOnce(use(), { maxWaitingSeconds: 60 })).toMatchObject([
      { name: 'oldest_job_waits_too_long', facts: { queue: 'default', waitingSeconds: expect.any(Number), limit: 60 } },
    ]);
  });

  test('what is paused raises no alert by waiting, and does when it has been resumed', async () => {
    const { queue } = use();
    const raise = async (): Promise<readonly string[]> => (await lookOnce(use(), LIMITS)).map(({ name }) => name);
    await queue.pauseType('charge');
    await queue.enqueue(charge, { invoice: 1 });
    await use().passTime(120_000);
    expect(await raise()).toEqual([]);
    // behind one of a paused type
    await queue.enqueue(echo, { n: 1 });
    await queue.pauseQueue('default');
    await use().passTime(90_000);
    expect(await raise()).toEqual([]);
    await queue.resumeQueue('default');
    expect(await raise()).toEqual(['oldest_job_waits_too_long']);
  });

  test('what no worker that lives can read raises an alert, which names its type, version and queue', async () => {
    const { queue, store } = use();
    const contracts = new Map<string, JobContract>(testCatalog.map((contract) => [contract.type, contract]));
    const newer: JobContract = { ...echo, oldestVersion: 2, version: 3 };
    const raise = async () =>
      (await lookOnce(use(), { ...LIMITS, maxWaitingSeconds: 1e9, maxUnservedSeconds: 60 })).map(
        ({ facts, ...alert }) => ({
          ...alert,
          facts: { ...facts, waitingSeconds: Math.floor(Number(facts.waitingSeconds) / 60) },
        }),
      );
    const tell = (worker: string, known: ReadonlyMap<string, JobContract>, queues = ['default']): Promise<void> =>
      store.announceContracts({ worker, queues, contracts: known });
    await tell('old', contracts);
    await tell('elsewhere', new Map([['echo', newer]]), ['slow']);
    await queue.enqueueMany([jobRequest(newer, { n: 1 }), jobRequest(newer, { n: 2 })]);
    await queue.enqueue(echo, { n: 3 });
    expect(await raise()).toEqual([]);
    await use().passTime(65_000);
    await queue.enqueue(newer, { n: 4 }, { delay: '1h' });
    const facts = { type: 'echo', version: 3, queue: 'default', waiting: 2, waitingSeconds: 1, limit: 60 };
    const alert = { name: 'no_worker_for_type', subject: 'echo@3/default' };
    expect(await raise()).toEqual([{ ...alert, status: 'raised', facts }]);
    // once, and no longer when a worker has come that can read it
    expect(await raise()).toEqual([]);
    await use().passTime(3_660_000);
    for (const worker of ['old', 'elsewhere']) await store.withdrawContracts(worker);
    await tell('new', new Map([['echo', { ...newer, oldestVersion: 1 }]]));
    expect(await raise()).toEqual([{ ...alert, status: 'resolved', facts }]);
    // a worker that has not been heard of for three minutes is gone
    await use().passTime(185_000);
    expect(await raise()).toMatchObject([
      { name: 'no_worker_for_type', subject: 'echo@1/default', status: 'raised', facts: { waiting: 1 } },
      { ...alert, status: 'raised', facts: { ...facts, waiting: 3, waitingSeconds: 65 } },
    ]);
  });

  test('history is removed with its keys, attempts and effects, and the key of a waiting run stays', async () => {
    const { queue, store } = use();
    await store.prepare(testCatalog);
    const [old, waiting] = await queue.enqueueMany([
      jobRequest(charge, { invoice: 1 }),
      jobRequest(charge, { invoice: 2 }, { runAt: new Date(Date.UTC(2100, 0)) }),
    ]);
    const [run] = await claim(use(), 1);
    const effect = { type: 'charge', runKey: 'charge:1', name: 'mail' };
    await store.beginEffect({ ...effect, id: run!.id, fence: run!.fence, policy: 'at_most_once' });
    await store.endEffect(effect, run!, { kind: 'done', resultJson: '1' });
    await settle(use(), run!, { kind: 'complete', result: null });
    await use().passTime(50 * DAY_MS);
    const young = await ARRANGE.dead(use());
    await store.prune(KEEP);
    await expect(queue.getJob(old!.id)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await store.findEffect(effect)).toBeNull();
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
    expect(await queue.enqueue(charge, { invoice: 2 })).toMatchObject({ id: waiting!.id, isDeduplicated: true });
    expect((await queue.getJob(young.id)).attempts).toHaveLength(1);
  });

  test('dead runs are kept longest, with their key and attempts, and an alert comes a week before some are deleted', async () => {
    const { queue, store } = use();
    await store.prepare(testCatalog);
    const bury = async (invoice: number): Promise<string> => {
      const { id } = await queue.enqueue(charge, { invoice });
      await settle(use(), (await claim(use(), 1))[0]!, { kind: 'bury', error: someError, abort: null });
      return id;
    };
    const seen = await bury(1);
    const unseen = await bury(2);
    const { id: cancelled } = await queue.enqueue(charge, { invoice: 3 });
    await queue.cancelJob(cancelled);
    await queue.acknowledgeJob(seen);
    await use().passTime(82 * DAY_MS);
    await store.prune(KEEP);
    await expect(queue.getJob(cancelled)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await queue.enqueue(charge, { invoice: 3 })).toMatchObject({ isDeduplicated: false });
    for (const [index, id] of [seen, unseen].entries()) {
      expect((await queue.getJob(id)).attempts).toHaveLength(1);
      expect(await queue.enqueue(charge, { invoice: index + 1 })).toMatchObject({ id, isDeduplicated: true });
    }
    const raise = () =>
      lookOnce(use(), { ...LIMITS, maxWaitingSeconds: 1e9, maxUnservedSeconds: 1e9, keepDeadDays: 90 });
    expect(await raise()).toEqual([]);
    await use().passTime(1.5 * DAY_MS);
    expect(await raise()).toEqual([
      {
        name: 'dead_runs_expire',
        subject: '',
        status: 'raised',
        facts: { runs: 1, keepDeadDays: 90, oldestGoesAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT00:00:00Z$/) },
      },
    ]);
    await use().passTime(8 * DAY_MS);
    await store.prune(KEEP);
    for (const id of [seen, unseen]) await expect(queue.getJob(id)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
  });

  test('a type is kept for its own time, the longest that a program says of it, and its alert knows that', async () => {
    const { queue, store } = use();
    const brief = { ...charge, keepDays: 2, keepDeadDays: 6 };
    const others = { keepDays: 5, keepDeadDays: 100 };
    await store.prepare([echo, brief]);
    const tell = (contract: JobContract): Promise<void> =>
      store.announceContracts({ worker: 'w', queues: ['default'], contracts: new Map([['charge', contract]]) });
    await tell(brief);
    const end = async (kind: 'complete' | 'bury', invoice: number): Promise<string[]> => {
      const ids = [(await queue.enqueue(charge, { invoice })).id, (await queue.enqueue(echo, { n: invoice })).id];
      for (const run of await claim(use(), 2))
        await settle(
          use(),
          run,
          kind === 'complete' ? { kind, result: null } : { kind, error: someError, abort: null },
        );
      return ids;
    };
    const are = (ids: readonly string[]): Promise<boolean[]> =>
      Promise.all(
        ids.map((id) =>
          queue.getJob(id).then(
            () => true,
            () => false,
          ),
        ),
      );
    const [done, dead] = [await end('complete', 1), await end('bury', 2)];
    await use().passTime(4 * DAY_MS);
    // an old program keeps it as others are
    await tell({ ...brief, keepDays: null });
    await store.prune(others);
    expect(await are(done)).toEqual([true, true]);
    await tell(brief);
    const alerts = await lookOnce(use(), {
      ...LIMITS,
      maxWaitingSeconds: 1e9,
      maxUnservedSeconds: 1e9,
      keepDeadDays: 100,
    });
    expect(alerts).toMatchObject([{ name: 'dead_runs_expire', facts: { runs: 1, keepDeadDays: 6 } }]);
    await store.prune(others);
    expect([await are(done), await are(dead)]).toEqual([
      [false, true],
      [true, true],
    ]);
    await use().passTime(4 * DAY_MS);
    await store.prune(others);
    expect([await are(done), await are(dead)]).toEqual([
      [false, false],
      [false, true],
    ]);
    expect(await queue.enqueue(charge, { invoice: 2 })).toMatchObject({ isDeduplicated: false });
  });

  test('a run that is given back while it runs more often than its contract allows raises an alert, until it has ended', async () => {
    const { queue, store } = use();
    const patient = { ...echo, alertAfterReleases: 2 };
    await store.prepare([patient]);
    await store.announceContracts({ worker: 'w', queues: ['default'], contracts: new Map([['echo', patient]]) });
    const raise = () => lookOnce(use(), { ...LIMITS, maxWaitingSeconds: 1e9, maxUnservedSeconds: 1e9 });
    const { id } = await queue.enqueue(echo, { n: 1 });
    const giveBack = async (reason: string | null): Promise<void> => {
      const [run] = await claim(use(), 1);
      await settle(use(), run!, { kind: 'release', reason, abort: null });
    };
    const facts = { type: 'echo', id, releases: 3, limit: 2 };
    const alert = { name: 'job_released_too_often', subject: 'echo', facts };
    for (const reason of ['a deploy', null, 'a deploy', null]) await giveBack(reason);
    expect(await raise()).toEqual([]);
    await giveBack('a deploy');
    const [run] = await claim(use(), 1);
    // also while it runs
    expect(await raise()).toEqual([{ ...alert, status: 'raised' }]);
    await settle(use(), run!, { kind: 'complete', result: null });
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'succeeded', releases: 3 });
    await use().passTime(3_601_000);
    expect(await raise()).toEqual([{ ...alert, status: 'resolved' }]);
  });

  test('an alert names the type whose attempts fail most, before a run of it is dead', async () => {
    const { queue, store } = use();
    await store.prepare(testCatalog);
    const raise = () => lookOnce(use(), { ...LIMITS, maxFailedShare: 0.5, minAttempts: 10 });
    const run = async (count: number, settlement: object): Promise<void> => {
      await queue.enqueueMany(Array.from({ length: count }, (_, n) => jobRequest(echo, { n })));
      for (const { id, fence } of await claim(use(), count)) await settle(use(), { id, fence }, settlement);
    };
    const failure = { kind: 'fail', error: someError, abort: null, delayMs: 3_600_000 };
    await run(6, { kind: 'complete', result: null });
    await run(5, failure);
    expect(await raise()).toEqual([]);
    await run(1, failure);
    expect(await raise()).toMatchObject([
      {
        name: 'failing_job_type',
        facts: { type: 'echo', failed: 6, attempts: 12, share: 0.5, limit: 0.5, error: 'boom' },
      },
    ]);
    expect(await raise()).toEqual([]);
    await use().passTime(3_600_000);
    expect(await raise()).toMatchObject([{ name: 'failing_job_type', subject: 'echo', status: 'resolved' }]);
  });
}
