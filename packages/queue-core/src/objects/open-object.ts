import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DueworkError, showValue } from '@duework/sql/errors';
import { requireOffload } from './current-offload.js';
import { isObjectRef } from './object-ref.js';
import type { ObjectRef } from './object-store.js';
import { unavailable, type PutOptions } from './put-object.js';

/** How long a store may take to hand over a payload or a result. */
const READ_MS = 60_000;

/**
 * Opens an object to read it as a stream, which is not held in memory. Its length and its checksum are checked as it is
 * read: one that was altered ends with `object_altered` instead of its end, so act on what you have read once it has
 * ended. Throws `offload_missing`, `object_missing`, `store_unavailable` and `invalid_option` for what is no reference.
 */
export async function openObject(
  ref: ObjectRef,
  { signal = new AbortController().signal }: PutOptions = {},
): Promise<Readable> {
  if (!isObjectRef(ref))
    throw new DueworkError('invalid_option', {
      option: 'ref',
      expected: 'what putObject returned',
      value: showValue(ref),
    });
  const { store } = requireOffload();
  const { $object: key } = ref;
  const content = await store.get(key, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw unavailable('get', error);
  });
  if (content === null) throw new DueworkError('object_missing', { key });
  return Readable.from(checked(ref, content, signal), { objectMode: false });
}

async function* checked(
  { $object: key, bytes, sha256 }: ObjectRef,
  content: Readable,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      read += chunk.length;
      if (read > bytes) throw new DueworkError('object_altered', { key });
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (DueworkError.is(error) || signal.aborted) throw error;
    throw unavailable('get', error);
  } finally {
    content.destroy();
  }
  if (read !== bytes || hash.digest('hex') !== sha256) throw new DueworkError('object_altered', { key });
}

/** The text of an object that is a payload or a result. Throws as `openObject`, and `object_altered`. */
export async function readObject(ref: ObjectRef, ended?: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(READ_MS);
  const signal = ended === undefined ? limit : AbortSignal.any([ended, limit]);
  const chunks: Buffer[] = [];
  const read = async (): Promise<string> => {
    for await (const chunk of await openObject(ref, { signal })) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  try {
    return await Promise.race([read(), aborted(signal)]);
  } catch (error) {
    if (limit.aborted && ended?.aborted !== true) throw unavailable('get', error);
    throw error;
  }
}

/** For a store that does not look at its signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
