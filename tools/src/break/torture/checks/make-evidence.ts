import type { Change, Evidence, GateChange, Workflows } from '../observer/evidence.js';
import type { EventFacts, EventKind, HistoryEvent } from '../observer/history-events.js';

export const second = 1_000;

/** Evidence whose lists can be changed. */
export type MadeEvidence = {
  -readonly [K in keyof Evidence]: Evidence[K] extends readonly (infer T)[] ? T[] : Evidence[K];
};

/** A change of run 1 in the live table, with a transaction for each moment, unless the facts say otherwise. */
export function makeChange(s: number, facts: Partial<Change>): Change {
  return {
    at: s * second,
    tx: String(s),
    run: '1',
    place: 'live',
    from: null,
    to: null,
    oldFence: null,
    newFence: null,
    oldWorker: null,
    newWorker: null,
    ...facts,
  };
}

/** All changes of a run that is made, claimed and ended at once. */
function makeWholeRun(run: string, s: number): Change[] {
  const about = { run, tx: `${run}-${s}` };
  return [
    makeChange(s, { ...about, to: 'queued', newFence: 0 }),
    makeChange(s, { ...about, from: 'queued', to: 'running', oldFence: 0, newFence: 1, newWorker: 'w3.1' }),
    makeChange(s, { ...about, from: 'running', oldFence: 1, oldWorker: 'w3.1' }),
    makeChange(s, { ...about, place: 'final', to: 'succeeded', newFence: 1 }),
  ];
}

/** A run with gates that is enqueued, let in and ended; times in seconds. */
export function makeGated(
  run: string,
  keys: readonly string[],
  [made, letIn, ended]: readonly [number, number, number],
): GateChange[] {
  const gates = keys.map((key) => ({ key, units: 1 }));
  const held = { status: 'queued', heldBy: keys[0] ?? null, runAt: made * second };
  const free = { status: 'queued', heldBy: null, runAt: letIn * second };
  const step = (
    s: number,
    from: GateChange['from'],
    to: GateChange['to'],
    more: Partial<GateChange> = {},
  ): GateChange => ({ at: s * second, beganAt: s * second, tx: `${run}-${s}`, run, from, to, gates: null, ...more });
  return [step(made, null, held, { gates }), step(letIn, held, free), step(ended, free, null)];
}

/** Two runs at each kind of gate, one after the other. */
const makeGates = (): GateChange[] =>
  ['limit/lone/7', 'order/step/7', 'rate/metered'].flatMap((key, place) => [
    ...makeGated(`5${place}1`, [key], [5, 5.02, 6]),
    ...makeGated(`5${place}2`, [key], [5.5, 6.03, 7]),
  ]);

/** A line of the history. */
export const makeEvent = <K extends EventKind>(kind: K, s: number, by: string, facts: EventFacts[K]): HistoryEvent =>
  ({ kind, at: s * second, by, ...facts }) as unknown as HistoryEvent;

/** One keyed call and one payment, with which the history begins. */
function makeCalls(): HistoryEvent[] {
  const mail = { way: 'keyed', type: 'mail', n: 7 } as const;
  const payment = { way: 'transaction', type: 'payment', n: 8 } as const;
  return [
    makeEvent('enqueue.called', 0, 'p1', mail),
    makeEvent('enqueue.unknown', 0.001, 'p1', { ...mail, problem: 'the connection was lost' }),
    makeEvent('enqueue.answered', 0.002, 'p1', { ...mail, run: '1' }),
    makeEvent('enqueue.called', 0.003, 'p1', payment),
    makeEvent('enqueue.answered', 0.004, 'p1', { ...payment, run: '2' }),
    makeEvent('enqueue.called', 0.005, 'p1', { way: 'shared', type: 'plain', n: 9 }),
  ];
}

/** A kill, a worker that is frozen in its effect, and a restart, one after the other. */
function makeFaults(): HistoryEvent[] {
  const about = (fault: string) => ({ fault, id: fault, isAlone: true });
  const effect = { run: '1', type: 'mail' };
  const key = 'mail:mail:7:send';
  return [
    makeEvent('fault.begun', 10, 'lab', { ...about('kill-worker'), worker: 'w1.1', isPooled: false }),
    makeEvent('worker.ended', 10, 'lab', { worker: 'w1.1', isTold: true, code: null, signal: 'SIGKILL', said: [] }),
    makeEvent('handler.started', 13.9, 'w2.1', { ...effect, attempt: 2, fence: 2 }),
    makeEvent('effect.begun', 14, 'w2.1', { ...effect, key, fence: 2, isRepeat: false }),
    makeEvent('effect.held', 14, 'w2.1', { ...effect, fence: 2, moment: 'effect.entered', how: 'freeze' }),
    makeEvent('fault.begun', 15, 'lab', { ...about('freeze-in-effect'), worker: 'w2.1', silentMs: 8 * second }),
    makeEvent('database.failed', 20, 'w2.1', { during: 'claim' }),
    makeEvent('database.failed', 21, 'w2.1', { during: 'claim' }),
    makeEvent('handler.started', 21.9, 'w3.1', { ...effect, attempt: 3, fence: 3 }),
    makeEvent('effect.begun', 22, 'w3.1', { ...effect, key, fence: 3, isRepeat: true }),
    makeEvent('job.succeeded', 25, 'w3.1', { worker: 'w3.1', run: '1', fence: 3, type: 'mail' }),
    makeEvent('fault.begun', 40, 'lab', about('restart-database')),
    makeEvent('database.up', 42, 'lab', about('restart-database')),
  ];
}

/** A trip, and a batch of three jobs of which one was dead and has been retried. */
function makeWorkflows(): Pick<MadeEvidence, keyof Workflows> {
  const step = { run: '4', from: null, to: 'done', hasChanged: true };
  const counts = { jobs: 3, succeeded: 3, dead: 0, cancelled: 0 };
  return {
    stepChanges: [
      { ...step, name: 'book' },
      { ...step, name: 'wait for paid', to: 'waiting' },
      { ...step, name: 'wait for paid', from: 'waiting', to: 'arrived' },
      { ...step, name: 'wait for paid', from: 'arrived', hasChanged: false },
    ],
    bookings: [{ run: '4' }],
    returned: [{ run: '4', n: 10, amount: 7 }],
    sent: [10, 11].map((n) => ({ n, amount: 7 })),
    received: [{ n: 10, amount: 7 }],
    kept: [{ n: 11, amount: 7 }],
    begun: [{ id: 'b1' }],
    batches: [
      {
        id: 'b1',
        isSettled: true,
        told: counts,
        found: counts,
        died: 1,
        callbacks: ['onFirstDead', 'onSettled', 'onSucceeded'],
      },
    ],
  };
}

/** A small history in which every promise was kept. */
export function makeEvidence(): MadeEvidence {
  const spawned = { version: 2, isPooled: false, client: 'pg' } as const;
  return {
    options: {
      isSoak: false,
      isQuick: false,
      isWhole: true,
      isLoadMeasured: true,
      faults: ['kill-worker', 'freeze-in-effect', 'restart-database'],
    },
    clients: ['pg'],
    isPooled: false,
    begunMs: 0,
    tookMs: 60 * second,
    events: [
      ...makeCalls(),
      ...[1, 2, 3].flatMap((place) => [
        makeEvent('worker.spawned', 0, 'lab', { ...spawned, worker: `w${place}.1`, pid: place }),
        makeEvent('started', 0.5, `w${place}.1`, { pid: place }),
      ]),
      ...makeFaults(),
    ],
    changes: [
      makeChange(0, { to: 'queued', newFence: 0 }),
      makeChange(9, { from: 'queued', to: 'running', oldFence: 0, newFence: 1, newWorker: 'w1.1' }),
      makeChange(13, { from: 'running', to: 'failed', oldFence: 1, newFence: 1, oldWorker: 'w1.1' }),
      makeChange(14, { from: 'failed', to: 'running', oldFence: 1, newFence: 2, newWorker: 'w2.1' }),
      makeChange(20, { from: 'running', to: 'failed', oldFence: 2, newFence: 2, oldWorker: 'w2.1' }),
      makeChange(21, { from: 'failed', to: 'running', oldFence: 2, newFence: 3, newWorker: 'w3.1' }),
      makeChange(25, { from: 'running', oldFence: 3, oldWorker: 'w3.1' }),
      makeChange(25, { place: 'final', to: 'succeeded', newFence: 3 }),
      ...[37, 38, 39, 44, 45, 46].flatMap((s) => makeWholeRun(`1${s}`, s)),
    ],
    ...makeWorkflows(),
    jobs: [
      { run: '1', type: 'mail', n: 7, key: 'mail:7', status: 'succeeded', schedule: null },
      { run: '2', type: 'payment', n: 8, key: null, status: 'succeeded', schedule: null },
      { run: '3', type: 'slotted', n: null, key: null, status: 'succeeded', schedule: 'every-second' },
      { run: '4', type: 'trip', n: 10, key: null, status: 'succeeded', schedule: null },
      { run: '5', type: 'packing', n: null, key: 'child:4:packing', status: 'succeeded', schedule: null },
    ],
    gateChanges: makeGates(),
    gateRules: [
      { name: 'limit/lone', max: 1, unitMs: null, burst: null },
      { name: 'order/step', max: null, unitMs: null, burst: null },
      { name: 'rate/metered', max: null, unitMs: 1_000, burst: 1 },
    ],
    orders: [{ n: 8 }],
    payments: [{ n: 8, run: '2' }],
    effects: [{ at: 22_500, run: '1', type: 'mail', n: 7, key: 'mail:mail:7:send', fence: 3, isRepeat: false }],
    dueTimes: [{ key: 'every-second', everyMs: second, dueMs: 5 * second, outcome: 'fired', reason: null, run: '3' }],
    drained: { live: 0, tookMs: second, left: [], unknown: { happened: 0, repeated: 0 } },
    leases: [],
    sessions: [],
    gauges: [0, 15, 60].map((s) => ({
      at: s * second,
      workers: [{ name: 'w3.1', rssMb: 100, files: 30, threads: 11 }],
    })),
    warnings: [],
    ended: [{ worker: 'w3.1', code: 0, signal: null }],
    load: { terminated: 1, restart: [{ mode: 'fast', share: [0.2, 1] }] },
  };
}
