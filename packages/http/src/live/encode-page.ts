import type { PageEvent } from '@duework/operate';
import { encodeCursor } from '../jobs/cursor.js';
import { encodeEvent } from './encode-event.js';

const encoded = new WeakMap<PageEvent, Uint8Array>();

/** An event of a page for its stream: encoded once, however many are sent it. */
export function encodePage(event: PageEvent): Uint8Array {
  let bytes = encoded.get(event);
  if (bytes === undefined) {
    const { kind, revision, ids, jobs, nextCursor, isComplete, hint } = event;
    const next = nextCursor === null ? null : encodeCursor(nextCursor);
    const data = { ids, jobs, nextCursor: next, complete: isComplete, hint };
    encoded.set(event, (bytes = encodeEvent({ event: kind, id: revision, data })));
  }
  return bytes;
}
