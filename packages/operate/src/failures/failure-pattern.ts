import { ERROR_LENGTH } from './sql/find-failures.js';

/** What stands for the part of an error that differs from job to job. */
export const VARIABLE = '…';

/** Each begins where a word does, so that it looks at no letter more than twice. */
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
/** A word with a digit in it: a number, an id, a hash, a time. */
const NUMBERED = /(?<![\p{L}\p{N}_])[\p{L}_]*\p{N}[\p{L}\p{N}_]*/gu;
/** Several of them with signs between: an address, a date, a version. */
const REPEATED = new RegExp(`${VARIABLE}(?:[.:/,_-]*${VARIABLE})+`, 'g');

/** The first line of an error, with … where it differs from job to job: addresses, ids, numbers, times. */
export function toPattern(text: string): string {
  const [line = ''] = text.split('\n', 1);
  // the last word of a long error was cut somewhere in it
  const known = line.length < ERROR_LENGTH ? line : line.replace(/\s\S*$/u, ` ${VARIABLE}`);
  return known
    .replace(EMAIL, VARIABLE)
    .replace(UUID, VARIABLE)
    .replace(NUMBERED, VARIABLE)
    .replace(REPEATED, VARIABLE)
    .trim();
}

const MAX_WORDS = 3;

/**
 * The longest parts of a pattern that are the same in each of its errors, three at most, for a filter to look for.
 * `isCut`: the last word may go on behind the end.
 */
export function listWords(pattern: string, isCut: boolean): string[] {
  const whole = isCut ? pattern.replace(/[\p{L}\p{N}]*$/u, '') : pattern;
  const parts = whole
    .split(VARIABLE)
    .map((part) => part.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter((part) => /\p{L}{2}/u.test(part));
  const longest = parts.toSorted((left, right) => right.length - left.length).slice(0, MAX_WORDS);
  return [...new Set(parts.filter((part) => longest.includes(part)))].slice(0, MAX_WORDS);
}
