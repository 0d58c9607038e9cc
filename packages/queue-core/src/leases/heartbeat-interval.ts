import type { Catalog } from '@duework/contracts';

/**
 * The longest time between two heartbeats: a request to cancel is seen within it, even when its notification is lost.
 */
const MAX_HEARTBEAT_MS = 1_000;

/** The longest that a heartbeat may take, where leases are long enough for it. */
const MAX_ANSWER_MS = 5_000;

/**
 * How often leases are checked, in milliseconds. A lease is renewed when a third of it is over; with eight checks in
 * the shortest one, a heartbeat that fails leaves time for several more.
 */
export function heartbeatIntervalMs(catalog: Catalog): number {
  return Math.min(MAX_HEARTBEAT_MS, shortestLeaseMs(catalog) / 8);
}

/**
 * How long a heartbeat may take before its connection counts as cut. A quarter of the shortest lease: with the third
 * before it, the renewal can be tried once more, on a new connection, before the lease is over.
 */
export function answerLimitMs(catalog: Catalog): number {
  return Math.min(MAX_ANSWER_MS, shortestLeaseMs(catalog) / 4);
}

/** How late the timer of the next check may be, as a part of the time between two checks. */
const MAX_LATENESS = 1 / 4;

/**
 * Whether a lease is over, or may be over before its next check, so that it is given up now. Times on the process
 * clock.
 */
export function isOverByNextLook(
  { grantedMs, leaseMs }: { readonly grantedMs: number; readonly leaseMs: number },
  nowMs: number,
  intervalMs: number,
): boolean {
  return nowMs + intervalMs * (1 + MAX_LATENESS) - grantedMs >= leaseMs;
}

function shortestLeaseMs(catalog: Catalog): number {
  return Math.min(...catalog.map((contract) => contract.leaseMs));
}
