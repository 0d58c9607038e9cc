import { context, propagation } from '@opentelemetry/api';
import { type DurableContext, enqueue, enqueueMany, getJob, jobRequest, openQueue } from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { CLIENT, CONSUMER, PRODUCER, type ReceivedSpan } from './testing/start-collector.js';
import { brief, order, receipt, useTracedWorkers } from './testing/use-traced-workers.js';
import { useTelemetry } from './testing/use-telemetry.js';
import { traceEnqueues } from './trace-enqueues.js';

const telemetry = useTelemetry();
const { database, start } = useTracedWorkers();
const metaOf = async (id: string) => (await getJob(database.db, id)).job.meta;
const linkTo = ({ traceId, spanId }: ReceivedSpan) => expect.objectContaining({ traceId, spanId });
const named = async (name: string): Promise<ReceivedSpan[]> =>
  (await telemetry.spans()).filter((span) => span.name === name);
/** Runs `act` within a span of the program's own. */
const within = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  telemetry.tracer.startActiveSpan(name, (span) => act().finally(() => span.end()));

const ENQUEUE = {
  'messaging.system': 'duework',
  'messaging.operation.name': 'enqueue',
  'messaging.operation.type': 'send',
};

describe('a job', () => {
  test('has a span for its enqueue and one for its attempt, which a collector gets as the conventions name them, linked', async () => {
    const { events } = await start();
    const { id } = await within('checkout', () => enqueue(database.db, receipt, { orderId: 812 }));
    await events.waitFor('job.succeeded');
    const [checkout] = await named('checkout');
    const [sent] = await named('enqueue send_receipt');
    const [processed] = await named('process send_receipt');
    expect(sent).toMatchObject({ kind: PRODUCER, traceId: checkout!.traceId, parentSpanId: checkout!.spanId });
    expect(sent!.attributes).toEqual({
      ...ENQUEUE,
      'messaging.destination.name': 'mail',
      'messaging.message.id': id,
      'messaging.duework.job.type': 'send_receipt',
      'messaging.duework.job.version': 2,
    });
    expect(processed).toMatchObject({ kind: CONSUMER, links: [linkTo(sent!)], status: {} });
    expect(processed!.traceId).not.toBe(sent!.traceId);
    expect(processed!.parentSpanId).toBeUndefined();
    expect(processed!.attributes).toEqual({
      'messaging.system': 'duework',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'mail',
      'messaging.message.id': id,
      'messaging.duework.job.type': 'send_receipt',
      'messaging.duework.job.version': 2,
      'messaging.duework.job.attempt': 1,
      'messaging.duework.job.waited_ms': expect.any(Number),
      'messaging.duework.job.outcome': 'complete',
    });
    expect(await metaOf(id)).toEqual({ traceparent: `00-${sent!.traceId}-${sent!.spanId}-01` });
  });

  test('that is enqueued by a handler is a part of its attempt, as what else the handler does', async () => {
    const { events } = await start({
      handlers: {
        send_receipt: async () => {
          await within('smtp', async () => {});
          await enqueue(database.db, brief, {});
        },
      },
    });
    await enqueue(database.db, receipt, { orderId: 1 });
    await events.waitFor('job.succeeded', 2);
    const [processed] = await named('process send_receipt');
    const parts = [...(await named('smtp')), ...(await named('enqueue brief'))];
    expect(parts).toMatchObject([1, 2].map(() => ({ parentSpanId: processed!.spanId })));
  });

  test('that is the child of a durable one is a part of the attempt that began it, and each attempt is linked to its enqueue', async () => {
    const { events } = await start({
      handlers: { order: (async ({ child }: DurableContext) => void (await child(brief, {}))) as never },
    });
    const { id } = await enqueue(database.db, order, {});
    await events.waitFor('job.succeeded', 2);
    const [sent] = await named('enqueue order');
    const attempts = await named('process order');
    expect(attempts).toMatchObject([1, 2].map(() => ({ links: [linkTo(sent!)] })));
    const [asked] = await named('enqueue brief');
    expect(asked).toMatchObject({ parentSpanId: attempts[0]!.spanId });
    expect(await named('process brief')).toMatchObject([{ links: [linkTo(asked!)] }]);
    expect(await metaOf(id)).toEqual({ traceparent: `00-${sent!.traceId}-${sent!.spanId}-01` });
  });

  test('runs in the trace that enqueued it, where that is asked for', async () => {
    const { events } = await start({ options: { parent: 'child' } });
    await enqueue(database.db, receipt, { orderId: 1 });
    await events.waitFor('job.succeeded');
    const [sent] = await named('enqueue send_receipt');
    expect(await named('process send_receipt')).toMatchObject([
      { traceId: sent!.traceId, parentSpanId: sent!.spanId, links: [linkTo(sent!)] },
    ]);
  });

  test('brings the baggage of its enqueue to its handler, and nothing of what else is active there', async () => {
    const seen: unknown[] = [];
    const { events } = await within('the start of the program', () =>
      start({
        handlers: {
          send_receipt: () => void seen.push(propagation.getActiveBaggage()?.getEntry('shop')?.value),
        },
      }),
    );
    const baggage = propagation.createBaggage({ shop: { value: 'Köln' } });
    await context.with(propagation.setBaggage(context.active(), baggage), () =>
      enqueue(database.db, receipt, { orderId: 1 }),
    );
    await enqueue(database.db, receipt, { orderId: 2 });
    await events.waitFor('job.succeeded', 2);
    expect(seen.toSorted()).toEqual(['Köln', undefined]);
    for (const { parentSpanId } of await named('process send_receipt')) expect(parentSpanId).toBeUndefined();
  });

  test('keeps no baggage where that is turned off', async () => {
    traceEnqueues({ baggage: false });
    const baggage = propagation.createBaggage({ customer: { value: 'ada' } });
    const { id } = await context.with(propagation.setBaggage(context.active(), baggage), () =>
      enqueue(database.db, receipt, { orderId: 1 }),
    );
    expect(await metaOf(id)).toEqual({ traceparent: expect.any(String) });
  });

  test('whose business event has one already is told by the span, which has its id', async () => {
    const first = await enqueue(database.db, receipt, { orderId: 1 });
    await enqueue(database.db, receipt, { orderId: 1 });
    const [sent, again] = await named('enqueue send_receipt');
    expect(again!.attributes).toMatchObject({
      'messaging.message.id': first.id,
      'messaging.duework.deduplicated_count': 1,
    });
    expect(await metaOf(first.id)).toEqual({ traceparent: `00-${sent!.traceId}-${sent!.spanId}-01` });
  });

  test('that is given a context by its caller keeps that one, and the span is linked to it', async () => {
    const { events } = await start();
    const own = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    const meta = { traceparent: `00-${own.traceId}-${own.spanId}-01`, note: 'mine' };
    const { id } = await enqueue(database.db, receipt, { orderId: 1 }, { meta });
    await events.waitFor('job.succeeded');
    expect(await metaOf(id)).toEqual(meta);
    expect(await named('enqueue send_receipt')).toMatchObject([{ kind: CLIENT, links: [own] }]);
    expect(await named('process send_receipt')).toMatchObject([{ links: [own] }]);
  });

  test('whose enqueue fails says so by a code alone, because a database quotes values', async () => {
    const failed = database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 / 0`.catch(() => {});
      await enqueue(tx, receipt, { orderId: 1 });
    });
    await expect(failed).rejects.toThrow('current transaction is aborted');
    const [sent] = await named('enqueue send_receipt');
    expect(sent).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '25P02' }, events: [] });
    expect(sent!.status).not.toHaveProperty('message');
  });
});

describe('jobs that are enqueued together', () => {
  const requests = (count: number) => Array.from({ length: count }, (_, orderId) => jobRequest(receipt, { orderId }));

  test('have a span each, which their attempts are linked to, and one for their statement, linked to all of them', async () => {
    const { events } = await start();
    const jobs = await within('checkout', () => enqueueMany(database.db, [...requests(2), jobRequest(brief, {})]));
    await events.waitFor('job.succeeded', 3);
    const [checkout] = await named('checkout');
    const creates = [...(await named('create send_receipt')), ...(await named('create brief'))];
    expect(creates).toMatchObject(
      jobs.map(({ id }) => ({
        kind: PRODUCER,
        parentSpanId: checkout!.spanId,
        attributes: { 'messaging.message.id': id, 'messaging.operation.type': 'create' },
      })),
    );
    const [sent] = await named('enqueue');
    expect(sent).toMatchObject({ kind: CLIENT, parentSpanId: checkout!.spanId, links: creates.map(linkTo) });
    expect(sent!.attributes).toEqual({ ...ENQUEUE, 'messaging.batch.message_count': 3 });
    const processed = [...(await named('process send_receipt')), ...(await named('process brief'))];
    for (const span of processed) {
      const created = creates.find(
        (each) => each.attributes['messaging.message.id'] === span.attributes['messaging.message.id'],
      );
      expect(span.links).toEqual([linkTo(created!)]);
    }
  });

  test('share one span where they are many', async () => {
    traceEnqueues({ createSpansUpTo: 2 });
    const jobs = await enqueueMany(database.db, requests(3));
    const spans = await telemetry.spans();
    expect(spans).toMatchObject([
      { name: 'enqueue send_receipt', kind: PRODUCER, attributes: { 'messaging.destination.name': 'mail' } },
    ]);
    const traceparent = `00-${spans[0]!.traceId}-${spans[0]!.spanId}-01`;
    expect(await Promise.all(jobs.map(({ id }) => metaOf(id)))).toEqual([1, 2, 3].map(() => ({ traceparent })));
  });

  test('and share a statement because they came together, have a span each in the trace of each caller', async () => {
    const queue = openQueue(database.db);
    const calls = ['a', 'b', 'c'].map((name) => within(name, () => queue.enqueue(brief, {})));
    const jobs = await Promise.all(calls);
    const sent = await named('enqueue brief');
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const [caller] = await named(name);
      const own = sent.find(({ parentSpanId }) => parentSpanId === caller!.spanId)!;
      expect(await metaOf(jobs[index]!.id)).toEqual({ traceparent: `00-${own.traceId}-${own.spanId}-01` });
    }
  });
});

test('what is counted and timed comes to a collector by the names of the conventions', async () => {
  const { events } = await start();
  await enqueueMany(database.db, [jobRequest(brief, {}), jobRequest(brief, {})]);
  await events.waitFor('job.succeeded', 2);
  const points = (await telemetry.points()).filter(
    ({ attributes }) => attributes['messaging.duework.job.type'] === 'brief',
  );
  const valueOf = (metric: string): number => points.findLast((point) => point.metric === metric)!.value;
  expect(valueOf('messaging.client.sent.messages')).toBeGreaterThanOrEqual(2);
  expect(valueOf('messaging.client.consumed.messages')).toBeGreaterThanOrEqual(2);
  expect(valueOf('messaging.client.operation.duration')).toBeGreaterThanOrEqual(1);
  expect(valueOf('messaging.process.duration')).toBeGreaterThanOrEqual(2);
});
