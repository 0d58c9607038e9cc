import { pause, type Clock } from '../clock.js';
import type { EmitEvent } from '../events.js';
import type { Store } from '../store/store.js';
import { stopRun, type HeldRun, type HeldRuns } from './held-runs.js';
import type { FailureReport } from './report-failures.js';
import { StopReason } from './stop-reason.js';

/**
 * Renews the leases of held runs, each when a third of it is over, and asks at every beat whether they are still ours and
 * whether somebody wants one cancelled.
 *
 * Invariant: a handler is told `lease_lost` no later than the database would give its run to another worker. The process
 * clock counts from before the statement that granted the lease was sent, so it can only be early.
 */
export interface HeartbeatOptions {
  readonly store: Store;
  readonly held: HeldRuns;
  readonly clock: Clock;
  readonly worker: string;
  readonly emit: EmitEvent;
  readonly report: FailureReport;
  readonly intervalMs: number;
}

/** Beats until `signal` aborts. A beat that hangs delays the next one, but not the loss of what it did not renew. */
export async function beatUntil(signal: AbortSignal, options: HeartbeatOptions): Promise<void> {
  let beating: Promise<void> | null = null;
  while (!signal.aborted) {
    await pause(options.clock, options.intervalMs, signal);
    if (options.held.size === 0) continue;
    beating ??= beat(options).finally(() => (beating = null));
    loseExpired(options);
  }
}

async function beat(options: HeartbeatOptions): Promise<void> {
  const { store, held, clock, report } = options;
  const beatenMs = clock.monotonicMs();
  const runs = held.all();
  const batch = runs.map(({ run, contract, grantedMs }) => ({
    id: run.id,
    fence: run.fence,
    lease_ms: contract.leaseMs,
    is_due: beatenMs - grantedMs >= contract.leaseMs / 3,
  }));
  try {
    const answers = new Map((await store.extendLeases(batch)).map((lease) => [lease.id, lease]));
    report.succeeded('heartbeat');
    for (const heldRun of runs) {
      const lease = answers.get(heldRun.run.id);
      if (lease === undefined) loseLease(heldRun, options);
      else {
        if (lease.is_extended) heldRun.grantedMs = beatenMs;
        if (lease.is_cancel_requested) cancel(heldRun, lease.cancel_requested_by, lease.cancel_reason);
      }
    }
  } catch (error) {
    report.failed('heartbeat', error);
  }
}

/** The database has not confirmed these leases, and they would be over before the next look at them. */
function loseExpired(options: HeartbeatOptions): void {
  const nextLookMs = options.clock.monotonicMs() + options.intervalMs;
  for (const heldRun of options.held.all()) {
    if (nextLookMs - heldRun.grantedMs >= heldRun.contract.leaseMs) loseLease(heldRun, options);
  }
}

function loseLease(heldRun: HeldRun, { held, emit, worker }: HeartbeatOptions): void {
  // settled while this beat was on its way, or just being settled
  if (!held.has(heldRun) || heldRun.isSettling) return;
  emit({ name: 'lease.lost', during: 'heartbeat', run: heldRun.run, worker });
  stopRun(heldRun, new StopReason('lease_lost', 'The lease of this run was lost; another worker may have it.'));
  held.remove(heldRun);
}

function cancel(heldRun: HeldRun, by: string | null, reason: string | null): void {
  stopRun(heldRun, new StopReason('cancelled', reason ?? 'Somebody asked to cancel this run.', by));
}
