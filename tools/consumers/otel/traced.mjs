import assert from 'node:assert/strict';
import { traceEnqueues, traceHandlers } from '@duework/otel';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { defineCatalog, defineJob, enqueue, fixed } from 'duework';
import { runWorker } from 'duework/worker';
import pg from 'pg';
import { z } from 'zod';

const KIND = typeof module === 'undefined' ? 'esm' : 'cjs';
const pay = defineJob({
  type: `pay_${KIND}`,
  payload: z.object({ orderId: z.number(), iban: z.string() }),
  sensitive: ['/iban'],
  maxAttempts: 2,
  retry: fixed('1ms'),
});
const catalog = defineCatalog([pay]);
const IBAN = 'DE89370400440532013000';

async function main() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  traceEnqueues();

  const db = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const { id } = await enqueue(db, pay, { orderId: 1, iban: IBAN });
  await db.end();

  const stopping = new AbortController();
  await runWorker({
    catalog,
    handlers: {
      [pay.type]({ attempt, payload }) {
        if (attempt === 1) throw new Error(`no account ${payload.iban}`);
      },
    },
    middleware: traceHandlers(catalog),
    workerPort: 'none',
    signal: stopping.signal,
    onEvent: ({ name }) => {
      if (name === 'job.succeeded') stopping.abort();
    },
  });

  const [sent, failed, succeeded] = exporter.getFinishedSpans();
  assert.equal(sent.name, `enqueue ${pay.type}`);
  for (const span of [failed, succeeded]) {
    assert.equal(span.name, `process ${pay.type}`);
    assert.equal(span.attributes['messaging.message.id'], id);
    assert.equal(span.links[0].context.spanId, sent.spanContext().spanId);
  }
  assert.equal(failed.status.message, 'no account [sensitive]');
  assert.equal(succeeded.attributes['messaging.duework.job.outcome'], 'complete');
}

void main();
