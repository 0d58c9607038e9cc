import type { Catalog } from '@duework/contracts';
import { ParseTally, type SampledVersion } from './payload-check/parse-tally.js';
import { readPayloadSample } from '../sql/registry/read-payload-sample.js';
import { offloadedIn } from '../objects/object-ref.js';
import type { Queryable } from '@duework/sql';

/** Whether what waits of one type would parse. */
export interface PayloadParses {
  /** How many live jobs of any type were looked at. */
  readonly looked: number;
  /** Every live job of the type was parsed; false: some of the oldest and of the newest. */
  readonly isComplete: boolean;
  /** By version, the oldest first; none: none of those that were looked at is of the type. */
  readonly versions: readonly SampledVersion[];
}

/**
 * What a catalog would do with payloads of a type that wait (queued, failed, running), in one bounded statement. The
 * answer has paths and codes, and nothing of a payload. Payloads in objects are not parsed. `checkQueuedPayloads` looks at every one, of every type.
 */
export async function sampleQueuedPayloads(db: Queryable, catalog: Catalog, type: string): Promise<PayloadParses> {
  const { runs, looked, isComplete } = await readPayloadSample(db, type);
  const tally = new ParseTally(catalog.find((one) => one.type === type));
  for (const [id, version, payload] of runs) if (offloadedIn(payload) === null) tally.add(id, version, payload);
  return { looked, isComplete, versions: tally.versions() };
}
