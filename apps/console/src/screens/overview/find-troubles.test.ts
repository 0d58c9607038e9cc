import { expect, test } from '@jest/globals';
import type { FlowRule } from '../../api/flow-queries.js';
import type { Alert, Finding, Pause, QueueState, Unserved, Worker } from '../../api/now-queries.js';
import { findTroubles, type State } from './find-troubles.js';

const NOW = Date.parse('2026-01-31T14:10:00Z');
const queue = (more: Partial<QueueState>): QueueState =>
  ({
    queue: 'mail',
    type: 'send',
    due: 0,
    oldestWaitingSeconds: 0,
    succeeded: 0,
    failed: 0,
    dead: 0,
    retrying: 0,
    perSecond: null,
    lastFailedAt: null,
    succeededSince: 0,
    pauses: [],
    ...more,
  }) as unknown as QueueState;
const unserved = (type: string, missing: Unserved['missing'], oldestWaitingSeconds = 60): Unserved =>
  ({ queue: 'mail', type, version: 1, waiting: 3, missing, oldestWaitingSeconds }) as Unserved;
const worker = (more: Partial<Worker>): Worker =>
  ({
    name: 'w',
    queues: ['mail'],
    slots: 10,
    held: 0,
    startedAt: '2026-01-30T00:00:00Z',
    seenAt: new Date(NOW).toISOString(),
    shutBy: null,
    stalledMs: null,
    state: 'claims',
    ...more,
  }) as Worker;
const pause: Pause = { kind: 'queue', name: 'mail', since: '', until: null, by: null, reason: null };
const rule = (more: Partial<FlowRule>): FlowRule =>
  ({ kind: 'limit', closed: 0, trying: 0, blocked: 0, waiting: 0, waitingSince: null, ...more }) as FlowRule;
const find = (state: Partial<State>) =>
  findTroubles({ queues: [], workers: [], unserved: [], rules: [], findings: [], alerts: [], now: NOW, ...state }).map(
    ({ severity, kind }) => `${severity} ${kind}`,
  );

test('nothing is wrong where all is well', () => {
  expect(find({ queues: [queue({ succeeded: 90, failed: 4, due: 9, oldestWaitingSeconds: 20 })] })).toEqual([]);
});

test('without any worker that is said once, and not of each type', () => {
  expect(find({ unserved: [unserved('a', 'worker'), unserved('b', 'worker')] })).toEqual(['error no_workers']);
  expect(find({ unserved: [unserved('a', 'worker'), unserved('b', 'type')] })).toEqual([
    'error unserved',
    'error unserved',
  ]);
});

test('the moment of a deploy is no trouble, and a type that nobody runs is not behind as well', () => {
  expect(find({ unserved: [unserved('send', 'type', 5)] })).toEqual([]);
  expect(
    find({ unserved: [unserved('send', 'type', 400)], queues: [queue({ due: 3, oldestWaitingSeconds: 400 })] }),
  ).toEqual(['error unserved']);
});

test('most attempts of a type failing comes before a few that died, and both before a pause that holds nothing up', () => {
  const queues = [
    queue({ queue: 'idle', pauses: [{ ...pause, name: 'idle' }] }),
    queue({ type: 'other', dead: 1, succeeded: 40 }),
    queue({ failed: 6, succeeded: 2 }),
  ];
  expect(find({ queues })).toEqual(['error failing', 'warning died', 'told paused']);
});

test('a pause is told once for its queue, with all that it holds up, and what it holds up is not behind', () => {
  const queues = ['a', 'b'].map((type) => queue({ type, due: 4, oldestWaitingSeconds: 900, pauses: [pause] }));
  expect(findTroubles({ queues, workers: [], unserved: [], rules: [], findings: [], alerts: [], now: NOW })).toEqual([
    { kind: 'paused', severity: 'warning', pause, due: 8 },
  ]);
});

test('a worker that is silent, or keeps itself from claiming, is named', () => {
  const silent = worker({ seenAt: new Date(NOW - 120_000).toISOString(), state: 'silent' });
  const others = (['shut', 'stalled'] as const).map((state) => worker({ state }));
  expect(find({ workers: [worker({}), silent, ...others] })).toEqual([
    'warning silent',
    'warning shut',
    'warning stalled',
  ]);
});

test('a worker whose session has ended is an error where no other lives, and is shown before it is silent', () => {
  const lost = worker({ state: 'lost', shutBy: 'session' });
  expect(find({ workers: [lost] })).toEqual(['error lost']);
  expect(find({ workers: [lost, worker({})] })).toEqual(['warning lost']);
});

test('many that wait for a retry are told of at once, and not again where most attempts fail', () => {
  expect(find({ queues: [queue({ retrying: 9 }), queue({ type: 'other', retrying: 48, succeeded: 900 })] })).toEqual([
    'warning retrying',
  ]);
  expect(find({ queues: [queue({ retrying: 48, failed: 48 })] })).toEqual(['error failing']);
});

test('a breaker that is open and an order that a dead job blocks are errors, a rule that is shut as bad as who waits', () => {
  const waitingSince = new Date(NOW - 20_000).toISOString();
  expect(find({ rules: [rule({ kind: 'breaker', closed: 1 }), rule({ kind: 'breaker', trying: 1 })] })).toEqual([
    'error breaker',
    'warning breaker',
  ]);
  expect(find({ rules: [rule({ kind: 'order', blocked: 2, waiting: 9 })] })).toEqual(['error blocked']);
  expect(find({ rules: [rule({ closed: 1 }), rule({ closed: 1, waiting: 1, waitingSince })] })).toEqual([
    'warning shut_rule',
    'told shut_rule',
  ]);
});

test('who waits at a limit is told of once somebody has waited for five minutes', () => {
  const since = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();
  expect(find({ rules: [rule({ waiting: 9_000, waitingSince: since(299) })] })).toEqual([]);
  expect(find({ rules: [rule({ waiting: 1, waitingSince: since(300) })] })).toEqual(['warning held']);
});

test('an alert of failures is told until the figures have them, and no longer', () => {
  const raised = (ms: number): Alert =>
    ({
      name: 'failing_job_type',
      subject: 'mail',
      severity: 'critical',
      facts: { error: 'smtp_421' },
      raisedAt: new Date(NOW - ms).toISOString(),
    }) as unknown as Alert;
  expect(find({ alerts: [raised(5_000)] })).toEqual(['error alert']);
  expect(find({ alerts: [raised(100_000)] })).toEqual([]);
  const counted = queue({ type: 'mail', failed: 6, succeeded: 2 });
  expect(find({ alerts: [raised(5_000)], queues: [counted] })).toEqual(find({ queues: [counted] }));
});

test('the commonest error of a type that fails is told with it, and what pins dead rows also to who sees no doctor', () => {
  const alerts = [
    { name: 'failing_job_type', subject: 'mail', severity: 'critical', facts: { error: 'smtp_421' }, raisedAt: '' },
    { name: 'horizon_pinned', subject: 'session 7', severity: 'warning', facts: {}, raisedAt: '' },
  ] as unknown as Alert[];
  const state = { alerts, queues: [queue({ type: 'mail', failed: 6, succeeded: 2 })] };
  expect(find(state)).toEqual(['error failing', 'warning alert']);
  const findings = [{ code: 'snapshot_pinned', severity: 'warning' }] as Finding[];
  expect(find({ ...state, findings })).toEqual(['error failing', 'warning alert']);
  expect(find({ findings })).toEqual(['warning finding']);
});

test('jobs that wait for a person come first, and what the page finds itself is told once', () => {
  const alert = (name: Alert['name'], severity: Alert['severity']) => ({ name, severity, key: name }) as Alert;
  const alerts = [
    alert('failing_job_type', 'critical'),
    alert('dead_runs_expire', 'info'),
    alert('effect_unknown', 'warning'),
  ];
  expect(find({ alerts, queues: [queue({ failed: 6, succeeded: 2 })] })).toEqual([
    'error alert',
    'error failing',
    'told alert',
  ]);
});

test('what failed and succeeds again is told as that, and not before some have succeeded', () => {
  const failed = { failed: 60, succeeded: 20, lastFailedAt: '2026-01-31T14:08:00Z' };
  expect(find({ queues: [queue({ ...failed, succeededSince: 4 })] })).toEqual(['error failing']);
  expect(find({ queues: [queue({ ...failed, succeededSince: 20 })] })).toEqual(['warning mended']);
});

test('that all slots are taken while jobs wait is told once for the queue, with how long that takes', () => {
  const busy = [worker({ held: 10 }), worker({ name: 'v', held: 10 })];
  const behind = queue({
    due: 3_000,
    oldestWaitingSeconds: 400,
    perSecond: 20,
    arrivalsPerSecond: 30,
    slotsNeeded: 11.4,
  });
  const queues = [
    behind,
    queue({ type: 'other', due: 430, oldestWaitingSeconds: 26, perSecond: 6, arrivalsPerSecond: 6, slotsNeeded: 2.1 }),
  ];
  const [told, ...others] = findTroubles({
    queues,
    workers: busy,
    unserved: [],
    rules: [],
    findings: [],
    alerts: [],
    now: NOW,
  });
  expect(told).toMatchObject({
    kind: 'saturated',
    queue: 'mail',
    slots: 20,
    due: 3_430,
    perSecond: 26,
    arrivalsPerSecond: 36,
  });
  expect((told as { slotsNeeded: number }).slotsNeeded).toBeCloseTo(13.5);
  expect(others).toEqual([]);
});

test('slots that are free, or jobs that are paused or have just come, are no saturation', () => {
  const due = { due: 9, oldestWaitingSeconds: 30 };
  const busy = [worker({ held: 10 })];
  expect(find({ workers: [worker({ held: 9 })], queues: [queue(due)] })).toEqual([]);
  expect(find({ workers: busy, queues: [queue({ ...due, oldestWaitingSeconds: 9 })] })).toEqual([]);
  expect(find({ workers: busy, queues: [queue({ ...due, pauses: [pause] })] })).toEqual(['warning paused']);
  expect(find({ workers: [worker({ held: 10, queues: ['other'] })], queues: [queue(due)] })).toEqual([]);
});
