import { expect, test } from '@jest/globals';
import { systemClock } from '@duework/queue-core';
import { runOnce } from './run-once.js';

test.each([
  ['tick', ['tick']],
  ['work', ['tick', 'work']],
])('a wake-up that is told to stop during %s asks the database nothing more', async (last, expected) => {
  const stopping = new AbortController();
  const asked: string[] = [];
  const ask = (what: string): void => {
    asked.push(what);
    if (what === last) stopping.abort();
  };
  const result = await runOnce({
    tick: async () => (ask('tick'), { nextTickInMs: 0 }),
    hasWork: async () => (ask('work'), true),
    maxRuntimeMs: 60_000,
    signal: stopping.signal,
    clock: systemClock,
  });
  expect([result, asked]).toEqual(['stopped', expected]);
});
