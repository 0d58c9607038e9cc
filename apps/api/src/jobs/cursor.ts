import { ApiError } from '../api-error.js';

/** Where a page ended, for the client to hand back as it is. */
export function encodeCursor(lastId: string): string {
  return Buffer.from(JSON.stringify({ after: lastId })).toString('base64url');
}

/** The id in a cursor of ours. Throws `invalid_cursor` for anything that `encodeCursor` would not have written. */
export function decodeCursor(cursor: string): string {
  const lastId = /^\{"after":"([1-9]\d{0,18})"\}$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  // Node reads past signs that are not base64url; only what encodes to the same text came from here.
  if (lastId !== undefined && encodeCursor(lastId) === cursor) return lastId;
  throw new ApiError(
    'invalid_cursor',
    'The cursor is not one of this list. Take nextCursor from its last page, or leave it out to begin.',
  );
}
