import { defineJob } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { classifyError } from '../settle/classify-error.js';
import { cleanSecrets } from './clean-secrets.js';
import { makeCleaner } from './make-cleaner.js';

const pay = defineJob({
  type: 'pay',
  payload: z.object({
    orderId: z.int(),
    kind: z.string(),
    email: z.string(),
    ok: z.boolean(),
    iban: z.unknown(),
    notes: z.record(z.string(), z.string()),
  }),
  sensitive: ['/iban', '/notes/*'],
});
const payload = {
  orderId: 812,
  kind: 'invoice',
  email: 'ana@example.org',
  ok: true,
  iban: 'DE89 3704 0044 0532 0130 00',
  notes: { gate: 'Code 4711' },
};
const clean = makeCleaner(pay, { version: 1, payload });

describe('the text of an error', () => {
  test.each([
    ['The IBAN DE89 3704 0044 0532 0130 00 is unknown', 'The IBAN [sensitive] is unknown'],
    ['unknown: de89 3704 0044 0532 0130 00!', 'unknown: [sensitive]!'],
    ['Unexpected token, "DE89 3704 0"... is not JSON', 'Unexpected token, "[sensitive]"... is not JSON'],
    ['GET /ibans/DE89%203704%200044%200532%200130%2000 → 404', 'GET /ibans/[sensitive] → 404'],
    ['at the gate: code 4711', 'at the gate: [sensitive]'],
    ['no account DE89370400440532013000 here', 'no account [sensitive] here'],
    ['no account de89-3704-0044-0532-0130-00 here', 'no account [sensitive] here'],
    ['DE.89.37.04.00.44.05.32.01.30.00', '[sensitive]'],
    ['D E 8 9 3 7 0 4 0 0 4 4 is short', '[sensitive] is short'],
    ['key 0044/0532/0130', 'key [sensitive]'],
    ['00 0310 2350 4400 4073 98ED backwards', '[sensitive] backwards'],
    [`hex ${Buffer.from('DE89 3704 0044 0532 0130 00').toString('hex').toUpperCase()}`, 'hex [sensitive]'],
  ])('has no sensitive value, in whatever form or part: %s', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  test.each([
    ['Mailbox ana@example.org is full', 'Mailbox [/email] is full'],
    ['Order 812 has no invoice: true', 'Order 812 has no invoice: true'],
    ['dana@example.org is somebody else', 'dana@example.org is somebody else'],
    ['connect ECONNREFUSED 127.0.0.1:587', 'connect ECONNREFUSED 127.0.0.1:587'],
  ])('says where in the payload another value stands, and keeps words and short ids: %s', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  test('has no sensitive value that stands in the middle of a text in base64', () => {
    for (const head of ['', 'a', 'ab', 'abc']) {
      const text = Buffer.from(`${head}${payload.iban}${head}`).toString('base64');
      expect(clean(`token ${text}`)).toMatch(/^token .{0,6}\[sensitive\].{0,8}$/);
    }
  });

  test('is nothing but a code and a class where the contract wants that', () => {
    const quiet = defineJob({ type: 'pay', payload: pay.payload, sensitive: ['/iban'], errors: { text: 'left_out' } });
    const error = Object.assign(new Error('the IBAN ends with double zero'), { code: 'E_BANK', name: 'BankError' });
    const { record } = classifyError(error, quiet.errors, makeCleaner(quiet, { version: 1, payload }));
    expect(record).toEqual({
      code: 'E_BANK',
      type: 'BankError',
      message: 'What went wrong is not kept: its contract keeps the code and the class of an error alone.',
      stack: null,
    });
  });

  test('has no part of a sensitive value that is cut off by the limit of what is kept', () => {
    const { record } = classifyError(new Error(`${'x'.repeat(990)} ${payload.iban}`), pay.errors, clean);
    expect(record.message).not.toContain('DE89');
  });

  test('has no sensitive value in its code, its class or its stack', () => {
    const error = Object.assign(new Error(`no ${payload.iban}`), { code: payload.iban, name: payload.iban });
    expect(JSON.stringify(classifyError(error, pay.errors, clean).record)).not.toMatch(/DE89|3704/);
  });

  test('is not shown at all where nobody can tell what is sensitive, because the payload cannot be decrypted', () => {
    const blind = makeCleaner(pay, { version: 1, payload: { ...payload, iban: { $sealed: 'k9:AAAA' } } });
    expect(blind('The IBAN DE89 is unknown')).toMatch(/^What went wrong is not shown/);
  });

  test('has no sensitive string of six characters and more, whatever the payload and the message', () => {
    const texts = fc.oneof(
      fc.string({ minLength: 6, maxLength: 40 }),
      fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(
        texts,
        fc.string(),
        fc.string(),
        fc.constantFrom((s: string) => s, JSON.stringify, encodeURIComponent),
        (secret, head, tail, form) => {
          fc.pre(secret.trim().length >= 6 && secret.isWellFormed());
          const hide = makeCleaner(pay, { version: 1, payload: { ...payload, iban: { deep: [secret] } } });
          const { record } = classifyError(new Error(`${head}${form(secret)}${tail}`), pay.errors, hide);
          // what stands in its place could be the secret itself
          const shown = record.message.replaceAll('[sensitive]', '').replaceAll(/\[\/[\w*]*\]|\[secret\]/g, '');
          return !shown.includes(secret.trim()) && !shown.toLowerCase().includes(secret.trim().toLowerCase());
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a text without secrets', () => {
  test.each([
    ['401 for Bearer abcDEF123456', '401 for Bearer [secret]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [secret]'],
    ['connect postgres://app:hunter2@db:5432/shop failed', 'connect postgres://[secret]@db:5432/shop failed'],
    ['GET https://x.example/a?key=abc123&id=7', 'GET https://x.example/a?key=[secret]&id=7'],
    ['{"password":"hunter2","user":"ana"}', '{"password":[secret],"user":"ana"}'],
    ['api_key: sk-abcdefghijklmnop', 'api_key: [secret]'],
    ['AKIAIOSFODNN7EXAMPLE is not authorized', '[secret] is not authorized'],
    ['bad eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'bad [secret]'],
    ['sk_live_1234567890abcdef was refused', '[secret] was refused'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----.', '[secret].'],
  ])('%s', (text, expected) => {
    expect(cleanSecrets(text)).toBe(expected);
  });

  test.each([
    'duplicate key value violates unique constraint "orders_pkey"',
    'Unexpected token: a comma',
    'Bearer tokens are not accepted',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'invalid email address: see https://example.org/docs?page=2',
    'basic authentication is off',
    'TypeError: x is not a function\n    at run (/app/dist/main.js:10:5)',
  ])('keeps what is none: %s', (text) => {
    expect(cleanSecrets(text)).toBe(text);
  });

  test('takes time in proportion to the length of the text', () => {
    const hostile = [
      'eyJ',
      'key=',
      'a://',
      'Bearer a',
      'password',
      '-----BEGIN PRIVATE KEY-----',
      'sk-',
      '"key" :',
      'aaaa_',
    ];
    for (const part of hostile) {
      const before = process.cpuUsage();
      cleanSecrets(part.repeat(16_384 / part.length));
      const { user } = process.cpuUsage(before);
      expect({ part, isSlow: user > 300_000 }).toEqual({ part, isSlow: false });
    }
  });
});
