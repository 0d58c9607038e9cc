import { ContractError } from '@duework/contracts';
import { DatabaseError } from '@duework/database';
import { DueworkError, HandlersError } from '@duework/queue-core';
import { findOwnFile } from '@duework/queue-core/internals';
import { expect, test } from '@jest/globals';
import { describeStartError } from './describe-start-error.js';
import { PortError } from './http/port-error.js';
import { OptionsError } from './settings/options-error.js';

const URL = 'postgres://127.0.0.1:5432/shop';

function errorOf(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not throw.');
}

test.each<Error>([
  errorOf(() => findOwnFile('./lease-thread.js', undefined)),
  new HandlersError('handler_missing', 'send_receipt', 'send_receipt has no handler.'),
  Object.assign(new Error('The handler of render, render.ts, cannot be loaded'), { code: 'isolated_module_invalid' }),
  new PortError('Port 4601 on 127.0.0.1 is taken.'),
  new OptionsError(['CONCURRENCY must be a whole number']),
  new DueworkError('not_migrated', { missing: 'the table job_runs' }),
  errorOf(() => {
    throw new ContractError('payload_not_json', 'The payload of send_receipt is not JSON.');
  }),
])('an error of ours on which a worker cannot start keeps its own words and code: $name', (error) => {
  expect(describeStartError(error, URL)).toBe(error);
});

test.each<Error>([
  Object.assign(new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED' }),
  new TypeError('Cannot mix BigInt and other types'),
])('what no database has caused is not told as its refusal: $message', (error) => {
  expect(describeStartError(error, URL)).toBe(error);
});

test.each([
  [{ code: '42P01' }, /^PostgreSQL at 127\.0\.0\.1:5432\/shop /],
  [{ code: 'ECONNREFUSED' }, /^Cannot reach PostgreSQL at 127\.0\.0\.1:5432\/shop: nothing answers there/],
  [{ code: 'P2010', meta: { code: '42601' } }, /^PostgreSQL at /],
])('any other one is told as the database’s: %j', (facts, words) => {
  const error = describeStartError(Object.assign(new Error('it failed'), facts), URL);
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error.message).toMatch(words);
});
