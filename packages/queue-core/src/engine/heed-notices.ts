import type { Engine } from './engine.js';
import type { LeaseNotice } from './leases/lease-keeper.js';
import { loseLease } from './start-runs.js';
import { StopReason } from './stop-reason.js';

/** What a worker does about what its lease keeper tells. A notice about a claim it no longer holds is old news. */
export function heedNotices(engine: Engine): (notice: LeaseNotice) => void {
  const { held: runs, report, alarm } = engine;
  return (notice) => {
    switch (notice.kind) {
      case 'extended': {
        const held = runs.find(notice.id, notice.fence);
        if (held === undefined) return;
        held.lease.grantedMs = Math.max(held.lease.grantedMs, notice.grantedMs);
        return engine.leases.hold(held.lease);
      }
      case 'lost': {
        const held = runs.find(notice.id, notice.fence);
        if (held !== undefined) loseLease(engine, held);
        return;
      }
      case 'cancel_requested': {
        const held = runs.find(notice.id, notice.fence);
        if (held !== undefined)
          held.stop.stop(new StopReason('cancelled', notice.reason ?? 'Somebody asked to cancel this run.', notice.by));
        return;
      }
      case 'woken':
        if (notice.queue === null) engine.tickAlarm.ring();
        if (notice.queue === null || engine.queues.includes(notice.queue)) alarm.ring();
        return;
      case 'deaf':
        return report.failed('listen', notice.error);
      case 'hearing':
        return report.succeeded('listen');
      case 'away':
        return engine.session.goAway();
      case 'back':
        return engine.session.comeBack();
      case 'failed':
        return report.failed('heartbeat', notice.error);
      case 'recovered':
        return report.succeeded('heartbeat');
    }
  };
}
