import { expect, test } from '@jest/globals';
import prom from 'prom-client';
import { measureQueue, type QueueMeasureOptions } from './measure-queue.js';

const depth = {
  queue: 'default',
  type: 'echo',
  due: 10_000,
  scheduled: 0,
  retrying: 0,
  running: 3,
  held: 4,
  oldestWaitingSeconds: 7,
  isAtLeast: true,
};

async function scrape(probes: Partial<QueueMeasureOptions>): Promise<string> {
  const registry = new prom.Registry();
  const answer = <T>(value: T) => Promise.resolve({ isUp: true, value } as const);
  await measureQueue({
    prom,
    registry,
    contracts: [{ type: 'idle', queue: 'other' }],
    pingDatabase: () => answer(undefined),
    readDepth: () => answer([depth]),
    readUnserved: () => answer([{ ...depth, version: 3, waiting: 2 }]),
    readHorizonAge: () => answer(0),
    ...probes,
  })();
  return registry.metrics();
}

test('duework_database_up never says 0 because counting took long', async () => {
  const text = await scrape({ readDepth: () => Promise.resolve({ isUp: false }) });
  expect(text).toContain('duework_database_up 1');
  expect(text).not.toContain('duework_queue_jobs{');
});

test('duework_database_up says 0 when the ping fails, whatever else was answered', async () => {
  expect(await scrape({ pingDatabase: () => Promise.resolve({ isUp: false }) })).toContain('duework_database_up 0');
});

test('a queue with more runs than are counted says that its figures are lower bounds', async () => {
  const text = await scrape({});
  expect(text).toContain('duework_queue_jobs{queue="default",type="echo",state="due"} 10000');
  expect(text).toContain('duework_queue_jobs{queue="default",type="echo",state="held"} 4');
  expect(text).toContain('duework_queue_jobs_at_least{queue="default"} 1');
  expect(text).toContain('duework_queue_jobs_at_least{queue="other"} 0');
});

test('what no worker can read is counted by queue, type and version', async () => {
  expect(await scrape({})).toContain('duework_queue_unserved_jobs{queue="default",type="echo",version="3"} 2');
});
