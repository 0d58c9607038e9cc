import { getJob } from '@duework/queue-core';
import { createTicker, saveSchedule, tickSchedules, triggerSchedule } from '@duework/schedules';
import { expect, test } from '@jest/globals';
import { CONSUMER, PRODUCER } from './testing/start-collector.js';
import { brief, catalog, pay, useTracedWorkers } from './testing/use-traced-workers.js';
import { useTelemetry } from './testing/use-telemetry.js';

const telemetry = useTelemetry();
const { database, start } = useTracedWorkers();
/** As if the whole minute before now had not been ticked. */
const lag = () =>
  database.db
    .$executeRaw`UPDATE duework.schedules SET next_due_at = date_trunc('minute', now()), tick_at = date_trunc('minute', now())`;

test('the run of a due time has a span that names its schedule, whatever is active where the tick runs, and its attempts are linked to it', async () => {
  await saveSchedule(database.db, brief, { key: 'tidy', cron: '* * * * *', payload: {} });
  await lag();
  const { events } = await telemetry.tracer.startActiveSpan('the start of the program', (span) => {
    span.end();
    return start({ more: { ticker: createTicker({ db: database.db, catalog, worker: 'w' }) } });
  });
  const [succeeded] = await events.waitFor('job.succeeded');
  const { run } = succeeded!;
  const spans = await telemetry.spans();
  const sent = spans.find(({ name }) => name === 'enqueue brief')!;
  expect(sent).toMatchObject({
    kind: PRODUCER,
    attributes: { 'messaging.duework.schedule.key': 'tidy', 'messaging.message.id': run.id },
  });
  expect(sent.parentSpanId).toBeUndefined();
  expect(spans.find(({ name }) => name === 'process brief')).toMatchObject({
    kind: CONSUMER,
    links: [{ traceId: sent.traceId, spanId: sent.spanId }],
  });
  expect((await getJob(database.db, run.id)).job.meta).toEqual({
    traceparent: `00-${sent.traceId}-${sent.spanId}-01`,
  });
});

test('due times that fire together have a span each, and a run that is made by hand belongs to who asked for it', async () => {
  await saveSchedule(database.db, brief, { key: 'a', cron: '* * * * *', payload: {} });
  await saveSchedule(database.db, pay, {
    key: 'b',
    cron: '* * * * *',
    payload: { orderId: 7, iban: 'DE', email: 'a' },
  });
  await lag();
  await tickSchedules({ db: database.db, catalog, worker: 'w' });
  const creates = (await telemetry.spans()).filter(({ name }) => name.startsWith('create'));
  expect(
    creates.map(({ name, attributes }) => [name, attributes['messaging.duework.schedule.key']]).toSorted(),
  ).toEqual([
    ['create brief', 'a'],
    ['create pay', 'b'],
  ]);
  await telemetry.tracer.startActiveSpan('operator', async (span) => {
    await triggerSchedule(database.db, catalog, 'a');
    span.end();
  });
  const spans = await telemetry.spans();
  const operator = spans.find(({ name }) => name === 'operator')!;
  expect(spans.findLast(({ name }) => name === 'enqueue brief')).toMatchObject({ parentSpanId: operator.spanId });
});
