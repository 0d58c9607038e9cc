import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findLostNumber, parseExactly } from './find-lost-number.js';

test.each([
  ['{"payload":{"orderId":9007199254740993}}', ['payload', 'orderId']],
  ['{"jobs":[{"a":1},{"a":[1,-12345678901234567890]}]}', ['jobs', '1', 'a', '1']],
  ['9007199254740993', []],
  [`{"a":${'9'.repeat(400)}}`, ['a']],
  [`{"a":${'9'.repeat(309)}}`, ['a']],
  ['{"a":"9007199254740993","b":"\\"9007199254740993"}', null],
  ['{"a":9007199254740992,"b":10000000000000000000000}', null],
  ['{"a":1234567890123456789.5,"b":12345678901234567890e1}', null],
  // 1e23, 1.5e300 and the largest, as PostgreSQL writes what JavaScript has written
  [`{"a":1${'0'.repeat(23)},"b":-15${'0'.repeat(299)},"c":17976931348623157${'0'.repeat(292)}}`, null],
  [`{"a":1${'0'.repeat(22)}1}`, ['a']],
  // the last one of a name counts
  ['{"a":9007199254740993,"a":1}', null],
])('%s: what is lost is at %j', (json, path) => {
  expect(findLostNumber(json)).toEqual(path);
});

test('what is read is what was written, but for lost numbers, which are their digits as a text', () => {
  expect(parseExactly('{"id":"2078400000000002","a":[-9007199254740993, 7],"b":1.50}')).toEqual({
    id: '2078400000000002',
    a: ['-9007199254740993', 7],
    b: 1.5,
  });
  expect(parseExactly(`1${'0'.repeat(400)}`)).toBe(`1${'0'.repeat(400)}`);
});

test('nothing that JavaScript has written is lost', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true })), (value) => {
      expect(findLostNumber(JSON.stringify(value))).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['millions of digits', (many: string) => `{"jobs":[{"a":-${many}}]}`, ['jobs', '0', 'a']],
  ['millions of digits of a fraction', (many: string) => `{"a":1.${many},"b":[1e${many}]}`, null],
  ['a text of millions of digits', (many: string) => `{"a":"${many}","b":9007199254740993}`, ['b']],
  ['a text of millions of escapes', (many: string) => `{"a":"${many.replaceAll('7', '\\"')}1234567890123456"}`, null],
])('%s are read as few are', (_what, write, path) => {
  expect(findLostNumber(write('7'.repeat(16_000_000)))).toEqual(path);
});
