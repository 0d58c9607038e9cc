import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineCatalog } from '../define-catalog.js';
import { defineJob } from '../define-job.js';
import { compareContracts } from '../lock/compare-contracts.js';
import { lockContracts } from '../lock/lock-contracts.js';
import { formatLock, parseLock } from '../lock/parse-lock.js';
import { isSensitivePath } from './is-sensitive-path.js';
import { redactPayload, redactResult } from './redact-payload.js';

const card = z.object({ number: z.string(), last4: z.string() });
const payload = z.object({
  orderId: z.int(),
  iban: z.string(),
  customer: z.object({ email: z.email().optional(), name: z.string() }),
  cards: z.array(card),
  notes: z.record(z.string(), z.string()),
  paidBy: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('card'), number: z.string() }),
    z.object({ kind: z.literal('cash') }),
  ]),
});
const pay = defineJob({
  type: 'pay',
  payload,
  sensitive: ['/iban', '/customer/email', '/cards/*/number', '/notes/*', '/paidBy/number'],
  result: z.object({ receipt: z.string(), token: z.string() }),
  sensitiveResult: ['/token'],
});
const given = {
  orderId: 812,
  iban: 'DE89370400440532013000',
  customer: { email: 'ana@example.org', name: 'Ana' },
  cards: [
    { number: '4242424242424242', last4: '4242' },
    { number: '5555555555554444', last4: '4444' },
  ],
  notes: { gate: 'code 4711' },
  paidBy: { kind: 'card', number: '4000' },
};

describe('what a contract calls sensitive', () => {
  test('is hidden in a payload that is shown, nested, in arrays, records and unions, and nothing else is', () => {
    expect(redactPayload(pay, given)).toEqual({
      orderId: 812,
      iban: '[sensitive]',
      customer: { email: '[sensitive]', name: 'Ana' },
      cards: [
        { number: '[sensitive]', last4: '4242' },
        { number: '[sensitive]', last4: '4444' },
      ],
      notes: { gate: '[sensitive]' },
      paidBy: { kind: 'card', number: '[sensitive]' },
    });
    expect(given.iban).toBe('DE89370400440532013000');
  });

  test('is hidden in a result, and a field that is not there is not made up', () => {
    expect(redactResult(pay, { receipt: 'r-1', token: 't' })).toEqual({ receipt: 'r-1', token: '[sensitive]' });
    expect(redactResult(pay, null)).toBeNull();
    expect(redactPayload(pay, { orderId: 1, paidBy: null, cards: 'none' })).toEqual({
      orderId: 1,
      paidBy: null,
      cards: 'none',
    });
  });

  test('is hidden whole where no contract says what is sensitive', () => {
    expect(redactPayload(undefined, given)).toBe('[sensitive]');
    expect(redactResult(undefined, { token: 't' })).toBe('[sensitive]');
  });

  test('is hidden wherever it is encrypted, even where the contract no longer says so', () => {
    expect(redactPayload(pay, { orderId: { $sealed: 'k1:AAAA' }, cards: [[{ $sealed: 'k1:BBBB' }]] })).toEqual({
      orderId: '[sensitive]',
      cards: [['[sensitive]']],
    });
  });

  test.each([
    [['iban'], true],
    [['customer'], true],
    [['customer', 'email'], true],
    [['cards', '0', 'number'], true],
    [['notes', 'gate', 'deeper'], true],
    [[], true],
    [['orderId'], false],
    [['customer', 'name'], false],
    [['cards', '0', 'last4'], false],
  ])('is what a filter may not ask for: %j → %j', (parts, expected) => {
    expect(isSensitivePath(pay, parts)).toBe(expected);
  });

  test('may be the whole payload', () => {
    expect(redactPayload(defineJob({ type: 'all', payload, sensitive: [''] }), given)).toBe('[sensitive]');
  });

  test('covers what lies below it, so that no path is named twice', () => {
    const contract = defineJob({ type: 'pay', payload, sensitive: ['/customer/email', '/customer', '/iban', '/iban'] });
    expect(contract.sensitive).toEqual(['/customer', '/iban']);
  });

  test('stays sensitive in the versions of its past, where it has the same path or one of its own', () => {
    const contract = defineJob({
      type: 'pay',
      version: 2,
      payload: z.object({ iban: z.string(), emails: z.array(z.string()) }),
      sensitive: ['/iban', '/emails/*'],
      past: {
        1: {
          payload: z.object({ iban: z.string(), email: z.string() }),
          sensitive: ['/email'],
          lift: ({ iban, email }) => ({ iban, emails: [email] }),
        },
      },
    });
    expect(contract.past.get(1)!.sensitive).toEqual(['/email', '/iban']);
    expect(redactPayload(contract, { iban: 'DE1', email: 'a@b.c' })).toEqual({
      iban: '[sensitive]',
      email: '[sensitive]',
    });
  });
});

describe('a sensitive path that protects nothing is refused when the contract is defined', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['misspelt', ['/ibna'], /sensitive path "\/ibna" is not in its payload: there is orderId, iban, customer/],
    ['misspelt below a name', ['/customer/mail'], /there is email, name/],
    ['of an array whose elements are not named', ['/cards/number'], /there is \*/],
    ['below a text', ['/iban/country'], /there is nothing below it/],
    ['without a slash', ['iban'], /a path begins with "\/"/],
  ])('%s', (_, sensitive, message) => {
    const define = () => defineJob({ type: 'pay', payload, sensitive: sensitive as never });
    expect(define).toThrow(
      expect.objectContaining({ code: 'sensitive_unknown', message: expect.stringMatching(message) }),
    );
  });

  test('by the compiler, too', () => {
    // @ts-expect-error -- the payload has no such path
    expect(() => defineJob({ type: 'pay', payload, sensitive: ['/ibna'] })).toThrow(/ibna/);
    // @ts-expect-error -- an element needs a star
    expect(() => defineJob({ type: 'pay', payload, sensitive: ['/cards/number'] })).toThrow(/number/);
  });

  test('encryption that is required of a contract without sensitive values', () => {
    expect(() => defineJob({ type: 'pay', payload, encryption: 'required' })).toThrow(
      expect.objectContaining({ code: 'invalid_job_option' }),
    );
  });
});

describe('the lock', () => {
  const plain = defineCatalog([defineJob({ type: 'pay', payload })]);
  const marked = defineCatalog([pay]);

  test('shows which values are sensitive', () => {
    const lock = parseLock(formatLock(lockContracts(marked)));
    expect(lock.types['pay']!['1']!.schema).toMatchObject({
      properties: {
        iban: { type: 'string', 'x-sensitive': true },
        orderId: expect.not.objectContaining({ 'x-sensitive': true }),
      },
    });
  });

  test('takes a value that became sensitive, and says so', () => {
    const lock = lockContracts(plain);
    expect(compareContracts(marked, lock)).toEqual([
      expect.objectContaining({
        kind: 'changed_sensitive',
        isRefused: false,
        reasons: expect.arrayContaining(['/properties/iban is sensitive now']),
      }),
    ]);
    expect(compareContracts(marked, lockContracts(marked, lock))).toEqual([]);
  });

  test('refuses a value that is no longer sensitive under the same version, because payloads may be encrypted there', () => {
    const lock = lockContracts(marked);
    expect(compareContracts(plain, lock)).toEqual([
      expect.objectContaining({ kind: 'changed_sensitive', isRefused: true }),
    ]);
    expect(() => lockContracts(plain, lock)).toThrow(expect.objectContaining({ code: 'schema_changed' }));
  });
});
