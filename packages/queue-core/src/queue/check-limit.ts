import { DueworkError } from '@duework/sql/errors';

const MAX_LIMIT = 200;

/** Throws `invalid_option` unless that many may be on a page of a list. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new DueworkError('invalid_option', {
      option: 'limit',
      expected: `a whole number from 1 to ${MAX_LIMIT}`,
      value: limit,
    });
}
