import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { bury, complete, enqueue, getJob, type Worker } from '@duework/queue-core';
import { createMemoryQueue, drain, startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineWorkflow } from './define-workflow.js';
import { workflowHandler } from './workflow-handler.js';

const database = useTestDatabase();
const orderId = z.int();
const options = { retry: fixed('1ms'), maxAttempts: 2 } as const;
const reserve = defineJob({
  ...options,
  type: 'reserve',
  payload: z.object({ orderId }),
  result: z.object({ seats: z.array(z.int()) }),
});
const free = defineJob({ ...options, type: 'free', payload: z.object({ seats: z.array(z.int()) }) });
const invoice = defineJob({
  ...options,
  type: 'invoice',
  payload: z.object({ orderId, seats: z.int() }),
  result: z.object({ pdf: z.string() }),
});
const mail = defineJob({
  ...options,
  type: 'mail',
  payload: z.object({ to: z.string(), pdf: z.string() }),
  result: z.object({ mailId: z.string() }),
});
const order = defineWorkflow({
  type: 'order',
  payload: z.object({ orderId, to: z.array(z.string()) }),
  result: z.object({ mails: z.array(z.string()), isThanked: z.boolean() }),
  jobs: (graph) =>
    graph
      .run('reserve', reserve, { payload: ({ input }) => ({ orderId: input.orderId }) })
      .undo('reserve', free, ({ seats }) => ({ seats }))
      .run('invoice', invoice, {
        after: ['reserve'],
        payload: ({ input, reserve: { seats } }) => ({ orderId: input.orderId, seats: seats.length }),
      })
      .run('thanks', mail, {
        after: ['reserve', 'invoice'],
        when: ({ reserve: { seats } }) => seats.length > 2,
        payload: ({ invoice: { pdf } }) => ({ to: 'thanks', pdf }),
      })
      .each('mails', mail, {
        after: ['invoice'],
        each: ({ input }) => input.to,
        payload: (to, { invoice: { pdf } }) => ({ to, pdf }),
      }),
  returns: ({ mails, thanks }) => ({ mails: mails.map(({ mailId }) => mailId), isThanked: thanks !== null }),
});
const catalog = defineCatalog([order, reserve, free, invoice, mail]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Handlers that write down what they did; the job of that type is given up. */
function makeHandlers(did: string[], { seats = [1, 2], isBroken = (_: string): boolean => false } = {}) {
  const note = (text: string): boolean => isBroken(did[did.push(text) - 1]!.split(' ')[0]!);
  return {
    order: workflowHandler(order),
    reserve: () => (note('reserve') ? bury('sold_out', 'No seat is left.') : complete({ seats: [...seats] })),
    free: ({ payload }: { payload: { seats: number[] } }) =>
      note(`free ${payload.seats.join()}`) ? bury('locked', 'They are locked.') : complete(),
    invoice: ({ payload }: { payload: { seats: number } }) =>
      note(`invoice ${payload.seats}`) ? bury('no_tax_id', 'There is no tax id.') : complete({ pdf: 'a.pdf' }),
    mail: ({ payload }: { payload: { to: string; pdf: string } }) =>
      note(`mail ${payload.to} ${payload.pdf}`) ? bury('no_mailbox', 'Gone.') : complete({ mailId: `m-${payload.to}` }),
  };
}

async function run(did: string[], how: Parameters<typeof makeHandlers>[1] = {}) {
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: makeHandlers(did, how) });
  workers.push(worker);
  const { id } = await enqueue(database.db, order, { orderId: 7, to: ['ana', 'bo'] });
  await untilJob(database.db, id);
  return (await getJob(database.db, id)).job;
}

describe('a workflow', () => {
  test('runs each job when those before it have succeeded, with a payload made of their results', async () => {
    const did: string[] = [];
    const job = await run(did);
    expect(job).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      result: { mails: ['m-ana', 'm-bo'], isThanked: false },
    });
    expect(did.slice(0, 2)).toEqual(['reserve', 'invoice 2']);
    expect(did.slice(2).sort()).toEqual(['mail ana a.pdf', 'mail bo a.pdf']);
  });

  test('keeps its graph as a step, for people to see', async () => {
    await run([]);
    const rows = await database.db.$queryRaw`SELECT result, asked_seq FROM duework.job_steps WHERE name = '$graph'
      ORDER BY run_id DESC LIMIT 1`;
    expect(rows).toEqual([
      {
        asked_seq: 1,
        result: [
          { name: 'reserve', after: [] },
          { name: 'invoice', after: ['reserve'] },
          { name: 'thanks', after: ['reserve', 'invoice'] },
          { name: 'mails', after: ['invoice'], each: true },
        ],
      },
    ]);
  });

  test('skips what has no reason to run, and runs what has', async () => {
    const did: string[] = [];
    expect(await run(did, { seats: [1, 2, 3] })).toMatchObject({ result: { isThanked: true } });
    expect(did).toContain('mail thanks a.pdf');
  });

  test('is dead when a job is, begins nothing more, and undoes what has succeeded', async () => {
    const did: string[] = [];
    const job = await run(did, { isBroken: (type) => type === 'invoice' });
    expect(job).toMatchObject({ status: 'dead', errorCode: 'workflow_failed' });
    expect(job.lastError).toContain('Its job "invoice" failed with no_tax_id');
    expect(did).toEqual(['reserve', 'invoice 2', 'free 1,2']);
  });

  test('goes on undoing where that fails, and says what is not undone', async () => {
    const did: string[] = [];
    const job = await run(did, { isBroken: (type) => type === 'invoice' || type === 'free' });
    expect(job).toMatchObject({ status: 'dead', errorCode: 'workflow_failed' });
    expect(job.lastError).toMatch(/failed with no_tax_id: .* Not undone: reserve\.$/);
    expect(did).toEqual(['reserve', 'invoice 2', 'free 1,2']);
  });

  test('does each job once, also when its worker stops in the middle', async () => {
    const did: string[] = [];
    const first = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: makeHandlers(did) });
    const { id } = await enqueue(database.db, order, { orderId: 8, to: ['ana'] });
    await first.events.waitFor('job.snoozed');
    await first.worker.stop({ deadlineMs: 0 });
    const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: makeHandlers(did) });
    workers.push(worker);
    await untilJob(database.db, id);
    expect(did).toEqual(['reserve', 'invoice 2', 'mail ana a.pdf']);
  });

  test('runs in memory, too', async () => {
    const queue = createMemoryQueue();
    const did: string[] = [];
    const { worker, events } = await startTestWorker<typeof catalog>(queue, { catalog, handlers: makeHandlers(did) });
    workers.push(worker);
    const { id } = await queue.enqueue(order, { orderId: 9, to: ['ana'] });
    await drain(queue, { events });
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'succeeded' });
    expect(did).toEqual(['reserve', 'invoice 2', 'mail ana a.pdf']);
  });
});

test('a job that may fail leaves the others alone where it says so', async () => {
  const flow = defineWorkflow({
    type: 'lenient',
    payload: z.object({ orderId }),
    jobs: (graph) =>
      graph
        .run('thanks', mail, { onFailure: 'skip', payload: () => ({ to: 'ana', pdf: '' }) })
        .run('reserve', reserve, { after: ['thanks'], payload: ({ input }) => ({ orderId: input.orderId }) }),
    returns: ({ thanks, reserve: { seats } }) => ({ thanks, seats }),
  });
  const lenient = defineCatalog([flow, reserve, mail]);
  const { order: _, free: __, invoice: ___, ...handlers } = makeHandlers([], { isBroken: (type) => type === 'mail' });
  const { worker } = await startTestWorker<typeof lenient>(database.db, {
    catalog: lenient,
    handlers: { ...handlers, lenient: workflowHandler(flow) },
  });
  workers.push(worker);
  const { id } = await enqueue(database.db, flow, { orderId: 1 });
  await untilJob(database.db, id);
  expect((await getJob(database.db, id)).job).toMatchObject({ result: { thanks: null, seats: [1, 2] } });
});

describe('a graph is refused', () => {
  const define = (jobs: (graph: never) => unknown) => () =>
    defineWorkflow({ type: 'wrong', payload: z.object({}), jobs: jobs as never });
  const payload = () => ({ orderId: 1 });
  interface Untyped {
    run(name: string, contract: unknown, options: unknown): Untyped;
    undo(name: string, contract: unknown, payload: unknown): Untyped;
  }
  test.each<[string, string, (graph: Untyped) => unknown]>([
    ['no job', 'has no job', (graph) => graph],
    [
      'a job after itself',
      'which must be added before it',
      (graph) => graph.run('a', reserve, { after: ['a'], payload }),
    ],
    [
      'a job after one that comes later',
      'which must be added before it',
      (graph) => graph.run('a', reserve, { after: ['b'], payload }).run('b', reserve, { payload }),
    ],
    [
      'two jobs of one name',
      'a name is used once',
      (graph) => graph.run('a', reserve, { payload }).run('a', reserve, { payload }),
    ],
    ['a job named input', 'is not "input"', (graph) => graph.run('input', reserve, { payload })],
    ['nothing to undo', 'but has no such job', (graph) => graph.undo('a', free, payload)],
  ])('with %s', (_, why, jobs) => {
    expect(define(jobs as never)).toThrow(
      expect.objectContaining({ code: 'invalid_workflow', message: expect.stringContaining(why) }),
    );
  });
});
