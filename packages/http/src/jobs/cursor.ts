import { ApiError } from '../api-error.js';

/** The place where a page ended, for the client to send back unchanged. */
export function encodeCursor(after: string): string {
  return Buffer.from(JSON.stringify({ after })).toString('base64url');
}

/** Reads a cursor. Throws `invalid_cursor` for anything that `encodeCursor` would not have written. */
export function decodeCursor(cursor: string): string {
  const after = /^\{"after":"([-+][\d-]{1,40})"\}$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  // Node skips signs that are not base64url; only a text that encodes to itself came from here.
  if (after !== undefined && encodeCursor(after) === cursor) return after;
  throw new ApiError(
    'invalid_cursor',
    'The cursor is not one of this list. Take nextCursor from its last page, or leave it out to begin.',
  );
}
