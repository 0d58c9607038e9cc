import { types } from 'node:util';

/**
 * Text that PostgreSQL can store: `text` has no NUL, and half a surrogate pair is no character (`jsonb` refuses it, and
 * a driver would silently write another one in its place).
 */

/** What keeps a text from being stored, as the end of a sentence; null: it can be stored. */
export function findUnstorableText(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character';
  return text.isWellFormed() ? null : 'contains half a surrogate pair';
}

/** Whether a value is a text that can be stored: any other is the name of nothing that was. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && findUnstorableText(value) === null;
}

/** Controls, half surrogate pairs, and the signs that turn the direction of what is written behind them. */
const NOT_OF_A_NAME = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Whether people can read a text as a name, in a list or in a log: it is one line, which shows what is in it, and can be
 * stored.
 */
export function isPlainName(text: string): boolean {
  return text.search(NOT_OF_A_NAME) === -1;
}

/** The text as such a name, at most `limit` characters long. */
export function toPlainName(text: string, limit: number): string {
  // what the cut leaves of a pair is none
  return text.replaceAll(NOT_OF_A_NAME, '').slice(0, limit).replaceAll(NOT_OF_A_NAME, '');
}

/** The text without what cannot be stored, at most `limit` characters long. */
export function toStorableText(text: string, limit: number): string {
  // cut before it is cleaned, so that only what is kept is cleaned
  const clean = text
    .slice(0, limit + 1)
    .replaceAll('\0', '')
    .toWellFormed();
  return text.length <= limit ? clean : `${clean.slice(0, limit - 1).toWellFormed()}…`;
}

const MAX_SHOWN = 100;

/** Any value as a message can show it: short, and without walking through the value, which might throw or never end. */
export function showValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return toStorableText(String(value), MAX_SHOWN);
  return types.isDate(value) ? showDate(value) : 'an object';
}

function showDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString();
}
