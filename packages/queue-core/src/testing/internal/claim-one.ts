import { claimRuns } from '../../sql/claim-runs.js';
import type { Queryable } from '../../sql/sql.js';
import type { ClaimedRun } from '../../store/store.js';
import { testCatalog } from './test-contracts.js';

export const testLeases: ReadonlyMap<string, number> = new Map(
  testCatalog.map((contract) => [contract.type, contract.leaseMs]),
);

/** Claims up to `limit` runs of the default queue, as `worker`. */
export async function claim(db: Queryable, limit: number, worker = 'tester'): Promise<ClaimedRun[]> {
  return (await claimRuns(db, { queue: 'default', leaseMsByType: testLeases, worker, limit })).runs;
}
