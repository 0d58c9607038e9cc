import { readFileSync } from 'node:fs';
import * as contracts from '@duework/contracts';
import * as queueCore from '@duework/queue-core';
import { expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import * as testing from '../index.js';
import { isInMemory } from '../to-queue.js';
import * as kit from './index.js';

const payload = z.object({ n: z.int() });
const first = contracts.defineJob({ type: 'first', payload, retry: contracts.fixed('1h') });
const second = contracts.defineJob({ type: 'second', payload });
const catalog = contracts.defineCatalog([first, second]);

/** What the entries of `duework` export, as the lines of a page import them. */
const ENTRIES: Readonly<Record<string, object>> = {
  duework: { ...queueCore, ...contracts },
  'duework/testing': { ...testing, ...kit },
  zod: { z },
};

test('the lines of docs/how-to/testing.md enqueue in memory, drain and look', async () => {
  const page = readFileSync(new URL('../../../../docs/how-to/testing.md', import.meta.url), 'utf8');
  const lines = /<!-- runs: .*drain-in-memory.*\n\n```ts\n([^`]*(?:`[^`]+`[^`]*)*?)```/.exec(page)![1]!;
  const program = lines.replace(/^import (.+) from '(.+)';$/gm, "const $1 = entries['$2'];");
  const log = jest.fn();
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: string[]
  ) => (...args: object[]) => Promise<void>;
  await new AsyncFunction('entries', 'console', program)(ENTRIES, { log });
  expect(log.mock.calls).toEqual([[1, 'Hello, Ada!']]);
});

test('a drain in memory runs what handlers enqueue, retries and what is due later, and leaves other types alone', async () => {
  const clock = testing.createFakeClock();
  const queue = testing.createMemoryQueue({ clock });
  const foreign = contracts.defineJob({ type: 'foreign', payload });
  const handlers: queueCore.Handlers<typeof catalog> = {
    first: async ({ attempt }) => {
      if (attempt === 1) throw new Error('not yet');
      await queue.enqueue(second, { n: 2 });
    },
    second: () => {},
  };
  await queue.enqueue(first, { n: 1 });
  await queue.enqueue(second, { n: 1 }, { delay: '1h' });
  await queue.enqueue(foreign, { n: 1 });
  expect(await kit.drain(queue, { catalog, handlers, clock })).toMatchObject({ failed: 1, succeeded: 0 });
  expect(await kit.drain(queue, { catalog, handlers, clock, untilEmpty: true })).toMatchObject({ succeeded: 3 });
  await kit.assertEnqueued(queue, second, { count: 2 });
  expect((await queue.findJobs({ status: 'queued' })).jobs).toMatchObject([{ type: 'foreign' }]);
});

test('without a fake clock a drain in memory runs at once what is due later', async () => {
  const queue = testing.createMemoryQueue();
  await queue.enqueue(second, { n: 1 }, { delay: '7d' });
  const handlers: queueCore.Handlers<typeof catalog> = { first: () => {}, second: () => {} };
  expect(await kit.drain(queue, { catalog, handlers, untilEmpty: true })).toMatchObject({ succeeded: 1 });
});

test('a client that has a model `store` is a database', () => {
  expect(isInMemory({ $queryRaw: () => Promise.resolve([]), store: {} } as never)).toBe(false);
});
