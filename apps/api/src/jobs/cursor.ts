import { ApiError } from '../api-error.js';

/** Where a page ended, for the client to hand back as it is. */
export function encodeCursor(after: string): string {
  return Buffer.from(JSON.stringify({ after })).toString('base64url');
}

/** What the list said. Throws `invalid_cursor` for anything that `encodeCursor` would not have written. */
export function decodeCursor(cursor: string): string {
  const after = /^\{"after":"([\d-]{1,40})"\}$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  // Node reads past signs that are not base64url; only what encodes to the same text came from here.
  if (after !== undefined && encodeCursor(after) === cursor) return after;
  throw new ApiError(
    'invalid_cursor',
    'The cursor is not one of this list. Take nextCursor from its last page, or leave it out to begin.',
  );
}
