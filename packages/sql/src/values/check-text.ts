import { DueworkError } from '../errors/errors.js';
import { findUnstorableText, isPlainName } from '../errors/storable-text.js';

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

/** The same for the name of something, which people read in a list: one line, without signs that turn its direction. */
export function checkName(option: string, name: string | null, limit: number): void {
  if (name === null || (typeof name === 'string' && name.length <= limit && isPlainName(name))) return;
  throw new DueworkError('invalid_option', {
    option,
    expected: `one line of at most ${limit} characters, without those that turn the direction of text`,
    value: name,
  });
}
