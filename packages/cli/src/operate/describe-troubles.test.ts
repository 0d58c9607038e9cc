import type { LiveWorker, QueueState } from '@duework/operate';
import { expect, test } from '@jest/globals';
import type { OfShard } from '../operations/of-shard.js';
import { PLAIN } from '../output/look.js';
import { describeFailing, describeSaturated } from './describe-troubles.js';

const state = (more: Partial<OfShard<QueueState>>) =>
  ({
    queue: 'default',
    type: 'mail',
    due: 0,
    isAtLeast: false,
    oldestWaitingSeconds: 0,
    succeeded: 0,
    failed: 0,
    dead: 0,
    perSecond: null,
    arrivalsPerSecond: null,
    slotsNeeded: null,
    lastFailedAt: null,
    succeededSince: 0,
    pauses: [],
    ...more,
  }) as unknown as OfShard<QueueState>;
const worker = (more: Partial<OfShard<LiveWorker>>) =>
  ({ queues: ['default'], state: 'claims', slots: 10, held: 10, ...more }) as OfShard<LiveWorker>;

test('a type that fails is told with where to look, and one that fails no more with how many succeeded since', () => {
  const failing = { succeeded: 7, failed: 300, dead: 33, lastFailedAt: new Date('2026-01-31T14:02:00Z') };
  expect(describeFailing(state(failing), PLAIN)).toEqual([
    '333 of 340 attempts of mail failed within five minutes: npx duework failures --type mail',
  ]);
  expect(describeFailing(state({ ...failing, shard: 'eu', succeeded: 87, succeededSince: 87 }), PLAIN)).toEqual([
    '333 of 420 attempts of mail of shard eu failed within five minutes, none since 2026-01-31T14:02:00Z: 87 succeeded since.',
  ]);
  expect(describeFailing(state({ succeeded: 90, failed: 10 }), PLAIN)).toEqual([]);
});

test('that all slots of a queue are taken is told with who waits and how long that takes', () => {
  const waiting = [
    state({ due: 3_000, oldestWaitingSeconds: 26, perSecond: 20 }),
    state({ type: 'other', due: 430, oldestWaitingSeconds: 12, perSecond: 6 }),
  ];
  expect(describeSaturated(waiting, [worker({})])).toEqual([
    'All slots of the queue default (10) are taken, and 3,430 jobs wait, the oldest for 26 s: about 2 min at 26 a second. More workers or slots help.',
  ]);
  const coming = waiting.map((one, at) => ({
    ...one,
    arrivalsPerSecond: at === 0 ? 30 : 6,
    slotsNeeded: at === 0 ? 11.4 : 2.1,
  }));
  expect(describeSaturated(coming, [worker({})])).toEqual([
    expect.stringMatching(/ at 26 a second\. What comes \(36 a second\) needs about 14 slots\.$/),
  ]);
  expect(describeSaturated(coming, [worker({ slots: 20, held: 20 })])).toEqual([
    expect.stringMatching(/ needs about 14 slots, so the backlog drains\.$/),
  ]);
  expect(describeSaturated(waiting, [worker({}), worker({ held: 9 })])).toEqual([]);
  expect(describeSaturated(waiting, [worker({ queues: ['other'] })])).toEqual([]);
  expect(describeSaturated([state({ due: 3, oldestWaitingSeconds: 5 })], [worker({})])).toEqual([]);
});
