import { expect, test } from '@jest/globals';
import { createMemoryQueue } from '../store/create-memory-queue.js';
import { createFakeClock } from '../testing/create-fake-clock.js';
import { echo } from '../testing/internal/test-contracts.js';
import { reportFailures } from './report-failures.js';
import { Settler, type SettleAnswer } from './settle.js';

test('two attempts of one run that end together get an answer each: the stale one is lost', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const settler = new Settler(queue.store, clock, reportFailures('w', clock, () => {}));
  const { id } = await queue.enqueue(echo, { n: 1 });
  const claim = () => queue.store.claim({ queue: 'default', leaseMsByType: new Map([['echo', 1_000]]), worker: 'w', limit: 1 });
  await claim();
  await clock.advance(1_001);
  await queue.store.rescue(1);
  await claim();
  const answers: [number, SettleAnswer][] = [];
  const complete = (fence: number): void => settler.settle({ settlement: { kind: 'complete', id, fence, result: null }, lease: { grantedMs: 0, leaseMs: Infinity }, answer: (answer) => answers.push([fence, answer]) });
  complete(1);
  complete(2);
  await clock.advance(0);
  expect(answers).toEqual([[1, 'lost'], [2, 'succeeded']]);
});
