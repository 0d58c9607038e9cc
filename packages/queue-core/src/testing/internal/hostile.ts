/** Values that nobody would send by mistake, for property tests. */
import fc from 'fast-check';

/** Text of any UTF-16 units, half surrogate pairs and NULs among them, and the classics. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    '😀',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'toJSON',
    '$slot',
    'NULL',
    '{}',
    '{a,"b"}',
    '"',
    '\\',
    '\\u0000',
    '%',
    '_',
    "'; DROP TABLE duework.job_runs; --",
    '$1',
    '1e400',
    '-0',
    ' ',
    '\u202e',
    '\ufeff',
    'é'.repeat(255),
    'x'.repeat(70_000),
    '😀'.repeat(128),
  ),
);

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1e308, 5e-324, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -1, 0.5, 1e21, 1e-7),
);

/** JSON, with hostile names and texts in it. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
  leaf: fc.oneof(hostileText, hostileNumber, fc.boolean(), fc.constant(null)),
  list: fc.array(tie('value'), { maxLength: 5 }),
  // an own "__proto__", as JSON.parse makes it
  object: fc.array(fc.tuple(hostileText, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
})).value;

export function nest(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

/** 2^levels values to whoever follows every reference. */
function fold(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level++) value = [value, value];
  return value;
}

function selfReferring(): object {
  const value: Record<string, unknown> = {};
  Object.assign(value, { left: value, right: [value] });
  return value;
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const MAKERS = {
  undefined: () => undefined,
  symbol: () => Symbol('s'),
  bigint: () => 2n ** 64n,
  function: () => () => 1,
  date: () => new Date(0),
  'invalid date': () => new Date(NaN),
  map: () => new Map([['a', 1]]),
  buffer: () => Buffer.from('abc'),
  'boxed text': () => Object('text'),
  holes: () => [1, , 3], // oxlint-disable-line eslint/no-sparse-arrays
  'many holes': () => Array(4_000_000_000),
  'undefined in an array': () => [undefined],
  'undefined in an object': () => ({ a: undefined, b: 1 }),
  'refers to itself': selfReferring,
  deep: () => nest(20_000),
  folded: () => fold(60),
  'getter that throws': () =>
    Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no\0');
      },
    }),
  'getter that throws nothing readable': () =>
    Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw revokedProxy();
      },
    }),
  'revoked proxy': revokedProxy,
  toJSON: () => ({ toJSON: () => '\0' }),
  'hidden toJSON': () => Object.defineProperty({ a: 1 }, 'toJSON', { value: () => '\0' }),
  'text of its own': () => ({
    toString: () => {
      throw new Error('no');
    },
  }),
  'no prototype': () => Object.create(null),
  'many values': () => Array(100_000).fill(0),
  noughts: () => Array(9_000).fill(1e300),
} as const satisfies Record<string, () => unknown>;

/** How to make a value: a property shows and shrinks this, because many of the values can be looked at once only, or never. */
export type Recipe =
  { readonly json: unknown } | { readonly kind: keyof typeof MAKERS; readonly inside: string | null };

/** Anything at all: JSON, and what JavaScript has beside it, alone or inside of an object. */
export const hostileRecipe: fc.Arbitrary<Recipe> = fc.oneof(
  { arbitrary: fc.record({ json: hostileJson }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom(...(Object.keys(MAKERS) as (keyof typeof MAKERS)[])),
      inside: fc.option(hostileText),
    }),
    weight: 1,
  },
);

export function make(recipe: Recipe): unknown {
  if ('json' in recipe) return recipe.json;
  const value = MAKERS[recipe.kind]();
  return recipe.inside === null ? value : Object.fromEntries([[recipe.inside, [value]]]);
}
