import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { DueworkError } from '@duework/sql/errors';
import { requireOffload } from './current-offload.js';
import { OBJECTS, type Offloaded } from './object-ref.js';
import type { ObjectRef } from './object-store.js';

/** What becomes an object: a stream, or what is in memory. A text is written as UTF-8. */
export type ObjectSource = Readable | AsyncIterable<Uint8Array> | Uint8Array | string;

export interface PutOptions {
  readonly signal?: AbortSignal;
}

/** For how long an object stays that no job names. */
export const UNNAMED_MS = 24 * 3_600_000;

/**
 * Writes an object into the store of this process and returns its reference, which you put into a payload. It belongs to
 * the jobs that name it, and goes with the last of them; one that no job names is removed after a day. A stream is not
 * held in memory. Throws `offload_missing`, `store_unavailable`, and what the stream throws.
 */
export function putObject(
  source: ObjectSource,
  { signal = new AbortController().signal }: PutOptions = {},
): Promise<ObjectRef> {
  return putAt(newKey(), source, signal);
}

export function newKey(): string {
  const id = randomUUID();
  return `${OBJECTS}${id.slice(0, 2)}/${id}`;
}

export async function putAt(key: string, source: ObjectSource, signal: AbortSignal): Promise<ObjectRef> {
  const { store } = requireOffload();
  const hash = createHash('sha256');
  let bytes = 0;
  let failure: { readonly error: unknown } | null = null;
  const content = Readable.from(
    (async function* () {
      try {
        for await (const chunk of chunksOf(source)) {
          signal.throwIfAborted();
          hash.update(chunk);
          bytes += chunk.byteLength;
          yield chunk;
        }
      } catch (error) {
        failure = { error };
        throw error;
      }
    })(),
    { objectMode: false },
  );
  // whoever reads it hears of its failure, and it must not be an uncaught one before
  content.on('error', () => {});
  try {
    await store.put(key, content, { signal });
  } catch (error) {
    const own = failure as { readonly error: unknown } | null;
    if (own !== null) throw own.error;
    signal.throwIfAborted();
    throw unavailable('put', error);
  } finally {
    content.destroy();
  }
  return { $object: key, bytes, sha256: hash.digest('hex') };
}

async function* chunksOf(source: ObjectSource): AsyncGenerator<Uint8Array> {
  if (typeof source === 'string') return yield Buffer.from(source);
  if (source instanceof Uint8Array) return yield source;
  for await (const chunk of source as AsyncIterable<Uint8Array | string>)
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Writes the JSON of a payload or a result; what its row holds. */
export async function putJson(key: string, json: string): Promise<Offloaded> {
  const ref = await putAt(key, json, new AbortController().signal);
  const keyIds = [...new Set([...json.matchAll(/\{"\$sealed":"([^":]+):/g)].map(([, keyId]) => keyId!))];
  return { $offloaded: keyIds.length === 0 ? ref : { ...ref, keyIds } };
}

export const unavailable = (verb: string, cause: unknown): DueworkError =>
  new DueworkError(
    'store_unavailable',
    { verb, problem: cause instanceof Error ? cause.message : String(cause) },
    { cause },
  );
