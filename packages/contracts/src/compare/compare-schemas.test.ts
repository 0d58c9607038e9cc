import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { z } from 'zod';
import { compareSchemas } from './compare-schemas.js';
import type { JsonSchema } from '../describe-schema.js';

const of = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input' });
const answer = (one: JsonSchema, other: JsonSchema): string => compareSchemas(one, other).answer;

interface Tree {
  name: string;
  kids: Tree[];
}
const tree: z.ZodType<Tree> = z.object({ name: z.string(), kids: z.array(z.lazy(() => tree)) });
interface OldTree {
  name: string;
  kids: OldTree[];
}
const oldTree: z.ZodType<OldTree> = z.strictObject({ name: z.string().min(2), kids: z.array(z.lazy(() => oldTree)) });

describe('what a rule calls contained', () => {
  test.each<[string, z.ZodType, z.ZodType]>([
    ['a field that may be missing', z.object({ a: z.string() }), z.object({ a: z.string().optional() })],
    ['a wider range', z.int().min(1).max(5), z.int().min(0)],
    ['an integer above an open limit', z.int().gt(0), z.int().min(1)],
    ['a number instead of an integer', z.int(), z.number()],
    ['one more of an enum', z.enum(['a', 'b']), z.enum(['a', 'b', 'c'])],
    ['a text instead of an enum', z.enum(['ab', 'cd']), z.string().min(2).max(2)],
    ['null, too', z.string(), z.string().nullable()],
    ['one more alternative', z.union([z.string(), z.int()]), z.union([z.int(), z.string(), z.boolean()])],
    [
      'one more kind',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), n: z.int() }),
        z.object({ kind: z.literal('b') }),
      ]),
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('c') }),
        z.object({ kind: z.literal('a'), n: z.number() }),
        z.object({ kind: z.literal('b') }),
      ]),
    ],
    ['a record of more', z.record(z.string(), z.int()), z.record(z.string(), z.number())],
    [
      'a strict object among open ones',
      z.strictObject({ a: z.string() }),
      z.object({ a: z.string(), b: z.int().optional() }),
    ],
    [
      'an intersection',
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.int() })),
      z.object({ b: z.int() }),
    ],
    ['a tuple as a list', z.tuple([z.string(), z.string()], z.string()), z.array(z.string())],
    ['a tree of trees', oldTree, tree],
    ['any JSON', z.object({ a: z.json() }), z.object({ a: z.json() })],
    ['a format that stays', z.object({ at: z.email().max(10) }), z.object({ at: z.email() })],
  ])('holds for %s', (_, one, other) => {
    expect(compareSchemas(of(one), of(other))).toEqual({ answer: 'yes' });
  });

  test.each<[string, z.ZodType, z.ZodType, object]>([
    ['a new field', z.object({}), z.object({ a: z.string() }), { answer: 'no', pointer: '/a' }],
    ['a tighter range', z.int(), z.int().min(1), { answer: 'no', pointer: '', why: 'minimum is tighter' }],
    ['one less of an enum', z.object({ k: z.enum(['a', 'b']) }), z.object({ k: z.enum(['a']) }), { pointer: '/k' }],
    [
      'another type',
      z.object({ a: z.array(z.object({ n: z.int() })) }),
      z.object({ a: z.array(z.object({ n: z.string() })) }),
      { answer: 'no', pointer: '/a/*/n' },
    ],
    ['a field that was free', z.object({}), z.object({ a: z.string().optional() }), { answer: 'no', pointer: '/a' }],
    ['an unknown field', z.object({ a: z.string() }), z.strictObject({ a: z.string() }), { answer: 'no' }],
    ['a deeper tree', tree, oldTree, { answer: 'no' }],
    [
      'another pattern',
      z.string().regex(/^a/),
      z.string().regex(/^b/),
      { answer: 'no', why: 'the pattern is another one' },
    ],
  ])('does not hold for %s, and says where and why', (_, one, other, expected) => {
    expect(compareSchemas(of(one), of(other))).toMatchObject(expected);
  });

  test.each<[string, JsonSchema, JsonSchema]>([
    [
      'a limit that is no value itself any more',
      { type: 'number', minimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      'keys that match a pattern which only the other schema has',
      { type: 'object', patternProperties: { '^a': { type: 'string' } }, additionalProperties: false },
      { type: 'object', patternProperties: { b$: { type: 'number' } } },
    ],
  ])('does not hold for %s', (_, one, other) => {
    expect(answer(one, other)).toBe('no');
  });

  test.each<[string, JsonSchema]>([
    ['a keyword that no rule knows', { type: 'object', unevaluatedProperties: false }],
    ['one that nobody knows', { isEven: true }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }],
    ['a schema that is defined by itself only', { anyOf: [{ $ref: '#' }] }],
  ])('is unknown for %s', (_, other) => {
    expect(answer({ type: 'object', properties: {} }, other)).toBe('unknown');
    expect(answer(other, other)).toBe('yes');
  });
});

/** Random schemas of a few keywords and names, so that two of them have much in common, and values that may fit them. */
const SEED = Number(process.env['SEED'] ?? 20_260_131);
const names = ['a', 'b', 'ab'];
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 1.5, -1, 'a', 'b', 'ab', '');
const { node, typed } = fc.letrec<{ node: object | boolean; typed: object }>((tie) => {
  const inner = tie('node');
  const keys = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
  const small = fc.integer({ min: 0, max: 3 });
  const map = fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 2, noNullPrototype: true });
  return {
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
      tie('typed'),
      fc.boolean(),
      fc.record({ const: scalar }),
      fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
      tie('typed'),
      fc.record({ anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(inner, { minLength: 1, maxLength: 2 }) }),
      fc.record({ not: inner }),
      fc.constantFrom({ $ref: '#/$defs/one' }, { $ref: '#/$defs/two' }),
    ),
    typed: fc.oneof(
      fc.record({ type: fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object') }),
      fc.record({ type: fc.constantFrom(['string', 'null'], ['integer', 'object']) }),
      fc.record(
        {
          type: fc.constantFrom('integer', 'number'),
          minimum: small,
          maximum: small,
          exclusiveMinimum: small,
          exclusiveMaximum: small,
          multipleOf: fc.constantFrom(1, 2, 0.5),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        { type: fc.constant('string'), minLength: small, maxLength: small, pattern: fc.constantFrom('^a', 'b$') },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constant('array'),
          items: inner,
          prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: map,
          required: keys,
          additionalProperties: inner,
          patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { maxKeys: 2, noNullPrototype: true }),
          propertyNames: fc.constantFrom({ maxLength: 1 }, { enum: ['a', 'ab'] }, { pattern: '^a' }),
          minProperties: small,
          maxProperties: small,
          dependentRequired: fc.constantFrom({ a: ['b'] }, { b: ['a', 'ab'] }),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});
const schema = fc.tuple(node, node, node).map(([root, one, two]) => ({
  allOf: [root],
  $defs: {
    one: { type: ['array', 'object', 'string'], items: one },
    two: { type: ['object', 'null'], properties: { a: two } },
  },
}));
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    scalar,
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;
/** The same for all pairs: every scalar, and objects and lists of them. */
const values: readonly unknown[] = fc.sample(value, { seed: SEED, numRuns: 600 });

const inRoot = (one: object): JsonSchema => ({
  ...one,
  $defs: { one: { type: 'string' }, two: { type: ['object', 'null'] } },
});

/** A pair of which the second one is often the first one, with a little changed: equal pairs would prove nothing. */
const pair = fc.oneof(
  fc.tuple(schema, schema),
  // one of which has what the other one has, but for one keyword
  fc
    .tuple(typed, typed, fc.nat(), fc.boolean())
    .map(([one, more, pick, isMore]) => {
      const [keyword, given] = Object.entries(more)[pick % Math.max(1, Object.keys(more).length)] ?? ['title', ''];
      const other = { ...one, [keyword]: given as unknown };
      return isMore ? [one, other] : [other, one];
    })
    .map(([one, other]) => [inRoot(one!), inRoot(other!)] as const),
  fc.tuple(schema, node).map(([one, more]) => [one, { ...one, allOf: [{ anyOf: [...one.allOf, more] }] }] as const),
  fc.tuple(schema, node).map(([one, more]) => [{ ...one, allOf: [...one.allOf, more] }, one] as const),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, addUsedSchema: false });

test('a schema that is called contained has no value that the other one refuses', () => {
  const seen = { yes: 0, no: 0, unknown: 0, values: 0 };
  fc.assert(
    fc.property(pair, ([one, other]) => {
      const { answer: told } = compareSchemas(one, other);
      seen[told]++;
      if (told !== 'yes') return;
      const [takes, takesToo] = [ajv.compile(one), ajv.compile(other)];
      for (const candidate of values.filter((item) => takes(item))) {
        seen.values++;
        if (!takesToo(candidate)) expect({ one, other, candidate }).toBe('taken by both');
      }
    }),
    { seed: SEED, numRuns: 1_000 },
  );
  // otherwise it has proven nothing
  expect(seen.yes).toBeGreaterThan(100);
  expect(seen.values).toBeGreaterThan(500);
});
