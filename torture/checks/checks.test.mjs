import { expect, test } from '@jest/globals';
import { heldRuns } from './held-runs.mjs';
import { checks } from './index.mjs';

const second = 1_000;

/** All changes of a run that is made, claimed and ended at once. */
function wholeRun(run, s) {
  const change = (facts) => ({
    at: s * second,
    tx: `${run}-${s}`,
    run,
    place: 'live',
    from: null,
    to: null,
    oldFence: null,
    newFence: null,
    oldWorker: null,
    newWorker: null,
    ...facts,
  });
  return [
    change({ to: 'queued', newFence: 0 }),
    change({ from: 'queued', to: 'running', oldFence: 0, newFence: 1, newWorker: 'w3.1' }),
    change({ from: 'running', oldFence: 1, oldWorker: 'w3.1' }),
    change({ place: 'final', to: 'succeeded', newFence: 1 }),
  ];
}

/** A small history in which every promise was kept: one keyed call, one payment, one mail, one slot, a kill, a silence and a restart. */
function makeEvidence() {
  const change = (at, facts) => ({
    at: at * second,
    tx: String(at),
    run: '1',
    place: 'live',
    from: null,
    to: null,
    oldFence: null,
    newFence: null,
    oldWorker: null,
    newWorker: null,
    ...facts,
  });
  return {
    options: { isSoak: false },
    begunMs: 0,
    tookMs: 60 * second,
    events: [
      { kind: 'worker.spawned', at: 0, by: 'lab', worker: 'w1.1' },
      { kind: 'enqueue.called', at: 0, by: 'p1', way: 'keyed', type: 'mail', n: 7 },
      { kind: 'enqueue.unknown', at: 1, by: 'p1', way: 'keyed', type: 'mail', n: 7 },
      { kind: 'enqueue.answered', at: 2, by: 'p1', way: 'keyed', type: 'mail', n: 7, run: '1' },
      { kind: 'enqueue.called', at: 3, by: 'p1', way: 'transaction', type: 'payment', n: 8 },
      { kind: 'enqueue.answered', at: 4, by: 'p1', way: 'transaction', type: 'payment', n: 8, run: '2' },
      { kind: 'enqueue.called', at: 5, by: 'p1', way: 'shared', type: 'plain', n: 9 },
      {
        kind: 'fault.begun',
        at: 10 * second,
        fault: 'kill-worker',
        id: 'kill',
        worker: 'w1.1',
        isAlone: true,
        isPooled: false,
      },
      {
        kind: 'worker.ended',
        at: 10 * second,
        by: 'lab',
        worker: 'w1.1',
        isTold: true,
        code: null,
        signal: 'SIGKILL',
        said: [],
      },
      {
        kind: 'fault.begun',
        at: 15 * second,
        fault: 'stop-worker',
        id: 'stop',
        worker: 'w2.1',
        isAlone: true,
        silentMs: 8 * second,
      },
      { kind: 'database.failed', at: 20 * second, by: 'w2.1', during: 'claim' },
      { kind: 'database.failed', at: 21 * second, by: 'w2.1', during: 'claim' },
      { kind: 'fault.begun', at: 40 * second, fault: 'restart-database', id: 'restart', isAlone: true },
      { kind: 'database.up', at: 42 * second, fault: 'restart-database', id: 'restart' },
      { kind: 'job.succeeded', at: 25 * second, by: 'w3.1', worker: 'w3.1', run: '1', fence: 3 },
    ],
    changes: [
      change(0, { to: 'queued', newFence: 0 }),
      change(9, { from: 'queued', to: 'running', oldFence: 0, newFence: 1, newWorker: 'w1.1' }),
      change(13, { from: 'running', to: 'failed', oldFence: 1, newFence: 1, oldWorker: 'w1.1' }),
      change(14, { from: 'failed', to: 'running', oldFence: 1, newFence: 2, newWorker: 'w2.1' }),
      change(20, { from: 'running', to: 'failed', oldFence: 2, newFence: 2, oldWorker: 'w2.1' }),
      change(21, { from: 'failed', to: 'running', oldFence: 2, newFence: 3, newWorker: 'w3.1' }),
      change(25, { from: 'running', oldFence: 3, oldWorker: 'w3.1' }),
      change(25, { place: 'final', to: 'succeeded', newFence: 3 }),
      ...[37, 38, 39, 44, 45, 46].flatMap((s) => wholeRun(`1${s}`, s)),
    ],
    jobs: [
      { run: '1', type: 'mail', n: 7, key: 'mail:7', status: 'succeeded', schedule: null },
      { run: '2', type: 'payment', n: 8, key: null, status: 'succeeded', schedule: null },
      { run: '3', type: 'slotted', n: null, key: null, status: 'succeeded', schedule: 'every-second' },
    ],
    orders: [{ n: 8 }],
    payments: [{ n: 8, run: '2' }],
    effects: [{ run: '1', type: 'mail', key: 'mail:mail:7:send', isRepeat: false }],
    slots: [{ key: 'every-second', everyMs: second, slotMs: 5 * second, outcome: 'fired', run: '3' }],
    drained: { live: 0, tookMs: second, unknown: { happened: 0, repeated: 0 } },
    leases: [],
    sessions: [],
    gauges: [0, 15, 60].map((s) => ({
      at: s * second,
      workers: [{ name: 'w3.1', rssMb: 100, files: 30, threads: 11 }],
    })),
    ended: [{ worker: 'w3.1', code: 0, signal: null }],
    load: { terminated: 1, restart: [{ mode: 'fast', share: [0.2, 1] }] },
  };
}

/** Which promises are broken in the same history with something changed. */
function brokenAfter(spoil) {
  const evidence = makeEvidence();
  spoil(evidence);
  return checks.filter(({ check }) => check(evidence).broken.length > 0).map(({ promise }) => promise);
}

test('a history in which every promise was kept is told to be so, and each promise has looked at something', () => {
  const evidence = makeEvidence();
  for (const { promise, check } of checks) {
    const { counted, broken } = check(evidence);
    expect({ promise, broken }).toEqual({ promise, broken: [] });
    // a soak alone can tell that one
    if (!promise.startsWith('memory is flat')) expect({ promise, counted }).not.toEqual({ promise, counted: 0 });
  }
});

test.each([
  ['an acknowledged run is gone', 'nothing acknowledged is lost', ({ jobs }) => jobs.splice(0, 1)],
  ['an acknowledged run is another', 'nothing acknowledged is lost', ({ jobs }) => (jobs[0].n = 70)],
  [
    'a key has two runs',
    'a retry with the same key makes one run; a lost answer is unknown, not failed',
    ({ jobs }) => jobs.push({ ...jobs[0], run: '4' }),
  ],
  [
    'a call was told of two runs',
    'a retry with the same key makes one run; a lost answer is unknown, not failed',
    ({ events }) => events.push({ ...events[3], run: '2' }),
  ],
  [
    'a call without a key made two runs',
    'a call without a key makes one run, or none that anybody was told of',
    ({ jobs }) =>
      jobs.push(
        { run: '4', type: 'plain', n: 9, key: null, schedule: null },
        { run: '5', type: 'plain', n: 9, key: null, schedule: null },
      ),
  ],
  [
    'an order without its job',
    "a caller's transaction and its job commit together or not at all",
    ({ jobs }) => jobs.splice(1, 1),
  ],
  [
    'a job without its order',
    "a caller's transaction and its job commit together or not at all",
    ({ orders }) => orders.splice(0, 1),
  ],
  [
    'a roll-back that left a job',
    "a caller's transaction and its job commit together or not at all",
    ({ events }) => (events[5].kind = 'enqueue.rolled_back'),
  ],
  [
    'a claim that ends twice',
    'no claim is settled twice, or by a worker that has lost it',
    ({ changes }) => changes.push({ ...changes[6], at: 26_000 }),
  ],
  [
    'a loser that settled',
    'no claim is settled twice, or by a worker that has lost it',
    ({ events }) => events.push({ kind: 'job.succeeded', at: 26_000, by: 'w2.1', worker: 'w2.1', run: '1', fence: 2 }),
  ],
  [
    'two that believe to have settled',
    'no claim is settled twice, or by a worker that has lost it',
    ({ events }) => events.push({ ...events.at(-1), by: 'w2.1' }),
  ],
  ['a fence that stays', 'a fence only grows, by one with each claim', ({ changes }) => (changes[3].newFence = 1)],
  [
    'a fence that is lowered',
    'a fence only grows, by one with each claim',
    ({ changes }) => Object.assign(changes[5], { oldFence: 0, newFence: 1 }),
  ],
  [
    'a change of status that is not in the table',
    'every change of status is a legal one',
    ({ changes }) => (changes[3].from = 'succeeded'),
  ],
  [
    'a change that the witness has not seen',
    'every change of status is a legal one',
    ({ changes }) => changes.splice(2, 1),
  ],
  [
    'a run that leaves and arrives nowhere',
    'every change of status is a legal one',
    ({ changes }) => changes.splice(7, 1),
  ],
  [
    'a run that is final in another transaction',
    'every change of status is a legal one',
    ({ changes }) => (changes[7].tx = '99'),
  ],
  ['a mail that is sent twice', 'no effect happens twice', ({ effects }) => effects.push({ ...effects[0] })],
  [
    'a webhook that repeats and does not say so',
    'no effect happens twice',
    ({ effects }) =>
      effects.push(
        { run: '9', type: 'webhook', key: 'a', isRepeat: false },
        { run: '9', type: 'webhook', key: 'a', isRepeat: false },
      ),
  ],
  ['a payment made twice', 'no effect happens twice', ({ payments }) => payments.push({ ...payments[0] })],
  ['a payment that succeeded unpaid', 'no effect happens twice', ({ payments }) => payments.pop()],
  [
    'a slot that is missing',
    'every slot exactly once',
    ({ slots, jobs }) => slots.push({ ...slots[0], slotMs: 7_000, run: '4' }) && jobs.push({ ...jobs[2], run: '4' }),
  ],
  ['a slot with two runs', 'every slot exactly once', ({ jobs }) => jobs.push({ ...jobs[2], run: '4' })],
  ['a slot that was skipped', 'every slot exactly once', ({ slots }) => (slots[0].outcome = 'skipped')],
  [
    'a queue that does not drain',
    'after the faults the queue drains to empty within 60 s',
    ({ drained }) => (drained.live = 1),
  ],
  [
    'a killed worker whose run waits',
    'the runs of a worker killed with kill -9 start again within 5 s',
    ({ changes }) => changes.slice(2, 8).forEach((change) => (change.at += 10_000)),
  ],
  [
    'a silent worker whose run waits',
    'the runs of a silent worker go on within its lease and 5 s',
    ({ changes }) => changes.slice(4, 8).forEach((change) => (change.at += 30_000)),
  ],
  [
    'a restart after which less ends',
    'after a database restart throughput is back at 98 % within 10 s',
    ({ changes }) => changes.splice(-12),
  ],
  [
    'terminated backends that cost more',
    'with every slot busy: backends terminated twice a second cost 5 % at most; after a restart 98 % is back within 10 s',
    ({ load }) => (load.terminated = 0.9),
  ],
  [
    'a worker that ended by itself',
    'no process exits by itself, whatever happens to the database',
    ({ events }) => (events.find(({ kind }) => kind === 'worker.ended').isTold = false),
  ],
  [
    'a cause told twice a second',
    'a failing cause logs at most one line a second',
    ({ events }) => events.push({ kind: 'database.failed', at: 21_300, by: 'w2.1', during: 'claim' }),
  ],
  [
    'a lease that is left',
    'no lease, session, thread or file is leaked',
    ({ leases }) => leases.push({ run: '1', worker: 'w1.1' }),
  ],
  [
    'a session that is left',
    'no lease, session, thread or file is leaked',
    ({ sessions }) => sessions.push({ name: 'duework leases', count: 1 }),
  ],
  [
    'a producer that fell over',
    'no process exits by itself, whatever happens to the database',
    ({ events }) =>
      events.push({
        kind: 'person.fell',
        at: 11 * second,
        by: 'lab',
        person: 'p1',
        code: 1,
        signal: null,
        said: ['Unhandled error'],
      }),
  ],
  ['a worker that had to be killed', 'no lease, session, thread or file is leaked', ({ ended }) => (ended[0].code = 1)],
  [
    'a worker that gathers files',
    'no lease, session, thread or file is leaked',
    ({ gauges }) => (gauges[2].workers[0].files = 300),
  ],
  [
    'a worker that gathers threads',
    'no lease, session, thread or file is leaked',
    ({ gauges }) => (gauges[2].workers[0].threads = 30),
  ],
])('%s breaks the promise', (_, promise, spoil) => {
  expect(brokenAfter(spoil)).toContain(promise);
});

test.each([
  ['memory', (gauge) => (gauge.workers[0].rssMb = 200), true],
  ['the live table', (gauge) => (gauge.liveMb = 20), true],
  ['nothing', () => {}, false],
])('a soak in which %s grows is told from one in which nothing does', (_, grow, isBroken) => {
  const evidence = makeEvidence();
  evidence.options.isSoak = true;
  evidence.gauges = [5, 55].map((s) => ({
    at: s * second,
    liveMb: 10,
    workers: [{ name: 'w1.1', rssMb: 100, files: 30, threads: 11 }],
  }));
  grow(evidence.gauges[1]);
  const { broken } = checks.find(({ promise }) => promise.startsWith('memory is flat')).check(evidence);
  expect(broken.length > 0).toBe(isBroken);
});

test('a run of a dead worker that is cancelled has gone on by that, though an operator starts it again later', () => {
  const change = (s, facts) => ({
    at: s * second,
    run: '1',
    place: 'live',
    from: null,
    to: null,
    newFence: null,
    newWorker: null,
    ...facts,
  });
  const changes = [
    change(0, { to: 'queued', newFence: 0 }),
    change(9, { from: 'queued', to: 'running', newFence: 1, newWorker: 'w1.1' }),
    change(11, { from: 'running' }),
    change(26, { to: 'queued', newFence: 1 }),
    change(27, { from: 'queued', to: 'running', newFence: 2, newWorker: 'w2.1' }),
  ];
  expect(heldRuns(changes, 'w1.1', 10 * second)).toMatchObject([{ run: '1', goneOnAt: 11 * second }]);
});
