/**
 * The net below all checks of texts: what PostgreSQL cannot store is refused in one place, with a code, whatever statement it
 * is a value of. Without it a NUL is PostgreSQL's own error, and half a surrogate pair another text, written in its place by
 * the driver.
 */
import { DueworkError } from '../errors/errors.js';
import { readSqlstate } from '../errors/read-sqlstate.js';
import { findUnstorableText } from '../errors/storable-text.js';

/** Throws `text_not_storable` for a text among the values of a statement that cannot be sent as it is. */
export function checkTexts(values: readonly unknown[]): void {
  for (const value of values)
    if (typeof value === 'string') {
      const reason = findUnstorableText(value);
      if (reason !== null) throw new DueworkError('text_not_storable', { reason });
    } else if (Array.isArray(value)) checkTexts(value);
}

/** In JSON text NUL and half surrogates are escaped: only what reads it finds them. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f])/i;

/** Throws `text_not_storable` where that is what PostgreSQL has refused. */
export function explainText(error: unknown, values: readonly unknown[]): void {
  const reason = reasonOf(readSqlstate(error), values, String((error as { message?: unknown }).message));
  if (reason !== null) throw new DueworkError('text_not_storable', { reason }, { cause: error });
}

function reasonOf(state: string | null, values: readonly unknown[], message: string): string | null {
  // no character of the encoding; an escape that jsonb has no character for; a row of an index above its limit
  if (state === '22021') return 'is not UTF-8, or contains a NUL character';
  if (state === '54000' && /\bindex\b/.test(message)) return 'is longer than an index can hold';
  if (state !== '22P05' && state !== '22P02') return null;
  const found = values.some((value) => typeof value === 'string' && ESCAPED.test(value));
  return found ? 'contains a NUL character or half a surrogate pair' : null;
}
