import type { ClaimedRun } from '../ports/runs.js';
import type { Json } from '../queue/job.js';
import { offloadedIn } from './object-ref.js';
import { readOffloaded } from './read-offloaded.js';

/**
 * Reads the payload of a claimed run from its object, into the run; null: it has it already, as nearly all have. Throws
 * `offload_missing`, `object_missing`, `object_altered` and `store_unavailable`, or the reason of the signal.
 */
export function loadPayload(run: ClaimedRun, signal: () => AbortSignal): Promise<void> | null {
  if (run.terms?.hasObjects !== true || offloadedIn(run.payload) === null) return null;
  return readOffloaded(run.payload, signal()).then((payload) => {
    (run as { payload: Json }).payload = payload;
  });
}
