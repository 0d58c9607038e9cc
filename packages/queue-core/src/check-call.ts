import { DueworkError } from '@duework/sql/errors';
import { checkText } from '@duework/sql';
import type { Act, Via } from './ports/act.js';

/** The longest text that says who acts, or why. */
const MAX_TEXT = 1_000;
/** An IPv6 address with its zone, or what a proxy says about it. */
const MAX_ADDRESS = 100;
const VIAS: readonly Via[] = ['api', 'command', 'program'];

/** Throws `invalid_option` for an act that the audit could not keep: before anything is changed. */
export function checkAct({ by = null, via = null, from = null, reason = null }: Act): void {
  checkText('by', by, MAX_TEXT);
  if (by === '')
    throw new DueworkError('invalid_option', { option: 'by', expected: 'a text that is not empty', value: by });
  if (via !== null && !VIAS.includes(via))
    throw new DueworkError('invalid_option', { option: 'via', expected: `one of ${VIAS.join(', ')}`, value: via });
  checkText('from', from, MAX_ADDRESS);
  checkText('reason', reason, MAX_TEXT);
}

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
