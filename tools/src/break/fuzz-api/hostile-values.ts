import fc from 'fast-check';

/** Texts that break what was not made for them. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '😀',
    '\r\nX: y',
    '__proto__',
    'constructor',
    '$due',
    "' OR 1=1; --",
    '%_',
    '../..',
    '1e3',
    '-1',
    '99999999999999999999',
    'null',
    'x'.repeat(300),
    'x'.repeat(5_000),
  ),
);

const leaf = fc.oneof(
  hostileText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, 0, -0, -1, 2 ** 31, 2 ** 53, 1e308, [], {}),
);

/** Any JSON, a few levels deep. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(hostileText, tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
})).value;
