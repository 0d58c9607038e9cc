import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { bury, complete, enqueue, getJob, signal, type Handlers, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { readSteps } from './read-steps.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const paid = defineSignal({ name: 'paid', by: ['n'], payload });
const bill = defineJob({ type: 'bill', payload, result: z.object({ iban: z.string() }), maxAttempts: 1 });
const order = defineJob({ type: 'order', payload, durable: true });
const catalog = defineCatalog([bill, order]);
const IBAN = 'DE89370400440532013000';

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});
async function start(handle: Handlers<typeof catalog>['order']) {
  const handlers: Handlers<typeof catalog> = {
    order: handle,
    bill: ({ payload: { n } }) => (n === 0 ? bury('no_tax_id', 'There is none.') : complete({ iban: IBAN })),
  };
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers });
  workers.push(worker);
  return events;
}

test('what a run waits for is told in sentences, and who its parent is', async () => {
  const events = await start(async ({ payload: { n }, step, sleep, waitFor, waitForJob: wait, child }) => {
    await step('count', () => 3);
    const { id } = await enqueue(database.db, bill, { n: 7 }, { delay: '1h', idempotencyKey: 'bill' });
    await Promise.all([
      waitFor(paid, { where: { n } }),
      waitFor(paid, { where: { n: 8 }, timeout: '1h', name: 'eight' }),
      sleep(new Date('2099-01-01T00:00:00Z')),
      child(bill, { n }, { delay: '1h' }),
      wait(id, { timeout: '2h', name: 'the other' }),
    ]);
  });
  const { id } = await enqueue(database.db, order, { n: 7 });
  await events.waitFor('job.snoozed');
  const { steps, ...page } = await readSteps(database.db, id);
  const [child, other] = steps.slice(-2).map(({ of }) => of!);
  expect(page).toEqual({ nextCursor: null, parent: null, graph: [] });
  expect(steps.map(({ name, status, kind, key, sentence }) => [name, status, kind, key, sentence])).toEqual([
    ['count', 'done', 'work', null, 'done'],
    ['wait for paid', 'waiting', 'signal', '7', 'waits for the signal paid, key 7'],
    ['eight', 'waiting', 'signal', '8', expect.stringMatching(/^waits for the signal paid, key 8, until 20\S+Z$/)],
    ['sleep', 'waiting', 'time', null, 'sleeps until 2099-01-01T00:00:00.000Z'],
    ['bill', 'waiting', 'child', null, `waits for job ${child}`],
    ['the other', 'waiting', 'job', null, expect.stringMatching(new RegExp(`^waits for job ${other}, until 20\\S+Z$`))],
  ]);
  expect(steps[0]).toMatchObject({ result: 3, isLong: false, doneAt: expect.any(Date), fence: 1 });
  expect(steps[2]).toMatchObject({ doneAt: null, until: expect.any(Date) });
  expect((await readSteps(database.db, child!)).parent).toBe(id);
  expect((await readSteps(database.db, other!)).parent).toBeNull();
  const hidden = await readSteps(database.db, id, { areValuesShown: false });
  expect(hidden.steps[1]).toMatchObject({ key: null, sentence: 'waits for the signal paid' });
});

test('what has ended is told with its result, that of a job with how it has ended alone, also of a finished run', async () => {
  await start(async ({ step, sleep, waitFor, child, waitForJob: wait }) => {
    await signal(database.db, paid, { n: 7 });
    await waitFor(paid, { where: { n: 7 } });
    await waitFor(paid, { where: { n: 9 }, timeout: '1ms', name: 'nine' });
    await sleep('1ms');
    await child(bill, { n: 1 });
    await child(bill, { n: 0 }, { name: 'refused' }).catch(() => undefined);
    await step('broken', () => Promise.reject(new Error('no'))).catch(() => undefined);
    await step('long', () => 'x'.repeat(20_000));
    const { id } = await enqueue(database.db, bill, { n: 2 }, { delay: '1h' });
    await wait(id, { timeout: '1ms', name: 'late' });
    return complete();
  });
  const { id } = await enqueue(database.db, order, { n: 7 });
  await untilJob(database.db, id);
  expect((await getJob(database.db, id)).job.status).toBe('succeeded');
  const { steps } = await readSteps(database.db, id);
  const told = Object.fromEntries(steps.map((one) => [one.name, one]));
  expect(told['wait for paid']).toMatchObject({
    status: 'done',
    result: { n: 7 },
    sentence: 'the signal paid, key 7, has come',
  });
  expect(told['nine']).toMatchObject({
    status: 'done',
    sentence: expect.stringContaining('key 9, did not come until 20'),
  });
  expect(told['sleep 1ms']).toMatchObject({ kind: 'time', sentence: expect.stringMatching(/^slept until 20/) });
  expect(told['bill']).toMatchObject({ status: 'done', end: 'succeeded', result: null, error: null });
  expect(told['bill']!.sentence).toBe(`job ${told['bill']!.of} has succeeded`);
  expect(told['refused']).toMatchObject({
    status: 'failed',
    end: 'dead',
    error: { code: 'no_tax_id', message: 'There is none.' },
  });
  expect(told['refused']!.sentence).toMatch(/^job \d+ is dead: no_tax_id: There is none\.$/);
  expect(told['broken']).toMatchObject({ status: 'failed', kind: 'work', error: { message: 'no' } });
  expect(told['long']).toMatchObject({ status: 'done', result: null, isLong: true });
  expect(told['late']!.sentence).toMatch(/^job \d+ has not ended until 20/);
  expect(JSON.stringify(steps)).not.toContain(IBAN);
  expect((await readSteps(database.db, told['bill']!.of!)).parent).toBe(id);
});

test('they come in pages, also where two were asked for as the same one', async () => {
  const { id } = await enqueue(database.db, order, { n: 1 });
  for (const [name, seq] of [
    ['a', 1],
    ['b', 2],
    ['c', 2],
    ['d', 2],
    ['e', 3],
  ] as const)
    await database.db.$executeRaw`INSERT INTO duework.job_steps (run_id, name, asked_seq, done_seq, fence)
      VALUES (${id}::text::bigint, ${name}, ${seq}::integer, ${seq}::integer, 1)`;
  for (const limit of [1, 2, 3, 5]) {
    const names: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await readSteps(database.db, id, { limit, cursor: cursor ?? undefined });
      names.push(...page.steps.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  }
  await expect(readSteps(database.db, id, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' });
});

test('the graph of a workflow tells of each job what has become of its children, of a list how many', async () => {
  const { id } = await enqueue(database.db, order, { n: 1 });
  const graph = [
    { name: 'reserve', after: [] },
    { name: 'mails', after: ['reserve'], each: true },
    { name: 'thanks', after: ['reserve', 'mails'] },
  ];
  const row = (name: string, status: string, awaited: string | null, result: unknown) =>
    database.db
      .$executeRaw`INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, result)
      VALUES (${id}::text::bigint, ${name}, ${status}, 1, CASE WHEN ${status} = 'done' THEN 1 END, 1,
        CASE WHEN ${awaited}::text IS NOT NULL THEN 'child' END, ${awaited}, ${JSON.stringify(result)}::text::jsonb)`;
  await row('$graph', 'done', null, graph);
  await row('reserve', 'done', '11', { status: 'succeeded' });
  await row('mails 1', 'done', '12', { status: 'succeeded' });
  await row('mails 2', 'arrived', '13', { status: 'dead' });
  await row('mails 10', 'waiting', '14', null);
  await row('undo reserve', 'done', '15', { status: 'succeeded' });
  const page = await readSteps(database.db, id);
  const none = { isEach: false, total: 0, succeeded: 0, failed: 0, isUndone: false, jobId: null };
  expect(page.graph).toEqual([
    { ...none, ...graph[0], total: 1, succeeded: 1, isUndone: true, jobId: '11' },
    { ...none, name: 'mails', after: ['reserve'], isEach: true, total: 3, succeeded: 1, failed: 1 },
    { ...none, ...graph[2] },
  ]);
  expect(page.steps.map(({ name }) => name)).not.toContain('$graph');
});
