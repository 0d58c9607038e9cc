/** Compiled, never run: what is no plain JSON is a compile error that names the value, and nothing else is one. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { defineCatalog } from './define-catalog.js';
import { defineJob } from './define-job.js';
import { defineSignal } from './define-signal.js';
import type { PlainJson } from './plain-json.js';
import type { JsonSchema } from './describe-schema.js';
import type { StandardSchema } from './standard-schema.js';

/** As Prisma's. */
declare class Decimal {
  plus(other: Decimal): Decimal;
  toJSON(): string;
}
interface Tree {
  readonly name: string;
  readonly children?: readonly Tree[];
}
enum Color {
  Red = 'red',
}
const id = z.int();
const nothing = z.object({});

const since = z.object({ customer: z.object({ since: z.date() }) });
'payload.customer.since is a Date, which JSON does not have: use a string such as z.iso.datetime()' satisfies PlainJson<
  typeof since,
  'payload'
>['payload'];
const total = z.object({ lines: z.array(z.object({ cents: z.bigint().optional() })) });
'result.lines[].cents is a bigint, which JSON does not have: use a string' satisfies PlainJson<
  typeof total,
  'result'
>['result'];
const count = z.object({ count: z.string().transform(Number) });
'payload.count is changed by a transform or a codec, and what is stored is parsed again' satisfies PlainJson<
  typeof count,
  'payload'
>['payload'];
const parsed = type({ count: 'string.numeric.parse' });
'payload.count is changed by parsing, and what is stored is parsed again' satisfies PlainJson<
  typeof parsed,
  'payload'
>['payload'];

// @ts-expect-error a Date in a payload
defineJob({ type: 'x', payload: since });
// @ts-expect-error a bigint in a result
defineJob({ type: 'x', payload: nothing, result: total });
// @ts-expect-error a transform in a payload
defineJob({ type: 'x', payload: count });
// @ts-expect-error a Date in what is reported
defineJob({ type: 'x', payload: nothing, progress: since });
// @ts-expect-error a Date that may be missing
defineJob({ type: 'x', payload: z.object({ at: z.date().nullish() }) });
// @ts-expect-error a Date in a member of a union
defineJob({ type: 'x', payload: z.union([z.object({ id }), z.object({ at: z.date() })]) });
// @ts-expect-error a Date in a record
defineJob({ type: 'x', payload: z.object({ times: z.record(z.string(), z.date()) }) });
// @ts-expect-error text that becomes a Date
defineJob({ type: 'x', payload: z.object({ at: z.coerce.date() }) });
// @ts-expect-error a codec
defineJob({ type: 'x', payload: z.object({ isOn: z.stringbool() }) });
// @ts-expect-error a field that a transform makes
defineJob({ type: 'x', payload: z.object({ id }).transform((given) => ({ ...given, more: 1 })) });
const lower = z.string().transform((text) => text.toLowerCase());
const mails = z.object({ to: z.array(z.object({ name: lower }).nullish()) });
// @ts-expect-error text that is changed into other text, deep within
defineJob({ type: 'x', payload: mails });
// @ts-expect-error what is changed before it is parsed
defineJob({ type: 'x', payload: z.object({ name: z.preprocess((given) => given, z.string()) }) });
// @ts-expect-error a transform in a union and in a record
defineJob({ type: 'x', payload: z.record(z.string(), z.union([id, lower])) });
// @ts-expect-error a Map
defineJob({ type: 'x', payload: z.object({ names: z.map(z.string(), z.string()) }) });
// @ts-expect-error a Set
defineJob({ type: 'x', payload: z.object({ names: z.set(z.string()) }) });
// @ts-expect-error a Decimal
defineJob({ type: 'x', payload: z.object({ price: z.instanceof(Decimal) }) });
// @ts-expect-error a symbol
defineJob({ type: 'x', payload: z.object({ mark: z.symbol() }) });
// @ts-expect-error bytes
defineJob({ type: 'x', payload: z.object({ pdf: z.instanceof(Uint8Array) }) });
// @ts-expect-error a Date of arktype's
defineJob({ type: 'x', payload: type({ at: 'Date' }) });
// @ts-expect-error a morph of arktype's
defineJob({ type: 'x', payload: parsed });
// @ts-expect-error a Date of valibot's
defineJob({ type: 'x', payload: toStandardJsonSchema(v.object({ at: v.date() })) });
// @ts-expect-error a transform of valibot's
defineJob({ type: 'x', payload: toStandardJsonSchema(v.pipe(v.string(), v.transform(Number))) });
// @ts-expect-error a Date in a signal
defineSignal({ name: 'x', payload: z.object({ id, at: z.date() }), by: ['id'] });

/** Nothing of it is a compile error; some is one for `describeSchema`. */
const taken = z.object({
  id,
  name: z.string().optional(),
  nick: z.string().nullish(),
  copies: z.int().default(1),
  mode: z.enum(['a', 'b']).catch('a'),
  color: z.enum(Color),
  kind: z.literal(['a', 1, true, null]),
  amount: z.coerce.number(),
  email: z.email().brand<'Email'>(),
  code: z.templateLiteral(['a-', z.number()]),
  more: z.unknown(),
  any: z.any(),
  json: z.json(),
  list: z.array(z.string()).readonly(),
  pair: z.tuple([z.string(), z.number()]).rest(z.boolean()),
  words: z.record(z.string(), z.number()),
  some: z.partialRecord(z.enum(['a', 'b']), z.number()),
  loose: z.looseObject({ id }),
  rest: z.object({ id }).catchall(z.number()),
  both: z.intersection(z.object({ id }), z.object({ length: z.number() })),
  either: z.discriminatedUnion('is', [z.object({ is: z.literal('a'), n: id }), z.object({ is: z.literal('b') })]),
  none: z.never().optional(),
  late: z.lazy(() => z.object({ id })),
  prefaulted: z.string().prefault('a'),
  piped: z.string().pipe(z.email()),
  trimmed: z.string().trim().toLowerCase(),
  checked: z.string().refine((text) => text !== ''),
});
defineJob({ type: 'x', payload: taken, result: taken, progress: taken });
const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).optional();
  },
});
defineJob({ type: 'x', payload: tree, result: tree });
const typed: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(typed) }));
defineJob({ type: 'x', payload: typed, payloadJsonSchema: {} });
defineJob({ type: 'x', payload: z.string(), result: z.array(z.number()) });
defineJob({ type: 'x', payload: z.unknown(), result: z.any() });
defineJob({ type: 'x', payload: type({ id: 'number', 'name?': 'string', tags: 'string[] = []' }) });
defineJob({
  type: 'x',
  payload: toStandardJsonSchema(v.object({ id: v.number(), tags: v.optional(v.array(v.string()), []) })),
});

/** Functions that know the schema late. */
export const later = <T extends z.ZodRawShape, S extends StandardSchema>(shape: T, schema: S, told: JsonSchema) => [
  defineJob({ type: 'a', payload: z.object(shape) }),
  defineJob({ type: 'b', payload: z.object({ id, more: z.object(shape) }), result: z.object(shape) }),
  defineJob({ type: 'e', payload: schema, payloadJsonSchema: told }),
  defineJob({ type: 'c', payload: nothing, result: z.array(z.object(shape)) }),
  defineSignal({ name: 'd', payload: z.object({ id, ...shape }), by: [] }),
];

const a = defineJob({ type: 'a', payload: nothing });
const b = defineJob({ type: 'b', payload: z.object({ id }) });
const otherA = defineJob({ type: 'a', payload: z.object({ id }) });
const named: string = 'c';
const unnamed = defineJob({ type: named, payload: nothing });
defineCatalog([]);
defineCatalog([a, b, unnamed, unnamed]);
defineCatalog([a, b] as const satisfies readonly unknown[]);
defineCatalog([a, b].slice());
// @ts-expect-error two contracts of one type
defineCatalog([a, b, otherA]);
// @ts-expect-error one contract twice
defineCatalog([a, b, b]);
// @ts-expect-error one of a list of another module
defineCatalog([...([a, b] as const), otherA]);
