/** Compiled, never run: what must be a compile error is marked as one, and an unused mark is an error itself. */
import { z } from 'zod';
import { defineCatalog } from './define-catalog.js';
import { defineJob } from './define-job.js';
import type { PayloadInput, PayloadOf } from './job-contract.js';

const v1 = z.object({ to: z.string(), copies: z.int().default(1) });
const v2 = z.object({ recipients: z.array(z.string()), kind: z.enum(['mail', 'letter']) });
const v3 = z.object({
  recipients: z.array(z.string()),
  kind: z.enum(['mail', 'letter']),
  urgent: z.boolean().default(false),
});

// each step takes what its schema parses to, and returns what the next schema takes in
const mail = defineJob({
  type: 'mail',
  version: 3,
  payload: v3,
  past: {
    1: {
      payload: v1,
      lift: ({ to, copies }) => ({ recipients: Array<string>(copies satisfies number).fill(to), kind: 'mail' }),
    },
    2: { payload: v2, lift: (second) => ({ ...second, urgent: second.kind === 'mail' }) },
  },
});
export const catalog = defineCatalog([mail]);
// the past changes neither what producers give nor what handlers get
export const given: PayloadInput<typeof mail> = { recipients: [], kind: 'letter' };
export const got: PayloadOf<typeof mail>['urgent'] = true;

// what is left out at the beginning is no longer read
defineJob({ type: 'x', version: 3, payload: v3, past: { 2: { payload: v2, lift: (p) => p } } });
defineJob({ type: 'x', version: 3, payload: v3, past: {} });
defineJob({ type: 'x', version: 1, payload: v1, past: {} });
defineJob({
  type: 'x',
  version: 2,
  payload: v2,
  idempotencyKey: ({ kind }) => kind,
  past: { 1: { payload: v1, lift: ({ to }) => ({ recipients: [to], kind: 'letter' }) } },
});

// @ts-expect-error a version above 1 without a past
defineJob({ type: 'x', version: 2, payload: v2 });
// @ts-expect-error the same for a version that is known at run time only
defineJob({ type: 'x', version: Number('2'), payload: v2 });
defineJob({
  type: 'x',
  version: 3,
  payload: v3,
  // @ts-expect-error version 2 is missing
  past: { 1: { payload: v1, lift: ({ to }) => ({ recipients: [to], kind: 'mail' }) } },
});
defineJob({
  type: 'x',
  version: 4,
  payload: v3,
  past: {
    // @ts-expect-error version 2 is missing in between
    1: { payload: v1, lift: ({ to }) => ({ recipients: [to], kind: 'mail' }) },
    3: { payload: v2, lift: (p) => p },
  },
});
// @ts-expect-error today's version is not past
defineJob({ type: 'x', version: 1, payload: v1, past: { 1: { payload: v1, lift: (p) => p } } });
defineJob({
  type: 'x',
  version: 2,
  payload: v2,
  // @ts-expect-error the step leaves a field out
  past: { 1: { payload: v1, lift: ({ to }) => ({ recipients: [to] }) } },
});
defineJob({
  type: 'x',
  version: 2,
  payload: v2,
  // @ts-expect-error the step gives a field of another type
  past: { 1: { payload: v1, lift: ({ to }) => ({ recipients: to, kind: 'mail' }) } },
});
defineJob({
  type: 'x',
  version: 3,
  payload: v3,
  past: {
    // @ts-expect-error it skips a version: what it returns is version 3's, and not version 2's
    1: { payload: v1, lift: () => ({ urgent: true }) },
    2: { payload: v2, lift: (p) => p },
  },
});
defineJob({
  type: 'x',
  version: 2,
  payload: v2,
  // @ts-expect-error there is no such field in the version that is lifted
  past: { 1: { payload: v1, lift: ({ recipients }) => ({ recipients, kind: 'mail' }) } },
});
// @ts-expect-error a schema without its step
defineJob({ type: 'x', version: 2, payload: v2, past: { 1: { payload: v1 } } });
