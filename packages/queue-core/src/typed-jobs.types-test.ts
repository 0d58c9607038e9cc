/**
 * Compiled, never run: what must be a compile error is marked as one, and an unused mark is an error itself.
 */
import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from './enqueue/enqueue.js';
import type { Handlers } from './run/handler.js';
import { complete } from './settle/outcome.js';
import type { Queryable } from '@duework/sql';

declare const db: Queryable;

const mail = defineJob({ type: 'mail', payload: z.object({ to: z.string(), copies: z.int().default(1) }) });
const tidy = defineJob({ type: 'tidy', payload: z.object({ day: z.iso.date() }) });
const catalog = defineCatalog([mail, tidy]);

// a producer: the input side of the schema, so a default may be left out
void enqueue(db, mail, { to: 'ada' });
void enqueue(db, mail, { to: 'ada', copies: 2 }, { delay: '5m' });
// @ts-expect-error a field is missing
void enqueue(db, mail, {});
// @ts-expect-error a field has the wrong type
void enqueue(db, mail, { to: 1 });
// @ts-expect-error a field is unknown
void enqueue(db, mail, { to: 'ada', cc: 'bob' });
// @ts-expect-error the payload of another type
void enqueue(db, tidy, { to: 'ada' });
// @ts-expect-error a type by its name alone
void enqueue(db, 'mail', { to: 'ada' });
// @ts-expect-error a delay without a unit
void enqueue(db, mail, { to: 'ada' }, { delay: 300 });
// @ts-expect-error the same for many
void enqueueMany(db, [jobRequest(mail, { day: '2026-01-01' })]);

// a worker: exhaustive, each handler with the output side of its own payload
export const handlers: Handlers<typeof catalog> = {
  mail: ({ payload }) => complete({ copies: payload.copies satisfies number }),
  tidy: async ({ payload }) => void (payload.day satisfies string),
};
// @ts-expect-error a handler is missing
export const missing: Handlers<typeof catalog> = { mail: () => {} };
export const unknown: Handlers<typeof catalog> = {
  mail: () => {},
  tidy: () => {},
  // @ts-expect-error there is no such type
  brew: () => {},
};
export const wrongPayload: Handlers<typeof catalog> = {
  mail: () => {},
  // @ts-expect-error the handler expects another payload
  tidy: ({ payload }: { payload: { to: string } }) => void payload,
};
export const wrongOutcome: Handlers<typeof catalog> = {
  // @ts-expect-error not an outcome
  mail: () => 42,
  tidy: () => {},
};

// a contract
// @ts-expect-error a key function of another payload
defineJob({ type: 'x', payload: z.object({ a: z.string() }), idempotencyKey: ({ b }: { b: string }) => b });
// @ts-expect-error a time-out without a unit
defineJob({ type: 'x', payload: z.object({}), timeout: 30 });
