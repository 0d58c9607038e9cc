import { SpanKind } from '@opentelemetry/api';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createPostgresStore, enqueueMany, jobRequest, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { useTelemetry } from './testing/use-telemetry.js';
import { traceHandlers } from './trace-handlers.js';

const EACH = 80;
const payload = z.object({ n: z.int() });
const plain = defineJob({ type: 'plain', payload });
const once = defineJob({ type: 'once', payload });
const durable = defineJob({ type: 'durable', payload, durable: true });
const collected = defineJob({ type: 'collected', payload, collect: { max: 8, wait: '100ms' } });
const catalog = defineCatalog([plain, once, durable, collected]);

const telemetry = useTelemetry();
const database = useTestDatabase();
let db: PgClient;
let worker: Worker | undefined;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
beforeEach(() => {
  // as an instrumentation of pg does: each statement is a span in whatever is active where it is sent
  pg.Client.prototype.query = function traced(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { readonly text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    telemetry.tracer.startSpan('pg.query', { kind: SpanKind.CLIENT, attributes: { text } }).end();
    return query.apply(this, given);
  } as typeof pg.Client.prototype.query;
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterEach(async () => {
  await worker?.stop({ deadlineMs: 0 });
  await db.$disconnect();
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
});

test('no statement that a worker sends for many jobs is in the trace of one, and no trace grows from job to job', async () => {
  const text = 'SELECT 7 AS own';
  const statement = { strings: [text], values: [], text, sql: text, statement: text };
  const ask = async (): Promise<void> => void (await db.$queryRaw(statement));
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    store: createPostgresStore({ db }),
    concurrency: 4,
    handlers: {
      plain: ask,
      once: async (context) => void (await context.once('own', ask)),
      durable: async ({ step }) => void (await step('own', ask)),
      collected: ask,
    },
    middleware: traceHandlers(catalog),
  });
  ({ worker } = started);
  for (const contract of catalog)
    await enqueueMany(
      db,
      Array.from({ length: EACH }, (_, n) => jobRequest(contract as typeof plain, { n })),
    );
  await started.events.waitFor('job.succeeded', 4 * EACH);

  const spans = await telemetry.spans();
  const processed = spans.filter(({ name }) => name.startsWith('process '));
  expect(processed.length).toBeGreaterThanOrEqual(3 * EACH + EACH / 8);
  expect(processed.filter(({ parentSpanId }) => parentSpanId !== undefined)).toEqual([]);
  const ofJobs = new Set(processed.map(({ traceId }) => traceId));
  expect(ofJobs.size).toBe(processed.length);
  const texts = (isOfJob: boolean): string[] =>
    spans
      .filter(({ name, traceId }) => name === 'pg.query' && ofJobs.has(traceId) === isOfJob)
      .map(({ attributes }) => String(attributes['text']));
  // the handler's own, and those about its effect; a call for many has no trace of its own
  expect(texts(true).filter((text) => !/SELECT 7 AS own|duework\.job_effects/.test(text))).toEqual([]);
  expect(texts(true).filter((text) => text.includes('SELECT 7'))).toHaveLength(3 * EACH);
  // they were seen at all
  for (const part of ['locked_until = now()', 'duework.job_history', 'duework.job_steps'])
    expect(texts(false).filter((text) => text.includes(part)).length).toBeGreaterThan(0);
});
