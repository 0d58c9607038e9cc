import { expect, test } from '@jest/globals';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { isNestedOver } from './is-nested-over.js';

function measure(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measure));
}

test('nesting is counted as a parser counts it, whatever the strings contain', async () => {
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
      const depth = measure(value);
      expect([isNestedOver(depth, bytes), depth > 0 && isNestedOver(depth - 1, bytes)]).toEqual([false, depth > 0]);
    }),
    200,
  );
});

test.each(['', '"', '"\\', ']]]]', '{"a', '\\"['])(
  'the text %p counts as not too deep, and the parser refuses it',
  (text) => {
    expect(isNestedOver(1, new TextEncoder().encode(text))).toBe(false);
  },
);
