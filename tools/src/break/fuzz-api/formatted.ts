import fc from 'fast-check';

const FIRST = new Date('0000-01-01T00:00:00.000Z');
const LAST = new Date('9999-12-31T23:59:59.999Z');
const moment = fc.oneof(
  fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
  fc.date({ min: FIRST, max: LAST, noInvalidDate: true }),
  fc.constantFrom(FIRST, LAST, new Date(0), new Date(-1)),
);
const inOtherZone = fc.constantFrom(
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00+23:59',
  '2026-03-29T02:30:00+01:00',
  '2028-02-29T00:00:00Z',
);

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.oneof(
    { arbitrary: moment.map((at) => at.toISOString()), weight: 4 },
    { arbitrary: inOtherZone, weight: 1 },
  ),
  date: moment.map((at) => at.toISOString().slice(0, 10)),
  email: fc.oneof(fc.constant('ada@example.com'), fc.emailAddress()),
  uri: fc.oneof(fc.constant('https://example.com/'), fc.webUrl()),
  'uri-reference': fc.webPath(),
  uuid: fc.uuid(),
};

/** Texts of a format that JSON Schema names; null: it is none that the document uses. */
export function formatted(format: string): fc.Arbitrary<string> | null {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]! : null;
}
