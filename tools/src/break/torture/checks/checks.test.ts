import { expect, test } from '@jest/globals';
import { judge } from '../report/judge.js';
import type { GateChange } from '../observer/evidence.js';
import { readGates } from './gates/read-gates.js';
import { heldRuns } from './held-runs.js';
import { checks } from './index.js';
import { makeChange, makeEvent, makeEvidence, makeGated, type MadeEvidence, second } from './make-evidence.js';

type Spoil = (evidence: MadeEvidence) => unknown;

/** The promises that are broken in the same history with one change. */
function brokenAfter(spoil: Spoil): string[] {
  const evidence = makeEvidence();
  spoil(evidence);
  return checks.filter(({ check }) => check(evidence).broken.length > 0).map(({ promise }) => promise);
}

/** Changes one item of a list: the first that is `isWanted`. */
function edit<T extends object>(list: T[], isWanted: (item: T, index: number) => boolean, facts: object): void {
  const index = list.findIndex(isWanted);
  if (index < 0) throw new Error('There is no such item.');
  list[index] = { ...list[index], ...facts } as T;
}
const isAt =
  (wanted: number) =>
  (_: unknown, index: number): boolean =>
    index === wanted;
/** The same item again, with something changed. */
const again = (list: object[], index: number, facts: object = {}): unknown =>
  list.push({ ...list.at(index), ...facts });
const delay = (evidence: MadeEvidence, from: number, to: number, ms: number): unknown =>
  (evidence.changes = evidence.changes.map((change, index) =>
    index >= from && index < to ? { ...change, at: change.at + ms } : change,
  ));
const editGauge = ({ gauges }: MadeEvidence, facts: object): void => {
  const [worker] = gauges[2]?.workers ?? [];
  edit(gauges, isAt(2), { workers: [{ ...worker, ...facts }] });
};

const LOST = 'nothing acknowledged is lost';
const KEY = 'a retry with the same key makes one run; a lost answer is unknown, not failed';
const CALL = 'a call without a key makes one run, or none that anybody was told of';
const TOGETHER = "a caller's transaction and its job commit together or not at all";
const SETTLED = 'no claim is settled twice, or by a worker that has lost it';
const FENCE = 'a fence only grows, by one with each claim';
const BEGUN = 'no handler begins for a run that another worker has taken over and begun';
const LEGAL = 'every change of status is a legal one';
const ONCE = 'no effect happens twice';
const LATE = 'no effect begins after its lease';
const DUE_TIME = 'every due time exactly once';
const KILLED = 'the runs of a worker killed with kill -9 start again within 5 s';
const SILENT = 'the runs of a silent worker go on within its lease and 5 s';
const EXITS = 'no process exits by itself, whatever happens to the database';
const LEAKS = 'no lease, session, thread or file is leaked';
const WARNS = 'no process prints a warning';
const CLIENTS = 'runs are settled through every client that was asked for, behind PgBouncer as well';

const STEPS = 'a step ends once and stays; in a transaction it is done once; a child is one';
const SIGNALS = 'a signal that was sent is received once, or kept; what was rolled back was never sent';
const BATCHES = "a batch's counts are those of its jobs, each of its ends is told once, and it commits with its caller";
const ENDS = ['onFirstDead', 'onSettled', 'onSucceeded'];
const counts = { jobs: 3, succeeded: 3, dead: 0, cancelled: 0 };

const LIMIT = 'no limit is exceeded at any moment';
const ORDER = "the runs of an order's key run one at a time, and none overtakes another";
const RATE = 'no rate is exceeded in any stretch of time';
const IDLE = 'a slot that gets free beside a run that waits is used within 50 ms (p99)';
const LOST_SLOT = 'no slot is lost: none lies idle for 10 s beside a run that waits';

const plain = { type: 'plain', n: 9, key: null, schedule: null, status: 'succeeded' };
const late = { run: '1', type: 'mail', key: 'mail:mail:7:send', fence: 2, isRepeat: false };
const fell = { person: 'p1', code: 1, signal: null, said: ['Unhandled error'] };
const warned = { by: 'w1.1', line: '(node:7) MaxListenersExceededWarning: Possible EventEmitter memory leak' };
const settled = { worker: 'w2.1', run: '1', fence: 2, type: 'mail' };

test('a history in which every promise was kept is judged so, and each promise has judged a case', () => {
  const evidence = makeEvidence();
  for (const { promise, check } of checks) {
    const { counted, broken } = check(evidence);
    expect({ promise, broken }).toEqual({ promise, broken: [] });
    // only a soak can judge that one
    if (!promise.startsWith('memory is flat')) expect({ promise, counted }).not.toEqual({ promise, counted: 0 });
  }
});

test.each<[string, string, Spoil]>([
  ['an acknowledged run is gone', LOST, ({ jobs }) => jobs.splice(0, 1)],
  ['an acknowledged run is another', LOST, ({ jobs }) => edit(jobs, isAt(0), { n: 70 })],
  ['a key has two runs', KEY, ({ jobs }) => again(jobs, 0, { run: '4' })],
  ['a call was told of two runs', KEY, ({ events }) => again(events, 2, { run: '2' })],
  ['a call without a key made two runs', CALL, ({ jobs }) => jobs.push({ ...plain, run: '4' }, { ...plain, run: '5' })],
  ['an order without its job', TOGETHER, ({ jobs }) => jobs.splice(1, 1)],
  ['a job without its order', TOGETHER, ({ orders }) => orders.splice(0, 1)],
  ['a roll-back that left a job', TOGETHER, ({ events }) => edit(events, isAt(4), { kind: 'enqueue.rolled_back' })],
  ['a claim that ends twice', SETTLED, ({ changes }) => again(changes, 6, { at: 26 * second })],
  ['a loser that settled', SETTLED, ({ events }) => events.push(makeEvent('job.succeeded', 26, 'w2.1', settled))],
  [
    'two that believe to have settled',
    SETTLED,
    ({ events }) => events.push(makeEvent('job.succeeded', 25, 'w2.1', { ...settled, fence: 3 })),
  ],
  [
    'a handler that begins for a run that was taken over',
    BEGUN,
    ({ events }) =>
      events.push(makeEvent('handler.started', 23, 'w2.1', { run: '1', type: 'mail', attempt: 2, fence: 2 })),
  ],
  ['a fence that stays', FENCE, ({ changes }) => edit(changes, isAt(3), { newFence: 1 })],
  ['a fence that is lowered', FENCE, ({ changes }) => edit(changes, isAt(5), { oldFence: 0, newFence: 1 })],
  [
    'a change of status that is not in the table',
    LEGAL,
    ({ changes }) => edit(changes, isAt(3), { from: 'succeeded' }),
  ],
  ['a change that the witness has not seen', LEGAL, ({ changes }) => changes.splice(2, 1)],
  ['a run that leaves and arrives nowhere', LEGAL, ({ changes }) => changes.splice(7, 1)],
  ['a run that is final in another transaction', LEGAL, ({ changes }) => edit(changes, isAt(7), { tx: '99' })],
  ['a mail that is sent twice', ONCE, ({ effects }) => again(effects, 0)],
  [
    'a webhook that repeats and does not say so',
    ONCE,
    ({ effects }) => {
      again(effects, 0, { run: '9', type: 'webhook', key: 'a' });
      again(effects, 1);
    },
  ],
  ['a payment made twice', ONCE, ({ payments }) => again(payments, 0)],
  ['a payment that succeeded unpaid', ONCE, ({ payments }) => payments.pop()],
  [
    'an effect that begins when its claim is over',
    LATE,
    ({ events }) => events.push(makeEvent('effect.begun', 20.5, 'w2.1', late)),
  ],
  [
    'an effect that begins after a later claim began it',
    LATE,
    ({ events, changes }) => {
      // of a claim whose end the witness has not seen
      changes.splice(4, 1);
      events.push(makeEvent('effect.begun', 24, 'w2.1', late));
    },
  ],
  ['a booking made twice', STEPS, ({ bookings }) => again(bookings, 0)],
  ['a step without its booking', STEPS, ({ bookings }) => bookings.pop()],
  ['a booking without its step', STEPS, ({ stepChanges }) => stepChanges.splice(0, 1)],
  ['a step that is written again', STEPS, ({ stepChanges }) => again(stepChanges, 0)],
  ['a wait that ends twice', STEPS, ({ stepChanges }) => again(stepChanges, 3)],
  ['a result that becomes another', STEPS, ({ stepChanges }) => edit(stepChanges, isAt(3), { hasChanged: true })],
  ['a child that is made twice', STEPS, ({ jobs }) => again(jobs, 4, { run: '6' })],
  ['a child that is missing', STEPS, ({ jobs }) => jobs.splice(4, 1)],
  ['a signal that is lost', SIGNALS, ({ kept }) => kept.pop()],
  ['a signal that is received twice', SIGNALS, ({ received }) => again(received, 0)],
  ['a signal that is received and kept', SIGNALS, ({ kept }) => kept.push({ n: 10, amount: 7 })],
  ['a signal that was rolled back', SIGNALS, ({ received }) => edit(received, isAt(0), { amount: -7 })],
  ['a trip that returns what was not sent', SIGNALS, ({ returned }) => edit(returned, isAt(0), { amount: -7 })],
  ['a batch that does not settle', BATCHES, ({ batches }) => edit(batches, isAt(0), { isSettled: false })],
  [
    'a batch that is told twice',
    BATCHES,
    ({ batches }) => edit(batches, isAt(0), { callbacks: ['onSettled', ...ENDS] }),
  ],
  ['a batch that is not told', BATCHES, ({ batches }) => edit(batches, isAt(0), { callbacks: ENDS.slice(1) })],
  ['a batch that is told of what was not', BATCHES, ({ batches }) => edit(batches, isAt(0), { died: 0 })],
  ['a batch that counts wrong', BATCHES, ({ batches }) => edit(batches, isAt(0), { told: { ...counts, jobs: 4 } })],
  ['a batch that is gone', BATCHES, ({ batches }) => batches.pop()],
  ['a batch whose caller has rolled back', BATCHES, ({ begun }) => begun.pop()],
  [
    'a due time that is missing',
    DUE_TIME,
    ({ dueTimes, jobs }) => {
      again(dueTimes, 0, { dueMs: 7 * second, run: '4' });
      again(jobs, 2, { run: '4' });
    },
  ],
  ['a due time with two runs', DUE_TIME, ({ jobs }) => again(jobs, 2, { run: '4' })],
  ['a due time that was skipped', DUE_TIME, ({ dueTimes }) => edit(dueTimes, isAt(0), { outcome: 'skipped' })],
  [
    'a queue that does not drain',
    'after the faults the queue drains to empty within 60 s',
    (evidence) => (evidence.drained = { ...evidence.drained, live: 1 }),
  ],
  ['a killed worker whose run waits', KILLED, (evidence) => delay(evidence, 2, 8, 10 * second)],
  ['a silent worker whose run waits', SILENT, (evidence) => delay(evidence, 4, 8, 30 * second)],
  [
    'a worker killed behind PgBouncer whose run waits',
    SILENT,
    (evidence) => {
      edit(evidence.events, ({ kind, by }) => kind === 'fault.begun' && by === 'lab', { fault: 'kill-pooled-worker' });
      delay(evidence, 2, 8, 10 * second);
    },
  ],
  [
    'a restart after which less ends',
    'after a database restart throughput is back at 98 % within 10 s',
    ({ changes }) => changes.splice(-12),
  ],
  [
    'terminated backends that cost more',
    'with every slot busy: backends terminated twice a second cost 5 % at most; after a restart 98 % is back within 10 s',
    (evidence) => (evidence.load = { terminated: 0.9, restart: [] }),
  ],
  [
    'a limit of one that two hold',
    LIMIT,
    ({ gateChanges }) => gateChanges.push(...makeGated('503', ['limit/lone/7'], [5.1, 5.9, 6.5])),
  ],
  [
    'a limit of which a run takes more than is left',
    LIMIT,
    (evidence) => {
      edit(evidence.gateRules, isAt(0), { max: 3 });
      const gates = [{ key: 'limit/lone/7', units: 2 }];
      for (const run of ['501', '503'])
        evidence.gateChanges.push(...makeGated(run, [], [8, 8.01, 9]).map((change) => ({ ...change, gates })));
    },
  ],
  [
    'two at once in an order',
    ORDER,
    ({ gateChanges }) => gateChanges.push(...makeGated('513', ['order/step/7'], [5.1, 5.9, 6.5])),
  ],
  [
    'one that overtakes in an order',
    ORDER,
    ({ gateChanges }) => gateChanges.push(...makeGated('510', ['order/step/7'], [5.1, 7.1, 7.2])),
  ],
  [
    'a rate from which two start too soon',
    RATE,
    ({ gateChanges }) => gateChanges.push(...makeGated('523', ['rate/metered'], [5.1, 6.5, 7])),
  ],
  [
    'a slot that lies idle',
    IDLE,
    ({ gateChanges }) => gateChanges.push(...makeGated('504', ['limit/lone/8'], [5, 5.2, 6])),
  ],
  [
    'a slot that is lost',
    LOST_SLOT,
    ({ gateChanges }) => gateChanges.push(...makeGated('504', ['limit/lone/8'], [26, 37, 38])),
  ],
  ['a client that nothing went through', CLIENTS, (evidence) => (evidence.clients = ['pg', 'prisma'])],
  ['a PgBouncer that nothing went through', CLIENTS, (evidence) => (evidence.isPooled = true)],
  [
    'a worker that ended by itself',
    EXITS,
    ({ events }) => edit(events, ({ kind }) => kind === 'worker.ended', { isTold: false }),
  ],
  ['a producer that fell over', EXITS, ({ events }) => events.push(makeEvent('person.fell', 11, 'lab', fell))],
  [
    'a cause told twice a second',
    'a failing cause logs at most one line a second',
    ({ events }) => events.push(makeEvent('database.failed', 21.3, 'w2.1', { during: 'claim' })),
  ],
  ['a lease that is left', LEAKS, ({ leases }) => leases.push({ run: '1', worker: 'w1.1' })],
  ['a session that is left', LEAKS, ({ sessions }) => sessions.push({ name: 'duework leases', count: 1 })],
  ['a worker that had to be killed', LEAKS, ({ ended }) => edit(ended, isAt(0), { code: 1 })],
  ['a worker that warned', WARNS, ({ warnings }) => warnings.push(warned)],
  ['a worker that gathers files', LEAKS, (evidence) => editGauge(evidence, { files: 300 })],
  ['a worker that gathers threads', LEAKS, (evidence) => editGauge(evidence, { threads: 30 })],
])('a history with %s breaks the promise', (_, promise, spoil) => {
  expect(brokenAfter(spoil)).toContain(promise);
});

test('a broken promise about warnings quotes the warning', () => {
  const evidence = makeEvidence();
  evidence.warnings.push(warned);
  const promises = judge({ ...evidence, missing: [] });
  expect(promises.find(({ promise }) => promise === WARNS)).toMatchObject({
    isFailure: true,
    broken: [`w1.1 warned: ${warned.line}`],
  });
});

test.each<[string, { rssMb?: number; liveMb?: number }, boolean]>([
  ['memory', { rssMb: 200 }, true],
  ['the live table', { liveMb: 20 }, true],
  ['nothing', {}, false],
])('a soak in which %s grows is judged differently from one in which nothing grows', (_, grown, isBroken) => {
  const evidence = makeEvidence();
  evidence.options = { ...evidence.options, isSoak: true };
  const sample = (s: number, { rssMb = 100, liveMb = 10 }): (typeof evidence.gauges)[number] => ({
    at: s * second,
    liveMb,
    workers: [{ name: 'w1.1', rssMb, files: 30, threads: 11 }],
  });
  evidence.gauges = [sample(5, {}), sample(55, grown)];
  const steady = checks.find(({ promise }) => promise.startsWith('memory is flat'));
  expect((steady?.check(evidence).broken.length ?? 0) > 0).toBe(isBroken);
});

test('a cancelled run of a dead worker counts as continued, although an operator starts it again later', () => {
  const changes = [
    makeChange(0, { to: 'queued', newFence: 0 }),
    makeChange(9, { from: 'queued', to: 'running', newFence: 1, newWorker: 'w1.1' }),
    makeChange(11, { from: 'running' }),
    makeChange(26, { to: 'queued', newFence: 1 }),
    makeChange(27, { from: 'queued', to: 'running', newFence: 2, newWorker: 'w2.1' }),
  ];
  expect(heldRuns(changes, 'w1.1', 10 * second)).toMatchObject([{ run: '1', goneOnAt: 11 * second }]);
});

test('a run that was changed twice in one transaction is seen as the transaction has left it, whichever trigger came first', () => {
  const evidence = makeEvidence();
  const [made, letIn, ended] = makeGated('505', ['limit/lone/9'], [5, 5.01, 6]) as [GateChange, GateChange, GateChange];
  const held = { status: 'failed', heldBy: 'limit/lone/9', runAt: 5.5 * second };
  const begun = {
    ...letIn,
    at: 5.2 * second,
    tx: 'begun',
    from: letIn.to,
    to: { ...held, status: 'running', heldBy: null },
  };
  const failed = { ...ended, at: 5.5 * second, tx: 'failed', from: begun.to, to: held };
  const again = { ...failed, from: held, to: { ...held, heldBy: null } };
  evidence.gateChanges = [made, letIn, begun, again, failed, { ...ended, from: again.to }];
  const gate = readGates(evidence).find(({ key }) => key === 'limit/lone/9');
  expect(gate?.holds.map(({ from, to }) => [from, to])).toEqual([
    [5_010, 5_200],
    [5_200, 5_500],
    [5_500, 6_000],
  ]);
});

test('a slot that lies idle while the database is away is not counted', () => {
  const evidence = makeEvidence();
  evidence.gateChanges.push(...makeGated('504', ['limit/lone/8'], [40.1, 43, 44]));
  const check = checks.find(({ promise }) => promise === IDLE);
  evidence.events.push(
    makeEvent('fault.ended', 42, 'lab', { fault: 'restart-database', id: 'restart-database', isAlone: true }),
  );
  expect(check?.check(evidence).broken).toEqual([]);
});

/** How the promise about killed workers is judged in this history. */
const judgeKills = (evidence: MadeEvidence): unknown =>
  judge({ ...evidence, missing: [] }).find(({ promise }) => promise === KILLED);

test('a kill that one worker had to see is judged, although the checks of the others had failed lately', () => {
  const evidence = makeEvidence();
  evidence.events.push(makeEvent('database.failed', 9, 'w2.1', { during: 'rescue' }));
  expect(judgeKills(evidence)).toMatchObject({ counted: 1, state: 'kept' });
});

test('a promise without a case fails a whole run that had to judge it, and is only reported by a quick one', () => {
  const evidence = makeEvidence();
  for (const worker of ['w2.1', 'w3.1'])
    evidence.events.push(makeEvent('database.failed', 9, worker, { during: 'rescue' }));
  expect(judgeKills(evidence)).toMatchObject({ counted: 0, state: 'unjudged', isFailure: true });
  evidence.options = { ...evidence.options, isQuick: true };
  expect(judgeKills(evidence)).toMatchObject({ state: 'unjudged', isFailure: false });
});

test('a promise whose faults were not requested is not due, and fails no run', () => {
  const evidence = makeEvidence();
  evidence.events = evidence.events.filter(({ kind }) => kind !== 'fault.begun' && kind !== 'worker.ended');
  evidence.options = { ...evidence.options, faults: ['pin-horizon'] };
  expect(judgeKills(evidence)).toMatchObject({ counted: 0, state: 'not due', isFailure: false });
});

test('a run that is too short for all faults has to judge the faults it did, and no others', () => {
  const evidence = makeEvidence();
  evidence.options = { ...evidence.options, isWhole: false };
  expect(judgeKills(evidence)).toMatchObject({ state: 'kept' });
  evidence.events = evidence.events.filter(({ kind }) => kind !== 'fault.begun');
  expect(judgeKills(evidence)).toMatchObject({ counted: 0, state: 'not due', isFailure: false });
});
