import { describe, expect, test } from '@jest/globals';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { StepMisuseError, type StepMisuseCode } from '../step-misuse-error.js';
import { classifyError } from './classify-error.js';

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });
const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('an error after which another attempt could succeed is retried', () => {
  test.each<[string, unknown, string]>([
    ['a network error', coded('ECONNRESET'), 'ECONNRESET'],
    [
      'what fetch makes of one',
      Object.assign(new TypeError('fetch failed'), { cause: coded('ECONNREFUSED') }),
      'ECONNREFUSED',
    ],
    ['a time-out', new DOMException('took too long', 'TimeoutError'), 'timeout'],
    ['HTTP 503', Object.assign(new Error('x'), { status: 503 }), 'http_503'],
    [
      'HTTP 503 of got',
      coded('ERR_NON_2XX_3XX_RESPONSE', { response: { statusCode: 503 } }),
      'ERR_NON_2XX_3XX_RESPONSE',
    ],
    ['HTTP 429 that is the code', Object.assign(new Error('x'), { code: 429 }), 'http_429'],
    ['gRPC, whose codes are small numbers', Object.assign(new Error('x'), { code: 14 }), 'unexpected_error'],
    ['HTTP 429', Object.assign(new Error('x'), { response: { status: 429 } }), 'http_429'],
    ['SMTP 451', coded('EMESSAGE', { responseCode: 451 }), 'EMESSAGE'],
    ['a deadlock', coded('40P01'), '40P01'],
    ['a bug', new TypeError('x is not a function'), 'unexpected_error'],
    ['a thrown string', 'no', 'thrown_value'],
    ['a thrown null', null, 'thrown_value'],
    ['a receiver that is being deployed: HTTP 404', Object.assign(new Error('x'), { statusCode: 404 }), 'http_404'],
    ['a key that is being changed: HTTP 401', Object.assign(new Error('x'), { status: 401 }), 'http_401'],
    ['somebody else was quicker: HTTP 409', Object.assign(new Error('x'), { status: 409 }), 'http_409'],
    ['a file that is not there yet', coded('ENOENT'), 'ENOENT'],
    ['a right that is missing yet', coded('EACCES'), 'EACCES'],
    ['a row that another transaction is about to commit', coded('P2025'), 'P2025'],
    ['a unique violation: the next attempt finds the row', coded('23505'), '23505'],
    ['a column that a migration is about to add', coded('42703'), '42703'],
    ['an answer that zod refuses', z.string().safeParse(1).error, 'unexpected_error'],
    ['an answer that valibot refuses', thrownBy(() => v.parse(v.string(), 1)), 'unexpected_error'],
    ['an answer that arktype refuses', thrownBy(() => type('string').assert(1)), 'unexpected_error'],
  ])('%s', (_, error, code) => {
    expect(classifyError(error)).toMatchObject({ isPermanent: false, record: { code } });
  });
});

/** The compiler names the code that is missing. */
const MISUSES: Readonly<Record<StepMisuseCode, true>> = {
  steps_changed: true,
  step_named_twice: true,
  step_misused: true,
  not_durable: true,
  other_shard: true,
  wait_by_sensitive: true,
};

test.each(Object.keys(MISUSES) as StepMisuseCode[])(
  'a handler that uses steps against their rules is not tried again: %s',
  (code) => {
    expect(classifyError(new StepMisuseError(code, 'x'))).toMatchObject({ isPermanent: true, record: { code } });
  },
);

describe('an error of which the other side says that no attempt can succeed is not retried', () => {
  test.each<[string, unknown, string]>([
    [
      'HTTP 410 of got',
      coded('ERR_NON_2XX_3XX_RESPONSE', { response: { statusCode: 410 } }),
      'ERR_NON_2XX_3XX_RESPONSE',
    ],
    ['HTTP 422 that is the code', Object.assign(new Error('x'), { code: 422, response: { headers: {} } }), 'http_422'],
    ['HTTP 402, a card that is declined', Object.assign(new Error('x'), { statusCode: 402 }), 'http_402'],
    ['SMTP 550', coded('EENVELOPE', { responseCode: 550 }), 'EENVELOPE'],
    ['an effect that may have happened', coded('effect_unknown'), 'effect_unknown'],
  ])('%s', (_, error, code) => {
    expect(classifyError(error)).toMatchObject({ isPermanent: true, record: { code } });
  });
});

test('a contract names what is permanent or transient for it, by the code or the class of the error', () => {
  class UnrecoverableError extends Error {
    override readonly name = 'UnrecoverableError';
  }
  const rule = { permanent: ['card_declined', 'UnrecoverableError'], transient: ['http_410'] };
  expect(classifyError(coded('card_declined'), rule).isPermanent).toBe(true);
  expect(classifyError(new UnrecoverableError('no'), rule).isPermanent).toBe(true);
  expect(classifyError(Object.assign(new Error('x'), { status: 410 }), rule).isPermanent).toBe(false);
});

test('what is kept of an error is bounded and storable', () => {
  const error = new Error(`\0${'x'.repeat(5_000)}\ud800`);
  error.stack = 's'.repeat(50_000);
  const { record } = classifyError(error);
  expect(record.message).toHaveLength(1_000);
  expect(record.message).not.toContain('\0');
  expect(record.stack!.length).toBeLessThanOrEqual(8_000);
  expect(classifyError(Object.assign(new Error(''), { name: '' })).record).toMatchObject({
    type: 'Error',
    message: 'Error',
  });
});
