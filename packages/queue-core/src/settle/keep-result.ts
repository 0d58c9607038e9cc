import { parseValue } from '@duework/contracts';
import type { OwnedRun } from '../claim/owned-run.js';
import { encodeUpTo } from '../enqueue/encode-payload.js';
import type { Json } from '../queue/job.js';
import type { Outcome } from './outcome.js';
import { pause } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import { currentOffload } from '../objects/current-offload.js';

type Needs = Pick<Engine, 'store' | 'clock'>;

/** After how long a store that did not take a result is asked again: the work is done, so the attempt does not fail. */
const AGAIN_MS = [1_000, 5_000];

/** A result that was checked and is in an object; its row gets the reference. */
export class KeptResult {
  constructor(readonly stored: Json) {}
}

/**
 * Has a large result written into the store, noted for its run first, so that it never belongs to nobody. null: the result
 * is stored as usual. The outcome is the given one where the store does not take it: a result that is too large then for
 * its row is left out.
 */
export function keepResult(
  engine: Needs,
  { run, contract, abort }: Pick<OwnedRun, 'run' | 'contract' | 'abort'>,
  outcome: Outcome<unknown>,
): Promise<Outcome<unknown>> | null {
  const offload = currentOffload();
  const { store } = engine;
  if (offload === null || !store.capabilities.objects || outcome.kind !== 'complete' || outcome.result === null)
    return null;
  const json = readJson(contract, outcome.result, offload.upToBytes);
  if (json === null || Buffer.byteLength(json) <= offload.aboveBytes) return null;
  return keep();

  async function keep(): Promise<Outcome<unknown>> {
    for (const againMs of [...AGAIN_MS, null]) {
      try {
        const { newKey, putJson } = await import('../objects/put-object.js');
        const key = newKey();
        if (!(await store.keepObject(run.id, run.fence, key))) return outcome;
        return {
          ...outcome,
          result: new KeptResult((await putJson(key, json as string)) as unknown as Json),
        } as Outcome<unknown>;
      } catch {
        if (againMs === null || abort.reason !== null) return outcome;
        await pause(engine.clock, againMs);
      }
    }
    return outcome;
  }
}

/** null: it cannot be stored, or does not fit its contract; whoever decides the settlement says so. */
function readJson({ type, result: schema }: OwnedRun['contract'], result: unknown, limitBytes: number): string | null {
  try {
    const parsed = parseValue(schema, result);
    return parsed.success ? encodeUpTo(type, parsed.data, limitBytes) : null;
  } catch {
    return null;
  }
}
