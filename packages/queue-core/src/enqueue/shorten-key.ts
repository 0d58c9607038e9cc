import { createHash } from 'node:crypto';

/** The longest key that is kept as it is, in characters. */
const MAX_KEY = 255;
const KEPT = 190;

/**
 * The key as it is kept: one of more than 255 characters by its first 190, to be read, and its SHA-256, to be told from all
 * others. `duework.make_run` keeps the same in SQL.
 */
export function shortenKey(key: string): string {
  // PostgreSQL counts characters, and JavaScript halves of surrogate pairs
  const characters = key.length <= MAX_KEY ? [] : Array.from(key);
  if (characters.length <= MAX_KEY) return key;
  return `${characters.slice(0, KEPT).join('')}#${createHash('sha256').update(key).digest('hex')}`;
}
