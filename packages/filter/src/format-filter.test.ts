import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FILTER_STATUSES, type JobFilterTerm } from './filter.js';
import { formatFilter } from './format-filter.js';
import { parseFilter } from './parse-filter.js';

/** Characters that mean something in the language more often than chance would have them. */
const letters = fc.oneof(
  fc.constantFrom(...Array.from(' ",:.-<\\é€0aZ\n')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const isStorable = (text: string): boolean => text.isWellFormed() && !/[^\P{Cc}\s]/u.test(text);
const text = fc
  .array(letters, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter(isStorable);
const many = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 });
const plainValue = fc.stringMatching(/^[^\s",]{1,10}$/).filter(isStorable);

const term: fc.Arbitrary<JobFilterTerm> = fc.oneof(
  fc.record({
    field: fc.constant('status' as const),
    isNot: fc.boolean(),
    values: many(fc.constantFrom(...FILTER_STATUSES)),
  }),
  fc.record({
    field: fc.constantFrom('type', 'queue', 'key', 'schedule', 'worker'),
    isNot: fc.boolean(),
    values: many(text),
  }),
  fc.record({
    field: fc.constant('id' as const),
    isNot: fc.boolean(),
    values: many(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)),
  }),
  fc.record({
    field: fc.constant('error' as const),
    isNot: fc.boolean(),
    values: many(text.map((words) => `${words}x`)),
  }),
  fc.record({
    field: fc.constantFrom('version', 'priority', 'attempts'),
    isNot: fc.boolean(),
    values: many(fc.record({ operator: fc.constantFrom('=', '<', '<=', '>', '>='), value: fc.nat(999_999_999) })),
  }),
  fc.record({
    field: fc.constantFrom('since', 'until'),
    moment: fc.oneof(
      fc.record({ agoMs: fc.nat(2_000_000_000) }),
      fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
        .map((date) => ({ at: date.toISOString() })),
    ),
  }),
  fc.record({
    field: fc.constant('payload' as const),
    isNot: fc.boolean(),
    path: many(fc.oneof(text, fc.constant(''))),
    values: many(
      fc.oneof(
        text.map((value) => ({ text: value, isQuoted: true })),
        plainValue.map((value) => ({ text: value, isQuoted: false })),
      ),
    ),
  }),
) as fc.Arbitrary<JobFilterTerm>;

/** No field twice, which the parser refuses. */
const filter = fc
  .uniqueArray(term, {
    maxLength: 6,
    selector: (one) => (one.field === 'payload' ? JSON.stringify(one.path) : one.field),
  })
  .map((terms) => ({ terms }));

test('whatever is printed is read as the same filter again', () => {
  fc.assert(
    fc.property(filter, (given) => {
      const printed = formatFilter(given);
      expect({ printed, ...parseFilter(printed) }).toMatchObject({ printed, isOk: true, filter: given });
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is typed is read or refused, never thrown, and what is read is printed as it is meant', () => {
  const words = fc.constantFrom(
    'status',
    'dead',
    'payload',
    'since',
    '2h',
    'error',
    ':',
    '-',
    '"',
    ',',
    '.',
    ' ',
    '\\',
    '<3',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, letters), { maxLength: 15 }), (parts) => {
      const typed = parts.join('');
      const parsed = parseFilter(typed);
      if (parsed.isOk) {
        expect(parseFilter(formatFilter(parsed.filter))).toMatchObject({ isOk: true, filter: parsed.filter });
        return;
      }
      for (const { from, to } of parsed.errors) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(typed.length);
      }
    }),
    { numRuns: 5_000 },
  );
});
