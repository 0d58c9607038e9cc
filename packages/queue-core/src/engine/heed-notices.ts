import type { Engine } from './engine.js';
import type { LeaseNotice } from './leases/lease-keeper.js';
import { letGo } from './start-runs.js';
import { StopReason } from './stop-reason.js';

/** What a worker does about what its lease keeper tells. A notice about a claim it no longer holds is old news. */
export function heedNotices(engine: Engine): (notice: LeaseNotice) => void {
  const { held: runs, emit, report, name: worker, alarm } = engine;
  return (notice) => {
    switch (notice.kind) {
      case 'extended': {
        const held = runs.find(notice.id, notice.fence);
        if (held !== undefined) held.grantedMs = Math.max(held.grantedMs, notice.grantedMs);
        return;
      }
      case 'lost': {
        const held = runs.find(notice.id, notice.fence);
        // its settlement is on its way, or its handler's own transaction may have completed it: that its row is gone says nothing
        if (held === undefined || held.isSettling || held.isCompletedIn) return;
        emit({ name: 'lease.lost', during: 'heartbeat', run: held.run, worker });
        held.stop.stop(new StopReason('lease_lost', 'The lease of this run was lost; another worker may have it.'));
        return letGo(engine, held);
      }
      case 'cancel_requested': {
        const held = runs.find(notice.id, notice.fence);
        if (held !== undefined) held.stop.stop(new StopReason('cancelled', notice.reason ?? 'Somebody asked to cancel this run.', notice.by));
        return;
      }
      case 'woken':
        if (notice.queue === null) engine.tickAlarm.ring();
        if (notice.queue === null || engine.queues.includes(notice.queue)) alarm.ring();
        return;
      case 'failed':
        return report.failed('heartbeat', notice.error);
      case 'recovered':
        return report.succeeded('heartbeat');
    }
  };
}
