import { expect, test } from '@jest/globals';
import type { Pause, QueueState } from '../../api/now-queries.js';
import { groupQueues } from './group-queues.js';

const state = (queue: string, type: string, more: Partial<QueueState> = {}): QueueState =>
  ({
    queue,
    type,
    due: 2,
    running: 1,
    scheduled: 0,
    retrying: 0,
    succeeded: 0,
    failed: 0,
    dead: 0,
    oldestWaitingSeconds: 3,
    isAtLeast: false,
    pauses: [],
    ...more,
  }) as unknown as QueueState;
const pauseOf = (kind: Pause['kind'], name: string): Pause => ({ kind, name }) as Pause;

test('a queue has the sums of its types, and the age of what has waited longest', () => {
  const [mail, reports] = groupQueues([
    state('reports', 'a'),
    state('mail', 'b', { oldestWaitingSeconds: 90, isAtLeast: true }),
    state('mail', 'c', { due: 40 }),
  ]);
  expect([mail!.name, reports!.name]).toEqual(['mail', 'reports']);
  expect(mail!.sum).toMatchObject({ due: 42, running: 2, oldestWaitingSeconds: 90, isAtLeast: true });
});

test('a queue is paused by its own pause, and not by that of one of its types', () => {
  const [held, mail] = groupQueues([
    state('mail', 'b', { pauses: [pauseOf('type', 'b')] }),
    state('held', '', { pauses: [pauseOf('queue', 'held')] }),
  ]);
  expect(held).toMatchObject({ name: 'held', pause: { name: 'held' }, types: [] });
  expect(mail!.pause).toBeNull();
});
