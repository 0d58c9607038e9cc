import { DueworkError } from '../errors/errors.js';
import { findUnstorableText } from '../errors/storable-text.js';

/**
 * Throws `invalid_option` for a text that PostgreSQL cannot store or compare with, or that is too long; null is
 * allowed.
 */
export function checkText(option: string, text: string | null, limit: number): void {
  if (text === null || (typeof text === 'string' && text.length <= limit && findUnstorableText(text) === null)) return;
  throw new DueworkError('invalid_option', {
    option,
    expected: `a text of at most ${limit} characters, without NUL and half surrogate pairs`,
    value: text,
  });
}
