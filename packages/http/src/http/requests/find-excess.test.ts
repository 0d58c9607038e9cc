import { expect, test } from '@jest/globals';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { findExcess, type JsonBounds } from './find-excess.js';

/** What a parsed value has of each. */
function measure(value: unknown): JsonBounds {
  if (typeof value !== 'object' || value === null) return { levels: 0, parts: 0, values: 0 };
  const inner = Object.values(value).map(measure);
  const names = Array.isArray(value) ? 0 : inner.length;
  return {
    levels: 1 + inner.reduce((most, { levels }) => Math.max(most, levels), 0),
    parts: 1 + names + inner.reduce((sum, { parts }) => sum + parts, 0),
    values: Math.max(inner.length - 1, 0) + inner.reduce((sum, { values }) => sum + values, 0),
  };
}
const NONE: JsonBounds = { levels: Infinity, parts: Infinity, values: Infinity };

test('what a text has is counted as a parser counts it, whatever the strings contain', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[[\]{}"\\a]*$/));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  await fuzz(
    fc.property(json, (value) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      const has = measure(value);
      expect(findExcess(bytes, has)).toBe(null);
      for (const name of ['levels', 'parts', 'values'] as const)
        if (has[name] > 0) expect(findExcess(bytes, { ...NONE, [name]: has[name] - 1 })).toBe(name);
    }),
    200,
  );
});

test.each(['', '"', '"\\', ']]]]', '{"a', '\\"['])(
  'the text %p counts as nothing too much, and the parser refuses it',
  (text) => {
    expect(findExcess(new TextEncoder().encode(text), { levels: 1, parts: 1, values: 0 })).toBe(null);
  },
);
