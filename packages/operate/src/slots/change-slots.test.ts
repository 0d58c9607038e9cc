import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { createPostgresStore } from '@duework/queue-core';
import { ANA, useOperated } from '../testing/use-operated.js';
import { readWorkers } from '../workers/read-workers.js';
import { changeSlots, previewSlots } from './change-slots.js';

const operated = useOperated();
const announce = (worker: string, queues: readonly string[], declaredSlots: number) =>
  createPostgresStore({ db: operated.db() }).announceContracts({
    worker,
    queues,
    contracts: new Map(),
    load: { slots: declaredSlots, declaredSlots, running: 0, buffered: 0, loopDelayMs: 0, shutBy: null },
  });

beforeEach(async () => {
  await emptyTables(operated.db(), 'queue_slots, worker_contracts');
  for (const name of ['w1', 'w2']) await announce(name, ['default'], 10);
  await announce('w3', ['default', 'mail'], 5);
  await announce('w4', ['reports'], 5);
});

test('a preview says of each live worker of the queue what it would run, and changes nothing', async () => {
  await operated.db()
    .$executeRaw`UPDATE duework.worker_contracts SET seen_at = now() - interval '4 minutes' WHERE worker = 'w2'`;
  expect(await previewSlots(operated.db(), 'default', 20)).toMatchObject({
    queue: 'default',
    slots: 20,
    workers: [
      { name: 'w1', declared: 10, before: 10, after: 20 },
      { name: 'w3', declared: 5, before: 5, after: 20 },
    ],
    before: 15,
    after: 40,
    maxConnections: expect.any(Number),
  });
  expect(await operated.db().queueSlots.count()).toBe(0);
  expect(await operated.entries()).toEqual([]);
});

test('a worker of two queues that were changed runs the least of both', async () => {
  await changeSlots(operated.db(), 'default', 20);
  expect((await changeSlots(operated.db(), 'mail', 8)).workers).toMatchObject([{ name: 'w3', before: 20, after: 8 }]);
  expect(await changeSlots(operated.db(), 'default', 4)).toMatchObject({ before: 48, after: 12 });
  expect((await changeSlots(operated.db(), 'default', null)).workers).toMatchObject([
    { name: 'w1', before: 4, after: 10 },
    { name: 'w2', before: 4, after: 10 },
    { name: 'w3', before: 4, after: 8 },
  ]);
});

test('the audit keeps who changed it and who took it back; what is so already leaves no entry', async () => {
  await changeSlots(operated.db(), 'default', 20, ANA);
  await changeSlots(operated.db(), 'default', 20, ANA);
  await changeSlots(operated.db(), 'default', 30, ANA);
  await changeSlots(operated.db(), 'default', null, ANA);
  await changeSlots(operated.db(), 'default', null, ANA);
  expect(await operated.entries()).toMatchObject(
    [
      { before: null, after: { slots: 20 } },
      { before: { slots: 20 }, after: { slots: 30 } },
      { before: { slots: 30 }, after: null },
    ].map((entry) => ({
      ...entry,
      verb: 'change_slots',
      kind: 'queue',
      target: 'default',
      by: ANA.by,
      reason: ANA.reason,
    })),
  );
});

test('the list of workers says what is declared, and who has changed what', async () => {
  await changeSlots(operated.db(), 'mail', 8, ANA);
  expect(await readWorkers(operated.db())).toMatchObject([
    { name: 'w1', slots: 10, declaredSlots: 10, changedSlots: [] },
    { name: 'w2' },
    {
      name: 'w3',
      declaredSlots: 5,
      changedSlots: [{ queue: 'mail', slots: 8, by: ANA.by, reason: ANA.reason, since: expect.any(Date) }],
    },
    { name: 'w4' },
  ]);
});

test.each([0, 1_001, 1.5, -1, Number.NaN])('%s slots are refused', async (slots) => {
  await expect(changeSlots(operated.db(), 'default', slots)).rejects.toMatchObject({
    code: 'invalid_option',
    facts: { option: 'slots' },
  });
  expect(await operated.db().queueSlots.count()).toBe(0);
});

test('a queue without a name is refused', async () => {
  await expect(previewSlots(operated.db(), '', 1)).rejects.toMatchObject({ code: 'invalid_option' });
});
