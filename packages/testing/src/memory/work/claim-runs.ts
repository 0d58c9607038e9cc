import type { ClaimedRun, ClaimRequest } from '@duework/queue-core/ports';
import { toClaimedRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Takes up to `limit` runs of one queue that are due at `nowMs`, and not paused: running, attempts + 1, a new lease, a higher fence. */
export function claimRuns(
  tables: MemoryTables,
  { queue, contracts, worker, limit }: ClaimRequest,
  nowMs: number,
): ClaimedRun[] {
  if (tables.pauseOf('queue', queue, nowMs) !== undefined) return [];
  const isOpen = (type: string): boolean => tables.pauseOf('type', type, nowMs) === undefined;
  const open = new Map([...contracts].filter(([type]) => isOpen(type)));
  return tables.waiting.takeDue(queue, open, limit, nowMs).map((run) => {
    run.status = 'running';
    run.attempts++;
    run.fence++;
    run.worker = worker;
    run.lockedUntilMs = nowMs + contracts.get(run.type)!.leaseMs;
    run.claimedAtMs = nowMs;
    tables.running.add(run);
    return toClaimedRun(run);
  });
}
