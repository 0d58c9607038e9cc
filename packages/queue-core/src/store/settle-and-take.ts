import type { Queryable } from '@duework/sql';
import type { ClaimedRun, SettledStatus, Settlement, Taker } from '../ports/runs.js';
import type { GateChanges } from './gate-changes.js';
import { settleBatch } from './settle-batch.js';

/** Writes a batch of one kind; its `taker` gets no runs that a claim would not give. */
export async function settleAndTake(
  db: Queryable,
  batch: readonly Settlement[],
  gates: GateChanges,
  taker?: Taker,
): Promise<(SettledStatus | null)[]> {
  if (taker === undefined) return settleBatch(db, batch);
  const taken: ClaimedRun[] = [];
  let isAll = false;
  const take: Taker['take'] = (runs, areAll) => {
    taken.push(...runs);
    isAll = areAll;
  };
  const settled = await settleBatch(db, batch, { ...gates.narrow(taker), take });
  const { runs } = await gates.check({ runs: taken, dueInMs: null });
  taker.take(runs, isAll && runs.length === taken.length);
  return settled;
}
