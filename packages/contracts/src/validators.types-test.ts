/** Compiled, never run: every validator's types arrive exactly, and what must be a compile error is marked as one. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod-3';
import * as z3v3 from 'zod-3/v3';
import * as z3v4 from 'zod-3/v4';
import * as z40 from 'zod-4.0';
import * as z41 from 'zod-4.1';
import * as converter from 'zod-to-json-schema';
import type { Json } from './any-json.js';
import { defineJob } from './define-job.js';
import type { PayloadInput, PayloadOf, ResultOf } from './job-contract.js';
import type { JsonSchema } from './describe-schema.js';

// its types are those of this workspace's own zod, whose copy of version 3 is another one than zod-3
const zodToJsonSchema = converter.zodToJsonSchema as (schema: object) => JsonSchema;

type Given = { to: string; copies?: number | undefined; kind: 'mail' | 'letter' };
type Got = { to: string; copies: number; kind: 'mail' | 'letter' };
/** Assignable both ways, and no member is `any`, which would be so to everything. */
type IsSame<A, B> = true extends HasAny<A> | HasAny<B> ? false : [A, B] extends [B, A] ? true : false;
type HasAny<T> = { [K in keyof T]-?: 0 extends 1 & T[K] ? true : false }[keyof T];
type Unknowable = ReturnType<typeof JSON.parse>;
declare function same<A, B>(isSame: IsSame<A, B>): void;

const kind = ['mail', 'letter'] as const;
const result = z.object({ pages: z.int() });
const idempotencyKey = (payload: Got): string => payload.to;

const today = defineJob({
  type: 'today',
  payload: z.object({ to: z.string(), copies: z.number().default(1), kind: z.enum(kind) }),
  result,
  defaultPayload: { to: 'ada', kind: 'mail' },
  idempotencyKey: ({ to, copies }) => to.repeat(copies),
});
same<PayloadInput<typeof today>, Given>(true);
same<PayloadOf<typeof today>, Got>(true);
same<ResultOf<typeof today>, { pages: number }>(true);

const three = z3.object({ to: z3.string(), copies: z3.number().default(1), kind: z3.enum(kind) });
const zod3 = defineJob({ type: 'x', payload: three, payloadJsonSchema: zodToJsonSchema(three), idempotencyKey });
same<PayloadInput<typeof zod3>, Given>(true);
same<PayloadOf<typeof zod3>, Got>(true);
same<ResultOf<typeof zod3>, Json>(true);

const entry3 = z3v3.object({ to: z3v3.string(), copies: z3v3.number().default(1), kind: z3v3.enum(kind) });
const zod3v3 = defineJob({ type: 'x', payload: entry3, payloadJsonSchema: zodToJsonSchema(entry3), idempotencyKey });
same<PayloadInput<typeof zod3v3>, Given>(true);
same<PayloadOf<typeof zod3v3>, Got>(true);

const entry4 = z3v4.object({ to: z3v4.string(), copies: z3v4.number().default(1), kind: z3v4.enum(kind) });
const zod3v4 = defineJob({
  type: 'x',
  payload: entry4,
  payloadJsonSchema: z3v4.toJSONSchema(entry4, { io: 'input' }),
  idempotencyKey,
});
same<PayloadInput<typeof zod3v4>, Given>(true);
same<PayloadOf<typeof zod3v4>, Got>(true);

const forty = z40.object({ to: z40.string(), copies: z40.number().default(1), kind: z40.enum(kind) });
const zod40 = defineJob({
  type: 'x',
  payload: forty,
  payloadJsonSchema: z40.toJSONSchema(forty, { io: 'input' }),
  idempotencyKey,
});
same<PayloadInput<typeof zod40>, Given>(true);
same<PayloadOf<typeof zod40>, Got>(true);

const fortyOne = z41.object({ to: z41.string(), copies: z41.number().default(1), kind: z41.enum(kind) });
const zod41 = defineJob({
  type: 'x',
  payload: fortyOne,
  payloadJsonSchema: z41.toJSONSchema(fortyOne, { io: 'input' }),
  idempotencyKey,
});
same<PayloadInput<typeof zod41>, Given>(true);
same<PayloadOf<typeof zod41>, Got>(true);

const valibot = defineJob({
  type: 'x',
  payload: toStandardJsonSchema(
    v.object({ to: v.string(), copies: v.optional(v.number(), 1), kind: v.picklist(kind) }),
  ),
  result: toStandardJsonSchema(v.object({ pages: v.number() })),
  idempotencyKey,
});
same<PayloadInput<typeof valibot>, Given>(true);
same<PayloadOf<typeof valibot>, Got>(true);
same<ResultOf<typeof valibot>, { pages: number }>(true);

const arktype = defineJob({
  type: 'x',
  payload: type({ to: 'string', copies: 'number = 1', kind: "'mail' | 'letter'" }),
  result: type({ pages: 'number' }),
  idempotencyKey,
});
// arktype's optional fields are exact: they may be left out, and not be undefined
same<PayloadInput<typeof arktype>, { to: string; copies?: number; kind: 'mail' | 'letter' }>(true);
same<PayloadOf<typeof arktype>, Got>(true);
same<ResultOf<typeof arktype>, { pages: number }>(true);

// @ts-expect-error the measure itself: a field of another type
same<PayloadOf<typeof zod3>, { to: string; copies: string; kind: 'mail' | 'letter' }>(true);
// @ts-expect-error the measure itself: any is not exact
same<PayloadOf<typeof zod3>, { to: string; copies: Unknowable; kind: 'mail' | 'letter' }>(true);

export const wrong = {
  // @ts-expect-error a field has the wrong type
  today: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof today>,
  // @ts-expect-error the same with zod 3
  zod3: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof zod3>,
  // @ts-expect-error the same with its entry v3
  zod3v3: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof zod3v3>,
  // @ts-expect-error the same with its entry v4
  zod3v4: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof zod3v4>,
  // @ts-expect-error the same with zod 4.0
  zod40: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof zod40>,
  // @ts-expect-error the same with zod 4.1
  zod41: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof zod41>,
  // @ts-expect-error the same with valibot
  valibot: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof valibot>,
  // @ts-expect-error the same with arktype
  arktype: { to: 1, kind: 'mail' } satisfies PayloadInput<typeof arktype>,
};

// a past of other validators: each step takes what its schema makes, and returns what the next one takes in
const v1 = z3.object({ address: z3.string() });
const v2 = toStandardJsonSchema(v.object({ addresses: v.array(v.string()) }));
const v3 = type({ recipients: 'string[]', urgent: 'boolean = false' });
const first = { payload: v1, payloadJsonSchema: zodToJsonSchema(v1) };
const mixed = defineJob({
  type: 'mixed',
  version: 3,
  payload: v3,
  past: {
    1: { ...first, lift: ({ address }) => ({ addresses: [address satisfies string] }) },
    2: { payload: v2, lift: ({ addresses }) => ({ recipients: addresses }) },
  },
});
same<PayloadOf<typeof mixed>, { recipients: string[]; urgent: boolean }>(true);
defineJob({
  type: 'mixed',
  version: 3,
  payload: v3,
  past: {
    // @ts-expect-error what zod's step returns is no payload of valibot's version
    1: { ...first, lift: ({ address }) => ({ addresses: address }) },
    2: { payload: v2, lift: ({ addresses }) => ({ recipients: addresses }) },
  },
});
defineJob({
  type: 'mixed',
  version: 2,
  payload: v2,
  // @ts-expect-error there is no such field in zod's version
  past: { 1: { ...first, lift: ({ addresses }) => ({ addresses }) } },
});
// what a validator does not write by itself is missed when it compiles
export const untold = () => [
  // @ts-expect-error zod 3.25 does not write JSON Schema
  defineJob({ type: 'x', payload: three }),
  // @ts-expect-error nor does its entry v4
  defineJob({ type: 'x', payload: entry4 }),
  // @ts-expect-error nor does zod 4.1
  defineJob({ type: 'x', payload: fortyOne }),
  // @ts-expect-error nor does valibot without its package
  defineJob({ type: 'x', payload: v.object({ to: v.string() }) }),
  // @ts-expect-error a result is told as well
  defineJob({ type: 'x', payload: z.object({}), result: three }),
];

// @ts-expect-error no schema of any validator
defineJob({ type: 'x', payload: { type: 'object' } });
