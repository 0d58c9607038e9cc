import { AbortReason } from '../run/abort-reason.js';
import type { Engine } from '../worker/engine.js';
import type { HeldRun } from '../claim/held-run.js';
import { letGo } from '../settle/let-go.js';

/**
 * The heartbeat has not found the run: another worker may have it. Its handler is aborted, and nothing is written any
 * more. Does nothing once the settlement is on its way. While the handler completes the run in its own transaction,
 * only doubt is noted, because that transaction may have removed the row.
 */
export function loseLease(engine: Pick<Engine, 'held' | 'leases' | 'emit' | 'name'>, held: HeldRun): void {
  if (held.phase === 'completing') held.enter('doubtful');
  else if (held.enter('lost')) {
    engine.emit({ name: 'lease.lost', during: 'heartbeat', run: held.run, worker: engine.name });
    held.abort.abort(new AbortReason('lease_lost', 'The lease of this run was lost; another worker may have it.'));
    letGo(engine, held);
    held.onLeaseNews?.();
  }
}
