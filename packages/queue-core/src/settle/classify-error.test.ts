import { describe, expect, test } from '@jest/globals';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
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
  ])('%s', (_, error, code) => {
    expect(classifyError(error)).toMatchObject({ isPermanent: false, record: { code } });
  });
});

describe('an error after which no attempt can succeed is not retried', () => {
  test.each<[string, unknown, string]>([
    ['bad input, as zod says it', z.string().safeParse(1).error, 'unexpected_error'],
    ['bad input, as valibot says it', thrownBy(() => v.parse(v.string(), 1)), 'unexpected_error'],
    ['bad input, as arktype says it', thrownBy(() => type('string').assert(1)), 'unexpected_error'],
    [
      'HTTP 404 of got',
      coded('ERR_NON_2XX_3XX_RESPONSE', { response: { statusCode: 404 } }),
      'ERR_NON_2XX_3XX_RESPONSE',
    ],
    ['HTTP 401 that is the code', Object.assign(new Error('x'), { code: 401, response: { headers: {} } }), 'http_401'],
    ['HTTP 404', Object.assign(new Error('x'), { statusCode: 404 }), 'http_404'],
    ['SMTP 550', coded('EENVELOPE', { responseCode: 550 }), 'EENVELOPE'],
    ['permission denied', coded('EACCES'), 'EACCES'],
    ['a missing file', coded('ENOENT'), 'ENOENT'],
    ['a missing record', coded('P2025'), 'P2025'],
    ['a violated constraint', coded('23514'), '23514'],
  ])('%s', (_, error, code) => {
    expect(classifyError(error)).toMatchObject({ isPermanent: true, record: { code } });
  });
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
