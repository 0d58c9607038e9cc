import { describe, expect, test } from '@jest/globals';
import { parseFilter } from './parse-filter.js';

const terms = (text: string) => {
  const parsed = parseFilter(text);
  if (!parsed.isOk) throw new Error(JSON.stringify(parsed.errors));
  return parsed.filter.terms;
};
/** The codes of the errors, each with the part of the text that it is about. */
const errors = (text: string) => {
  const parsed = parseFilter(text);
  if (parsed.isOk) throw new Error(`${text} was read`);
  return parsed.errors.map(({ code, from, to }) => [code, text.slice(from, to)]);
};
const hint = (text: string) => {
  const parsed = parseFilter(text);
  return parsed.isOk ? undefined : parsed.errors[0]!.hint;
};
const plain = (text: string) => ({ text, isQuoted: false });

test('every field of the language is read in one filter', () => {
  expect(
    terms(
      'status:dead type:send_invoice queue:mail error:ECONNREFUSED key:invoice:812 schedule:nightly version:<3 since:2h payload.orderId:812 "text of an error"',
    ),
  ).toEqual([
    { field: 'status', isNot: false, values: ['dead'] },
    { field: 'type', isNot: false, values: ['send_invoice'] },
    { field: 'queue', isNot: false, values: ['mail'] },
    { field: 'error', isNot: false, values: ['ECONNREFUSED'] },
    { field: 'key', isNot: false, values: ['invoice:812'] },
    { field: 'schedule', isNot: false, values: ['nightly'] },
    { field: 'version', isNot: false, values: [{ operator: '<', value: 3 }] },
    { field: 'since', moment: { agoMs: 7_200_000 } },
    { field: 'payload', isNot: false, path: ['orderId'], values: [plain('812')] },
    { field: 'error', isNot: false, values: ['text of an error'] },
  ]);
});

test('gates are told by their kinds and keys, and tenants by their values', () => {
  expect(terms('held:limit,rate -held:any gate:limit/send_mail.accountId/7 tenant:acme')).toEqual([
    { field: 'held', isNot: false, values: ['limit', 'rate'] },
    { field: 'held', isNot: true, values: ['any'] },
    { field: 'gate', isNot: false, values: ['limit/send_mail.accountId/7'] },
    { field: 'tenant', isNot: false, values: ['acme'] },
  ]);
  expect(hint('held:limits')).toBe('Did you mean held:limit?');
  expect(hint('held:limit/smtp')).toBe('gate:limit/smtp');
});

test('an empty filter, or one of blanks, fits every job', () => {
  expect(terms('')).toEqual([]);
  expect(terms(' \t\n')).toEqual([]);
});

test('several values are alternatives, and a minus excludes them', () => {
  expect(terms('status:dead,failed -type:a,"b c"')).toEqual([
    { field: 'status', isNot: false, values: ['dead', 'failed'] },
    { field: 'type', isNot: true, values: ['a', 'b c'] },
  ]);
  expect(terms('-"x y"')).toEqual([{ field: 'error', isNot: true, values: ['x y'] }]);
});

test('quotes keep blanks, commas and, after a backslash, quotes', () => {
  expect(terms(String.raw`key:"a, \"b\" \\ c:d"`)).toEqual([
    { field: 'key', isNot: false, values: [String.raw`a, "b" \ c:d`] },
  ]);
  expect(terms('payload."order.id".x:"812"')).toEqual([
    { field: 'payload', isNot: false, path: ['order.id', 'x'], values: [{ text: '812', isQuoted: true }] },
  ]);
});

test.each([
  ['since:90m', { agoMs: 5_400_000 }],
  ['since:1d12h', { agoMs: 129_600_000 }],
  ['until:2026-11-23', { at: '2026-11-23T00:00:00.000Z' }],
  ['since:2026-11-23T09:30', { at: '2026-11-23T09:30:00.000Z' }],
  ['since:2026-11-23T09:30:15+01:00', { at: '2026-11-23T08:30:15.000Z' }],
])('%s is a moment, in UTC where it names no zone', (text, moment) => {
  expect(terms(text)).toEqual([{ field: text.slice(0, 5), moment }]);
});

test('numbers are compared', () => {
  expect(terms('version:>=2 version:<5 priority:0,>7')).toEqual([
    { field: 'version', isNot: false, values: [{ operator: '>=', value: 2 }] },
    { field: 'version', isNot: false, values: [{ operator: '<', value: 5 }] },
    {
      field: 'priority',
      isNot: false,
      values: [
        { operator: '=', value: 0 },
        { operator: '>', value: 7 },
      ],
    },
  ]);
});

describe('what is wrong comes back with its code and its place:', () => {
  test.each([
    ['type:a stauts:dead', 'unknown_field', 'stauts'],
    ['orderId:812', 'unknown_field', 'orderId'],
    ['status.x:dead', 'unknown_field', 'status.x'],
    ['dead', 'word_alone', 'dead'],
    ['a:b OR c:d', 'unknown_field', 'a'],
    ['type:', 'missing_value', ':'],
    ['type:a,,b', 'missing_value', ':a,'],
    ['payload:812', 'missing_path', 'payload'],
    ['payload..x:812', 'missing_path', ''],
    ['type:a "no end', 'unclosed_quote', '"no end'],
    ['key:"a"b', 'misplaced_quote', '"a"b'],
    ['key:a"b"', 'misplaced_quote', 'a"b"'],
    ['key:a\u0000b', 'invalid_character', '\u0000'],
    ['status:dead,deda', 'unknown_status', 'deda'],
    ['held:limits', 'unknown_gate', 'limits'],
    ['held:limit/smtp', 'unknown_gate', 'limit/smtp'],
    ['gate:""', 'invalid_name', '""'],
    ['id:x1', 'invalid_id', 'x1'],
    ['id:9223372036854775808', 'invalid_id', '9223372036854775808'],
    ['key:""', 'invalid_name', '""'],
    ['version:~3', 'invalid_number', '~3'],
    ['since:yesterday', 'invalid_moment', 'yesterday'],
    ['since:2026-02-31', 'invalid_moment', '2026-02-31'],
    ['since:0000-01-01', 'invalid_moment', '0000-01-01'],
    ['since:9999-12-31T23:59-01:00', 'invalid_moment', '9999-12-31T23:59-01:00'],
    ['error:"--"', 'no_word', '"--"'],
    ['-since:2h', 'not_negatable', '-since:2h'],
    ['since:2h,3h', 'not_several', '3h'],
    ['type:a type:b', 'repeated_field', 'type:b'],
  ])('%s', (text, code, place) => {
    expect(errors(text)[0]).toEqual([code, place]);
  });

  test('and all of it at once, in the order of the text', () => {
    expect(errors('stauts:dead version:x since:2h')).toEqual([
      ['unknown_field', 'stauts'],
      ['invalid_number', 'x'],
    ]);
  });

  test('and filters that are too long are not read', () => {
    expect(errors('x'.repeat(4_001))[0]![0]).toBe('too_long');
    expect(errors('error:a '.repeat(21))[0]![0]).toBe('too_many_terms');
    expect(errors(`id:${Array.from({ length: 101 }, (_, n) => n).join(',')}`)[0]![0]).toBe('too_many_values');
  });

  test('and filters with more values than every job is compared with', () => {
    const term = (n: number, values: number): string =>
      `-payload.n${n}:${Array.from({ length: values }, (_, value) => value).join(',')}`;
    const terms = (values: number): string => Array.from({ length: 20 }, (_, n) => term(n, values)).join(' ');
    expect(parseFilter(terms(10)).isOk).toBe(true);
    expect(errors(`${terms(10).replace('n19:0', 'n19:0,0')}`)).toEqual([
      ['too_many_values', '-payload.n19:0,0,1,2,3,4,5,6,7,8,9'],
    ]);
  });
});

test.each([
  ['stauts:dead', 'Did you mean status:?'],
  ['stat:dead', 'Did you mean status:?'],
  ['job_type:x', null],
  ['customer.id:5', 'Did you mean payload.customer.id?'],
  ['status:faild', 'Did you mean status:failed?'],
  ['dead', 'status:dead'],
  ['812', 'id:812'],
  ['ECONNREFUSED', '"ECONNREFUSED" looks for the word in errors'],
  ['-since:2h', 'until:…'],
  ['type:a type:b', 'Alternatives are written with a comma: type:one,two'],
])('%s is answered with the hint %j', (text, expected) => {
  expect(hint(text)).toBe(expected);
});

test('ids have the names of their shards where they may', () => {
  const named = (text: string) => parseFilter(text, { isOfShards: true });
  expect(named('id:b.007,8 parent:b.17')).toMatchObject({
    filter: {
      terms: [
        { field: 'id', values: ['b.7', '8'] },
        { field: 'parent', values: ['b.17'] },
      ],
    },
  });
  expect(named('id:B.17')).toMatchObject({ errors: [{ code: 'invalid_id' }] });
  expect(named('id:b.99999999999999999999')).toMatchObject({ errors: [{ code: 'invalid_id' }] });
  expect(errors('id:b.17')).toEqual([['invalid_id', 'b.17']]);
});

test('shards narrow a filter where there are several databases', () => {
  const named = (text: string) => parseFilter(text, { isOfShards: true });
  expect(named('shard:b,c -shard:a')).toMatchObject({
    filter: {
      terms: [
        { field: 'shard', isNot: false, values: ['b', 'c'] },
        { field: 'shard', isNot: true, values: ['a'] },
      ],
    },
  });
  expect(named('shard:B')).toMatchObject({ errors: [{ code: 'invalid_name' }] });
  expect(errors('shard:b')).toEqual([['unknown_field', 'shard']]);
});
