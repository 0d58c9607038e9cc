import { describe, expect, test } from '@jest/globals';
import {
  mergeAction,
  mergeContracts,
  mergeCount,
  mergeFailures,
  mergeWorkflows,
  mergeFigures,
  mergeParses,
  mergePreview,
  mergeQueues,
} from './index.js';

const answers = <T>(...given: T[]) => given.map((answer, at) => ({ shard: 'ab'[at]!, answer }));

test('counts are added up, and at least where one of them is', () => {
  expect(
    mergeCount([
      { count: 10_000, isAtLeast: true },
      { count: 5, isAtLeast: false },
    ]),
  ).toEqual({ count: 10_005, isAtLeast: true });
});

const times = (count: number, meanMs: number | null, p50Ms: number | null, p95Ms: number | null) => ({
  count,
  meanMs,
  p50Ms,
  p95Ms,
});
const NOTHING = times(0, null, null, null);

test('queues are added up by name; the oldest and the slowest are those of all', () => {
  const queue = (
    type: string,
    due: number,
    oldestWaitingSeconds: number,
    wait: typeof NOTHING,
    pauses: object[] = [],
  ) => ({
    queue: 'default',
    type,
    due,
    scheduled: 1,
    held: 0,
    retrying: 0,
    running: 2,
    oldestWaitingSeconds,
    isAtLeast: due > 5,
    claimed: 0,
    succeeded: 0,
    failed: 0,
    dead: 0,
    wait,
    run: NOTHING,
    perSecond: due,
    arrivalsPerSecond: due,
    slotsNeeded: due > 5 ? null : 2,
    lastFailedAt: due === 3 ? '2026-01-01T00:00:00.000Z' : null,
    succeededSince: due,
    pauses,
  });
  const { queues } = mergeQueues(
    answers(
      { queues: [queue('mail', 3, 10, times(1, 100, 90, 95)), queue('only', 1, 1, NOTHING)] },
      { queues: [queue('mail', 7, 4, times(3, 20, 10, 200), [{ kind: 'type', name: 'mail' }])] },
    ),
  );
  expect(queues).toHaveLength(2);
  expect(queues[0]).toMatchObject({
    type: 'mail',
    due: 10,
    scheduled: 2,
    running: 4,
    oldestWaitingSeconds: 10,
    isAtLeast: true,
    wait: times(4, 40, 90, 200),
    run: NOTHING,
    perSecond: 10,
    arrivalsPerSecond: 10,
    slotsNeeded: 2,
    lastFailedAt: '2026-01-01T00:00:00.000Z',
    succeededSince: 3,
    pauses: [{ kind: 'type', name: 'mail', shard: 'b' }],
  });
  expect(queues[0]).not.toHaveProperty('shard');
});

test('figures of one step, queue and type are one; what no shard knows stays unknown', () => {
  const step = (at: string, succeeded: number, due: number | null) => ({
    at,
    queue: 'q',
    type: 't',
    claimed: 1,
    succeeded,
    failed: 0,
    dead: 0,
    cancelled: 0,
    snoozed: 0,
    wait: NOTHING,
    run: NOTHING,
    due,
    running: null,
    held: null,
    oldestWaitingSeconds: null,
  });
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'];
  const { figures } = mergeFigures(
    answers({ figures: [step(late, 1, 2)] }, { figures: [step(early, 5, null), step(late, 2, 3)] }),
  );
  expect(figures).toMatchObject([
    { at: early, succeeded: 5, due: null, running: null, oldestWaitingSeconds: null },
    { at: late, succeeded: 3, due: 5, claimed: 2 },
  ]);
});

test('failures of one fingerprint are one group, step by step, also where a clock is a step behind', () => {
  const group = (dead: number, counts: number[], lastAt: string) => ({
    fingerprint: 'f',
    type: 't',
    code: 'c',
    errorType: null,
    pattern: 'p',
    message: `m${dead}`,
    dead,
    retrying: 1,
    counts,
    firstAt: lastAt,
    lastAt,
    isOlder: dead === 2,
    beganWith: { worker: `w${dead}` },
    places: [`place ${dead}`],
    newestJob: `s.${dead}`,
    versions: [dead],
    workers: [`w${dead}`],
    filter: 'error:c',
  });
  const merged = mergeFailures(
    answers(
      {
        since: '2026-01-01T00:00:00.000Z',
        until: '2026-01-01T03:00:00.000Z',
        stepSeconds: 3600,
        groups: [group(1, [1, 0, 0], '2026-01-01T00:10:00.000Z')],
        isComplete: true,
      },
      {
        since: '2026-01-01T01:00:00.000Z',
        until: '2026-01-01T04:00:00.000Z',
        stepSeconds: 3600,
        groups: [group(2, [1, 0, 1], '2026-01-01T03:10:00.000Z')],
        isComplete: false,
      },
    ),
  );
  expect(merged).toMatchObject({
    since: '2026-01-01T00:00:00.000Z',
    until: '2026-01-01T04:00:00.000Z',
    isComplete: false,
    groups: [{ dead: 3, retrying: 2, counts: [1, 1, 0, 1], message: 'm2', versions: [1, 2], workers: ['w1', 'w2'] }],
  });
  // it began in one, and its newest job is in the other
  expect(merged.groups[0]).toMatchObject({
    firstAt: '2026-01-01T00:10:00.000Z',
    beganWith: { worker: 'w1' },
    newestJob: 's.2',
    isOlder: true,
    places: ['place 1', 'place 2'],
  });
});

test('contracts of all shards have the versions of any', () => {
  const version = (number: number, firstSeenAt: string, workers: string[]) => ({
    version: number,
    firstSeenAt,
    payloadSchema: {},
    workers,
  });
  const { contracts } = mergeContracts(
    answers(
      { contracts: [{ type: 't', defaults: null, versions: [version(1, '2026-01-02', ['x'])] }] },
      {
        contracts: [
          {
            type: 't',
            defaults: { version: 2 },
            versions: [version(1, '2026-01-01', ['y']), version(2, '2026-01-03', [])],
          },
        ],
      },
    ),
  );
  expect(contracts).toMatchObject([
    {
      type: 't',
      defaults: { version: 2 },
      versions: [
        { version: 1, firstSeenAt: '2026-01-01', workers: ['x', 'y'] },
        { version: 2, workers: [] },
      ],
    },
  ]);
});

test('what would not parse is counted by version and place', () => {
  const parsed = (jobs: number) => ({
    looked: 10,
    isComplete: true,
    versions: [
      {
        version: 1,
        state: 'read',
        checked: 5,
        fits: 4,
        sealed: 0,
        faulty: 1,
        faults: [{ code: 'invalid_payload', path: '/x', jobs, jobId: `a.${jobs}` }],
      },
    ],
  });
  expect(mergeParses(answers(parsed(1), parsed(2)))).toMatchObject({
    looked: 20,
    versions: [{ checked: 10, faulty: 2, faults: [{ path: '/x', jobs: 3 }] }],
  });
});

describe('bulk actions', () => {
  const action = (
    id: string,
    status: 'running' | 'finished' | 'aborted',
    done: number,
    undoOf: string | null = null,
  ) => ({
    id,
    status,
    done,
    undoOf,
    total: { count: 5, isAtLeast: false },
    refused: { no_key: 1 },
    createdAt: `2026-01-0${done}`,
    finishedAt: status === 'running' ? null : `2026-02-0${done}`,
    undoUntil: status === 'running' ? null : `2026-03-0${done}`,
  });

  test('run while one of them runs', () => {
    expect(mergeAction(answers(action('a.1', 'running', 1), action('b.2', 'finished', 2)))).toMatchObject({
      id: 'a.1~b.2',
      status: 'running',
      done: 3,
      total: { count: 10, isAtLeast: false },
      refused: { no_key: 2 },
      finishedAt: null,
      undoUntil: null,
    });
  });

  test('have ended when the last has, and are undone until the first cannot be', () => {
    expect(mergeAction(answers(action('a.1', 'finished', 1), action('b.2', 'aborted', 2)))).toMatchObject({
      status: 'aborted',
      createdAt: '2026-01-01',
      finishedAt: '2026-02-02',
      undoUntil: '2026-03-01',
    });
  });

  test('undo an action of all their shards, or none', () => {
    const undo = (...of: (string | null)[]) =>
      mergeAction(answers(...of.map((undoOf, at) => action(`s.${at}`, 'finished', 1, undoOf)))).undoOf;
    expect(undo('a.7', 'b.8')).toBe('a.7~b.8');
    expect(undo('a.7', null)).toBeNull();
    expect(undo(null, null)).toBeNull();
  });

  test('have moments, as they are in a process or as they are sent', () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    const part = (day: number) => ({
      ...action(`a.${day}`, 'finished', 1),
      createdAt: at(day),
      finishedAt: at(day + 1),
      undoUntil: at(day + 2),
    });
    expect(mergeAction(answers(part(1), part(2)))).toMatchObject({
      createdAt: at(1),
      finishedAt: at(3),
      undoUntil: at(3),
    });
  });

  test('are previewed together; what one has not counted is not known', () => {
    const preview = (count: number | null) => ({
      statuses: ['dead'],
      count: { count: 3, isAtLeast: false },
      refused: [{ code: 'no_key', count, why: 'w' }],
      sample: Array.from({ length: 8 }, (_one, at) => ({ id: `a.${at}` })),
    });
    const merged = mergePreview(answers(preview(1), preview(null)));
    expect(merged).toMatchObject({ count: { count: 6 }, refused: [{ code: 'no_key', count: null }] });
    expect(merged.sample).toHaveLength(10);
  });
});

test('durable jobs of all shards are counted by their steps, and a step takes as long as where it is slowest', () => {
  const type = (name: string, jobs: number, since: string, p95Ms: number) => ({
    type: name,
    running: 1,
    waiting: jobs,
    isAtLeast: jobs > 5,
    places: [{ step: 'pay', kind: 'signal', signal: 'paid', jobs, isAtLeast: jobs > 5, since }],
    steps: [{ step: 'reserve', kind: 'work', p95Ms, medianMs: p95Ms / 2 }],
    compensations: { running: 1, failed: 2 },
  });
  const merged = mergeWorkflows(
    answers(
      { types: [type('trip', 1, '2026-01-02', 5), type('order', 2, '2026-01-02', 5)], isComplete: true },
      { types: [type('order', 7, '2026-01-01', 9)], isComplete: false },
    ),
  );
  expect(merged.isComplete).toBe(false);
  expect(merged.types.map((one) => one.type)).toEqual(['order', 'trip']);
  expect(merged.types[0]).toMatchObject({
    running: 2,
    waiting: 9,
    isAtLeast: true,
    places: [{ step: 'pay', jobs: 9, isAtLeast: true, since: '2026-01-01' }],
    steps: [{ step: 'reserve', p95Ms: 9, medianMs: 4.5 }],
    compensations: { running: 2, failed: 4 },
  });
});
