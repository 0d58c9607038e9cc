import { describe, expect, jest, test } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod-3';
import * as z3v4 from 'zod-3/v4';
import * as z40 from 'zod-4.0';
import * as z41 from 'zod-4.1';
import * as converter from 'zod-to-json-schema';
import { defineJob } from './define-job.js';
import type { JsonSchema } from './describe-schema.js';
import { parseValue } from './parse-value.js';
import { readPayload } from './read-payload.js';
import type { StandardSchema } from './standard-schema.js';

const kinds = ['mail', 'letter'] as const;
/** Its types are those of this workspace's own zod, whose copy of version 3 is another one than zod-3. */
const zodToJsonSchema = converter.zodToJsonSchema as (schema: object, options?: object) => JsonSchema;
const describe3 = (schema: object) => zodToJsonSchema(schema, { removeAdditionalStrategy: 'strict' });

const shape3 = z3.object({ to: z3.string(), items: z3.array(z3.number()).default([]), kind: z3.enum(kinds) });
const shape3v4 = z3v4.object({
  to: z3v4.string(),
  items: z3v4.array(z3v4.number()).default([]),
  kind: z3v4.enum(kinds),
});
const shape40 = z40.object({ to: z40.string(), items: z40.array(z40.number()).default([]), kind: z40.enum(kinds) });
const shape41 = z41.object({ to: z41.string(), items: z41.array(z41.number()).default([]), kind: z41.enum(kinds) });

/** Each with the lines that docs/how-to/validators.md gives. */
const validators: Record<string, { payload: StandardSchema; payloadJsonSchema?: JsonSchema }> = {
  'zod 4': { payload: z.object({ to: z.string(), items: z.array(z.number()).default([]), kind: z.enum(kinds) }) },
  'zod 4.1': { payload: shape41, payloadJsonSchema: z41.toJSONSchema(shape41, { io: 'input' }) },
  'zod 4.0': { payload: shape40, payloadJsonSchema: z40.toJSONSchema(shape40, { io: 'input' }) },
  'zod 3.25': { payload: shape3, payloadJsonSchema: describe3(shape3) },
  'zod 3.25 as zod/v4': { payload: shape3v4, payloadJsonSchema: z3v4.toJSONSchema(shape3v4, { io: 'input' }) },
  valibot: {
    payload: toStandardJsonSchema(
      v.object({ to: v.string(), items: v.optional(v.array(v.number()), []), kind: v.picklist(kinds) }),
    ),
  },
  arktype: { payload: type({ to: 'string', items: type('number[]').default(() => []), kind: "'mail' | 'letter'" }) },
};

describe.each(Object.entries(validators))('a contract of %s', (_, schemas) => {
  const contract = defineJob({ type: 'plain', ...schemas });

  test('is told as JSON Schema: what a producer may send', () => {
    expect(contract.payloadJsonSchema).toMatchObject({
      $schema: expect.stringContaining('json-schema.org'),
      type: 'object',
      properties: { to: { type: 'string' }, items: { type: 'array', items: { type: 'number' } }, kind: {} },
    });
    expect([...(contract.payloadJsonSchema['required'] as string[])].sort()).toEqual(['kind', 'to']);
  });

  test('parses a payload, and what it parsed once more', () => {
    const data = { to: 'ada', items: [], kind: 'mail' };
    expect(readPayload(contract, 1, { to: 'ada', kind: 'mail' })).toEqual({ success: true, data });
    expect(readPayload(contract, 1, data)).toEqual({ success: true, data });
  });

  test('refuses a wrong payload with a pointer to each wrong field, and without its values', () => {
    const parsed = parseValue(contract.payload, { to: 1, items: [1, 'secret'], kind: 'secret' });
    const issues = parsed.success ? [] : parsed.issues;
    expect(issues.map(({ pointer }) => pointer).sort()).toEqual(['/items/1', '/kind', '/to']);
    for (const { message } of issues) expect(message).toMatch(/\w/);
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });

  test('refuses a payload as a whole with the empty pointer', () => {
    expect(parseValue(contract.payload, 'secret')).toEqual({
      success: false,
      issues: [{ pointer: '', message: expect.not.stringContaining('secret') }],
    });
  });
});

test.each<[string, StandardSchema]>([
  ['zod 4', z.union([z.number(), z.object({ kind: z.literal('a') })])],
  ['zod 3', z3.union([z3.number(), z3.object({ kind: z3.literal('a') })])],
  ['valibot', v.union([v.number(), v.object({ kind: v.literal('a') })])],
  ['valibot, a check', v.object({ kind: v.pipe(v.string(), v.email()) })],
  ['arktype', type('number').or({ kind: "'a'" })],
  ['arktype, an email', type({ kind: 'string.email' })],
])('what %s refuses is told without the value', (_, schema) => {
  expect(parseValue(schema, { kind: 'secret' }).success).toBe(false);
  expect(JSON.stringify(parseValue(schema, { kind: 'secret' }))).not.toContain('secret');
});

describe('without JSON Schema, the refusal names the line to add', () => {
  test.each<[string, StandardSchema, string]>([
    ['zod 4.1', shape41, "Add payloadJsonSchema: z.toJSONSchema(schema, { io: 'input' })"],
    ['zod 4.0', shape40, "Add payloadJsonSchema: z.toJSONSchema(schema, { io: 'input' })"],
    ['zod 3', shape3, 'z of its zod/v4, and add payloadJsonSchema: z.toJSONSchema(schema'],
    ['zod 3, to stay with it', shape3, 'npm install zod-to-json-schema, and add payloadJsonSchema: zodToJsonSchema('],
    ['valibot', v.object({ to: v.string() }), 'toStandardJsonSchema(schema). Run: npm install @valibot/to-json-schema'],
    [
      'a validator that nobody has heard of',
      unheardOf((value) => ({ value })),
      'Add payloadJsonSchema: its JSON Schema',
    ],
  ])('for %s', (_, payload, line) => {
    const refusal = { code: 'payload_not_json', message: expect.stringContaining(line) };
    expect(() => defineJob({ type: 'plain', payload })).toThrow(expect.objectContaining(refusal));
    expect(() =>
      defineJob({ type: 'plain', version: 2, payload: z.object({}), past: { 1: { payload, lift: () => ({}) } } }),
    ).toThrow(expect.objectContaining({ ...refusal, code: 'payload_not_json' }));
  });

  test('for a result, too', () => {
    const options = { type: 'plain', payload: z.object({}), result: shape40 as StandardSchema } as const;
    expect(() => defineJob(options)).toThrow(
      expect.objectContaining({ code: 'result_not_json', message: expect.stringContaining('Add resultJsonSchema: z') }),
    );
    expect(defineJob({ ...options, resultJsonSchema: z40.toJSONSchema(shape40) }).result).toBe(shape40);
  });
});

const given = { type: 'object' };
describe('whatever JSON Schema comes with it', () => {
  test.each<[string, StandardSchema]>([
    ['a Date of zod 3', z3.object({ at: z3.date() })],
    ['a Date of zod 3, deep', z3.object({ list: z3.array(z3.union([z3.string(), z3.lazy(() => z3.date())])) })],
    ['a transform of zod 3', z3.object({ n: z3.string().transform(Number) })],
    ['a preprocess of zod 3', z3.preprocess(Number, z3.number())],
    ['a Map of zod 3', z3.map(z3.string(), z3.string())],
    ['a bigint of zod 3', z3.object({ n: z3.bigint().optional() })],
    ['a Date of zod 3 as zod/v4', z3v4.object({ at: z3v4.date().nullable() })],
    ['a Date of zod 4.0', z40.object({ at: z40.date() })],
    ['a transform of zod 4.0', z40.object({ n: z40.string().transform(Number) })],
    ['a bigint of zod 4.0', z40.array(z40.bigint())],
    ['a Date of zod 4.1', z41.record(z41.string(), z41.date())],
    ['a codec of zod 4.1', z41.codec(z41.string(), z41.number(), { decode: Number, encode: String })],
    ['a class of zod 4.1', z41.object({ at: z41.instanceof(URL) })],
    ['a Date of zod 4', z.object({ at: z.date() })],
    ['a codec of zod 4', z.object({ n: z.codec(z.string(), z.number(), { decode: Number, encode: String }) })],
    ['a boolean in words of zod 4', z.object({ is: z.stringbool() })],
    ['a Date of valibot', toStandardJsonSchema(v.object({ at: v.date() }))],
    ['a transform of valibot', toStandardJsonSchema(v.object({ n: v.pipe(v.string(), v.transform(Number)) }))],
    ['a bigint of valibot', toStandardJsonSchema(v.object({ n: v.bigint() }))],
    ['a Date of arktype', type({ at: 'Date' })],
    ['a morph of arktype', type({ n: 'string.numeric.parse' })],
    ['a bigint of arktype', type({ n: 'bigint' })],
    ['a Map of arktype', type({ n: 'Map' })],
    ['undefined of arktype', type({ n: 'undefined' })],
  ])('%s is refused, because it is no plain JSON', (_, payload) => {
    expect(() => defineJob({ type: 'plain', payload, payloadJsonSchema: given })).toThrow(
      expect.objectContaining({ code: 'payload_not_json' }),
    );
  });

  test.each<[string, StandardSchema]>([
    [
      'checks, defaults and brands of zod 3',
      z3.object({ n: z3.string().trim().refine(Boolean).default('x').brand('a') }),
    ],
    ['what refers to itself, in zod 3', recursive3()],
    ['checks and defaults of zod 4.0', z40.object({ n: z40.string().trim().refine(Boolean).default('x') })],
    ['an own check of arktype', type({ n: type('number').narrow((n) => n % 3 === 0) })],
    ['unknown of arktype', type({ n: 'unknown' })],
    ['a default of arktype', type({ n: 'number = 3' })],
  ])('%s: that is JSON', (_, payload) => {
    expect(defineJob({ type: 'plain', payload, payloadJsonSchema: given }).payloadJsonSchema).toEqual(given);
  });
});

describe('a schema that answers with a promise is refused with async_schema', () => {
  const later = { code: 'async_schema', message: expect.stringContaining('synchronously') };
  const isFree = () => Promise.resolve(true);

  test.each<[string, StandardSchema]>([
    ['valibot', v.objectAsync({ to: v.string() })],
    ['a validator that nobody has heard of', unheardOf(() => Promise.reject(new Error('unhandled')))],
  ])('of %s, when the contract is defined', (_, payload) => {
    expect(() => defineJob({ type: 'plain', payload, payloadJsonSchema: given })).toThrow(
      expect.objectContaining(later),
    );
  });

  test.each<[string, StandardSchema]>([
    ['zod 4', z.object({ to: z.string().refine(isFree) })],
    ['zod 4.0', z40.object({ to: z40.string().refine(isFree) })],
    ['zod 3', z3.object({ to: z3.string().refine(isFree) })],
  ])('of %s, when a payload comes to its check', (_, payload) => {
    const contract = defineJob({ type: 'plain', payload, payloadJsonSchema: given });
    expect(() => readPayload(contract, 1, { to: 'ada' })).toThrow(expect.objectContaining(later));
  });
});

test.each<[string, StandardSchema]>([
  ['zod 4', z.string().refine(fail)],
  ['zod 3', z3.string().refine(fail)],
  ['valibot', v.pipe(v.string(), v.check(fail))],
  ['arktype', type('string').narrow(fail)],
])('what a rule of %s throws is thrown on', (_, schema) => {
  expect(() => parseValue(schema, 'ada')).toThrow(new RangeError('from the rule'));
});

test('versions of several validators are lifted from one to the next', () => {
  const v1 = z3.object({ address: z3.string() });
  const v2 = toStandardJsonSchema(v.object({ addresses: v.array(v.string()) }));
  const contract = defineJob({
    type: 'mixed',
    version: 3,
    payload: type({ recipients: 'string[] < 3', urgent: 'boolean = false' }),
    past: {
      1: { payload: v1, payloadJsonSchema: describe3(v1), lift: ({ address }) => ({ addresses: address.split('&') }) },
      2: { payload: v2, lift: ({ addresses }) => ({ recipients: addresses }) },
    },
  });
  expect(contract.past.get(1)!.payloadJsonSchema).toMatchObject({ properties: { address: { type: 'string' } } });
  expect(contract.past.get(2)!.payloadJsonSchema).toMatchObject({ properties: { addresses: { type: 'array' } } });
  expect(readPayload(contract, 1, { address: 'ada&bob' })).toEqual({
    success: true,
    data: { recipients: ['ada', 'bob'], urgent: false },
  });
  expect(readPayload(contract, 1, { address: 'a&b&secret' })).toEqual({
    success: false,
    why: 'version 1, lifted from 2 to 3: /recipients expected at most length 2',
  });
  expect(readPayload(contract, 2, { addresses: 'secret' })).toEqual({
    success: false,
    why: 'version 2: /addresses expected Array',
  });
});

test('a contract’s own JSON Schema goes before what its validator writes', () => {
  const payload = z.object({ to: z.string() });
  expect(defineJob({ type: 'plain', payload, payloadJsonSchema: given }).payloadJsonSchema).toEqual(given);
});

test('what is no schema of any validator is refused, with the name of what is expected', () => {
  expect(() => defineJob({ type: 'plain', payload: { type: 'object' } } as never)).toThrow(
    expect.objectContaining({ code: 'invalid_job_option', message: expect.stringContaining('Standard Schema') }),
  );
});

test('a result without a schema is any JSON, and what is none is named', () => {
  const { result } = defineJob({ type: 'plain', payload: z.object({}) });
  const json = { text: 'a', list: [1, null, { deep: true }], left: undefined };
  expect(parseValue(result, json)).toEqual({ success: true, data: json });
  for (const at of [new Date(), 1n, undefined, Number.NaN, jest.fn(), Symbol('x'), new Map()]) {
    expect(parseValue(result, { list: [at] })).toEqual({
      success: false,
      issues: [{ pointer: '/list/0', message: 'expected plain JSON' }],
    });
  }
});

function fail(): never {
  throw new RangeError('from the rule');
}

function unheardOf(validate: StandardSchema['~standard']['validate']): StandardSchema {
  return { '~standard': { version: 1, vendor: 'nobody', validate } };
}

function recursive3(): StandardSchema {
  interface Tree {
    children: Tree[];
  }
  const tree: z3.ZodType<Tree> = z3.object({ children: z3.array(z3.lazy(() => tree)) });
  return tree;
}
