/**
 * Compiled, never run: what must be a compile error is marked as one, and an unused mark is an error itself.
 */
import { defineCatalog, defineJob } from '@duework/contracts';
import { complete, type Middleware } from '@duework/queue-core';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const greet = defineJob({ type: 'greet', payload: z.object({ name: z.string() }) });
const sum = defineJob({ type: 'sum', payload: z.object({ a: z.number(), b: z.number() }), result: z.number() });
const catalog = defineCatalog([greet, sum]);
const host = { catalog, handleSignals: false } as const;

export const code: Promise<number> = runWorker({
  ...host,
  handlers: {
    greet: ({ payload, log }) => log.info({ length: payload.name.length }),
    sum: ({ payload: { a, b } }) => complete(a + b),
  },
  // what teams have
  log: pino(),
  registry: new Registry(),
  onEvent: ({ name }) => name.length,
});

// middleware adds to the context of every handler
const withTenant: Middleware<{ tenant: string }> = (_, next) => next({ tenant: 'acme' });
void runWorker({
  ...host,
  middleware: withTenant,
  handlers: { greet: ({ tenant }) => void tenant.length, sum: () => {} },
});

// @ts-expect-error sum has no handler
void runWorker({ ...host, handlers: { greet: () => {} } });

// @ts-expect-error there is no such field in the payload
void runWorker({ ...host, handlers: { greet: ({ payload }) => void payload.nobody, sum: () => {} } });

// @ts-expect-error there is no such option
void runWorker({ ...host, handlers: { greet: () => {}, sum: () => {} }, concurency: 3 });

// @ts-expect-error a number
void runWorker({ ...host, handlers: { greet: () => {}, sum: () => {} }, concurrency: '3' });
