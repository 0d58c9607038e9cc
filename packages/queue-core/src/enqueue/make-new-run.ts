import { parseDuration, type Duration } from '@duework/contracts';
import { encodeMeta } from './encode-meta.js';
import { encodePayload } from './encode-payload.js';
import { DueworkError, findUnstorableText } from '@duework/sql/errors';
import { gatesOf } from '../flow/gates-of.js';
import { isMoment } from '@duework/sql';
import type { JobRequest } from './job-request.js';
import type { NewRun } from '../ports/producer.js';

export const DEFAULT_PAYLOAD_LIMIT_BYTES = 64 * 1024;

/**
 * Makes the run of a request, for any store; without a payload it gets the contract's default. Throws what `enqueue`
 * throws.
 */
export function makeNewRun({ contract, payload = contract.defaultPayload, options }: JobRequest): NewRun {
  const { type } = contract;
  const { priority = contract.priority, maxAttempts = contract.maxAttempts, runAt, delay } = options;
  const { parsed, json } = encodePayload(contract, payload, options.payloadLimitBytes ?? DEFAULT_PAYLOAD_LIMIT_BYTES);
  check(
    'priority',
    priority,
    Number.isInteger(priority) && priority >= 0 && priority <= 9,
    'a whole number from 0 (first) to 9 (last)',
  );
  check(
    'maxAttempts',
    maxAttempts,
    Number.isInteger(maxAttempts) && maxAttempts >= 1 && maxAttempts <= 1_000,
    'a whole number from 1 to 1,000',
  );
  check('runAt', runAt, runAt === undefined || isMoment(runAt), 'a valid Date between the years 1970 and 9999');
  check('delay', delay, runAt === undefined || delay === undefined, 'given without runAt');
  return {
    type,
    version: contract.version,
    queue: contract.queue,
    priority,
    maxAttempts,
    runAt: runAt?.toISOString() ?? null,
    delayMs: delay === undefined ? 0 : toDelayMs(delay),
    key: checkKey(
      type,
      options.idempotencyKey === undefined ? (contract.keyOf?.(parsed) ?? null) : options.idempotencyKey,
    ),
    keyWindowMs: contract.idempotencyWindowMs,
    payloadJson: json,
    metaJson: encodeMeta(options.meta),
    flow: gatesOf(contract, parsed),
  };
}

function toDelayMs(delay: Duration): number {
  try {
    return parseDuration(delay);
  } catch (cause) {
    throw new DueworkError(
      'invalid_option',
      { option: 'delay', expected: 'a duration such as "30s" or "2h"', value: delay },
      { cause },
    );
  }
}

function checkKey(type: string, key: string | null): string | null {
  if (key === null) return null;
  const reason =
    typeof key !== 'string'
      ? 'it is not a string'
      : key.length === 0
        ? 'it is empty'
        : key.length > 255
          ? `it has ${key.length} characters; the limit is 255`
          : findUnstorableText(key) !== null
            ? `it ${findUnstorableText(key)}`
            : null;
  if (reason !== null) throw new DueworkError('invalid_idempotency_key', { type, reason });
  return key;
}

function check(option: string, value: unknown, isValid: boolean, expected: string): void {
  if (!isValid) throw new DueworkError('invalid_option', { option, expected, value });
}
