import type { Json } from '../queue/job.js';
import { offloadedIn } from './object-ref.js';

/**
 * A stored payload or result, read from its object if it is in one. Throws `offload_missing`, `object_missing`,
 * `object_altered` and `store_unavailable`, or the reason of the signal.
 */
export async function readOffloaded(stored: Json, signal?: AbortSignal): Promise<Json> {
  const ref = offloadedIn(stored);
  if (ref === null) return stored;
  const { readObject } = await import('./open-object.js');
  return JSON.parse(await readObject(ref, signal)) as Json;
}
