import { describe, expect, test } from '@jest/globals';
import { AbortReason, EffectMisuseError, EffectUnknownError } from '@duework/queue-core/handling';
import { classifyError } from '@duework/queue-core';
import { decodeError } from './decode-error.js';
import { encodeError } from './encode-error.js';

/** Encodes and decodes an error as the channel between two processes does. */
const carried = (error: unknown): unknown =>
  decodeError(JSON.parse(JSON.stringify(encodeError(error))) as ReturnType<typeof encodeError>);

class HttpError extends Error {
  override get name(): string {
    return 'HttpError';
  }
  get status(): number {
    return 429;
  }
}

const thrown: [string, unknown][] = [
  ['an error', new Error('broken')],
  ['its class', new RangeError('too far')],
  ['its code', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ['a permanent status', Object.assign(new Error('gone'), { status: 410 })],
  ['a status on its class', new HttpError('slow down')],
  ['a status', Object.assign(new Error('no'), { statusCode: 404 })],
  ['the status of an answer', Object.assign(new Error('no'), { response: { status: 503, body: 'long' } })],
  ['a reply of a mail server', Object.assign(new Error('no such mailbox'), { responseCode: 550 })],
  [
    'the code of its cause',
    new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ENOTFOUND' }) }),
  ],
  [
    'what PostgreSQL says through Prisma',
    Object.assign(new Error('raw'), {
      code: 'P2010',
      meta: { driverAdapterError: { cause: { originalCode: '23505', originalMessage: 'duplicate' } } },
    }),
  ],
  ['a time-out', new DOMException('timed out', 'TimeoutError')],
  ['an object', { code: 'quota_gone', message: 'all used' }],
  ['a text', 'just text'],
  ['a number', 42],
  ['null', null],
];

describe('an error from another process is classified as one from this process', () => {
  test.each(thrown)('%s', (_, error) => {
    expect(classifyError(carried(error))).toEqual(classifyError(error));
  });
});

test('an error of this package has its own class again', () => {
  const stop = carried(new AbortReason('cancelled', 'wrong order', 'ada'));
  expect(stop).toBeInstanceOf(AbortReason);
  expect(stop).toMatchObject({ code: 'cancelled', message: 'wrong order', by: 'ada' });
  expect(carried(new EffectUnknownError('?'))).toBeInstanceOf(EffectUnknownError);
  expect(carried(new EffectMisuseError('!'))).toBeInstanceOf(EffectMisuseError);
});

test('whatever is thrown, some error is carried', () => {
  const circular = new Error('round');
  circular.cause = circular;
  expect(carried(circular)).toMatchObject({ message: 'round', cause: { message: 'round' } });
  const hostile = {
    get message(): string {
      throw new Error('no');
    },
  };
  expect(carried(hostile)).toEqual({});
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(carried(proxy)).toMatchObject({ code: 'unreadable_error' });
  expect(carried(undefined)).toBe('undefined');
  expect(carried(10n)).toBe('10');
});
