import type { Engine } from '../worker/engine.js';
import type { OwnedRun } from '../claim/owned-run.js';
import { AbortReason } from '../settle/attempt-end.js';
import { letGo } from '../settle/finish-run.js';
import { isOverByNextLook } from './lease.js';
import { soon, type Clock } from '../clock.js';

/** Has the lease renewed, until `keepUntilMs` at the most. */
export function holdLease({ leases }: Pick<Engine, 'leases'>, { lease }: OwnedRun, keepUntilMs: number): void {
  lease.keepUntilMs = keepUntilMs;
  leases.hold(lease);
}

/** The attempt begins: its lease is renewed for as long as it may last. A lost lease is not renewed. */
export function enterRunning(engine: Pick<Engine, 'leases' | 'graceMs'>, owned: OwnedRun, startedMs: number): void {
  const { timeoutMs, leaseMs } = owned.contract;
  if (owned.enter('running')) holdLease(engine, owned, startedMs + timeoutMs + engine.graceMs + leaseMs);
}

/**
 * The heartbeat has not found the run: another worker may have it. Its handler is aborted, and nothing is written any
 * more. Does nothing once the settlement is on its way. While the handler completes the run in its own transaction,
 * only doubt is noted, because that transaction may have removed the row.
 */
export function loseLease(engine: Pick<Engine, 'owned' | 'leases' | 'emit' | 'name'>, owned: OwnedRun): void {
  if (owned.phase === 'completing') owned.enter('doubtful');
  else if (owned.enter('lost')) {
    engine.emit({ name: 'lease.lost', during: 'heartbeat', run: owned.run, worker: engine.name });
    owned.abort.abort(new AbortReason('lease_lost', 'The lease of this run was lost; another worker may have it.'));
    letGo(engine, owned);
    owned.onLeaseNews?.();
  }
}

/**
 * Before a handler is called, its worker is sure of the lease. A clock alone cannot tell: others take the runs of a worker
 * that has been without a session for two seconds, however long its leases are, and a process that was stopped (SIGSTOP,
 * a suspended machine) starts what it holds before it receives that its session is gone. So a lease counts for a second
 * after the database has granted or renewed it, in the session that the worker has now; after that it is renewed first.
 * A run claimed ahead starts within 50 ms, so that nothing is asked where nothing has happened.
 */
const SURE_MS = 1_000;

/**
 * Whether nobody else can have the run, as far as a process can know that. `confirmedMs`: before the last statement was
 * sent whose answer has confirmed the lease.
 */
export function isSure(
  { session }: Pick<Engine, 'session'>,
  { lease }: OwnedRun,
  nowMs: number,
  confirmedMs = lease.grantedMs,
): boolean {
  if (session.isAway || confirmedMs < session.sinceMs) return false;
  return nowMs - confirmedMs < Math.min(SURE_MS, lease.leaseMs / 2);
}

/** Whether the lease is over, as far as is known here, or may be before the heartbeat checks it. */
export function isOver({ heartbeatMs }: Pick<Engine, 'heartbeatMs'>, { lease }: OwnedRun, nowMs: number): boolean {
  return isOverByNextLook(lease, nowMs, heartbeatMs);
}

type SureNeeds = Pick<Engine, 'clock' | 'leases' | 'session' | 'heartbeatMs'>;

/** Resolves when the worker is sure of the lease, or when it is lost or over, or the attempt was aborted. */
export async function untilSure(engine: SureNeeds, owned: OwnedRun): Promise<void> {
  // the answer that renews it, or says that it is gone, may have arrived already
  await receiveMessages(engine.clock);
  while (!isDecided(engine, owned)) {
    engine.leases.renew();
    await nextNews(engine, owned);
  }
}

function isDecided(engine: SureNeeds, owned: OwnedRun): boolean {
  const nowMs = engine.clock.monotonicMs();
  return owned.abort.reason !== null || isSure(engine, owned, nowMs) || isOver(engine, owned, nowMs);
}

/** Resolves when the lease was renewed or lost, when the attempt was aborted, or when the next heartbeat is due. */
function nextNews({ clock, heartbeatMs }: SureNeeds, owned: OwnedRun): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      owned.onLeaseNews = null;
      owned.abort.listen(null);
      stopTimer();
      resolve();
    };
    const stopTimer = clock.after(heartbeatMs, end);
    owned.onLeaseNews = end;
    owned.abort.listen(end);
  });
}

/**
 * Lets the event loop turn, so that the heartbeat's messages are received. After the loop was blocked or an answer was
 * slow, a lease may look over here although it was renewed: the message that says so still waits.
 */
async function receiveMessages(clock: Clock): Promise<void> {
  for (let phase = 0; phase < 2; phase++) await new Promise<void>((resolve) => soon(clock, resolve));
}
