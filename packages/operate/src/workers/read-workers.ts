import type { Queryable } from '@duework/queue-core';
import type { QueueSlots } from '../slots/slots-change.js';
import { findWorkers } from './sql/find-workers.js';

/** The versions of a type that a worker can run, the first and the last included. */
export interface ReadableType {
  readonly type: string;
  readonly oldestVersion: number;
  readonly version: number;
}

/** A run whose lease a worker holds. */
export interface LeasedRun {
  readonly id: string;
  readonly type: string;
  readonly queue: string;
  readonly attempt: number;
  readonly claimedAt: Date;
  readonly lockedUntil: Date;
}

/** A worker that has told the database of itself within the last three minutes. */
export interface LiveWorker {
  readonly name: string;
  /** null: it runs an older release of Duework. */
  readonly host: string | null;
  readonly pid: number | null;
  /** The `codeVersion` that its program was given; null: none. */
  readonly codeVersion: string | null;
  readonly startedAt: Date;
  /** When it last reported (once a minute); how busy it is dates from then. */
  readonly seenAt: Date;
  readonly queues: readonly string[];
  readonly types: readonly ReadableType[];
  readonly slots: number | null;
  /** How many its program was given; `slots` differs if an operator has changed it. */
  readonly declaredSlots: number | null;
  /** What an operator has set for its queues. */
  readonly changedSlots: readonly QueueSlots[];
  /** How many of its slots were taken. */
  readonly running: number | null;
  /** How many runs it had claimed ahead of a free slot. */
  readonly buffered: number | null;
  /** How late its event loop was. */
  readonly loopDelayMs: number | null;
  /** Why it does not claim: `event_loop`, `session`, `gate`; null: it does. */
  readonly shutBy: string | null;
  /** How many runs it holds now, and the first hundred of them, the longest first. */
  readonly held: number;
  readonly runs: readonly LeasedRun[];
  /** More is due than was looked at: it may hold more runs. */
  readonly isAtLeast: boolean;
  /**
   * `lost`: its session has ended: it is dead, or reconnects; others get its runs. `stalled`: it has renewed none of its
   * leases for half of their time, or its session has sent nothing for 15 s, as when its process was stopped. `silent`:
   * it has not reported for 100 s. `shut`: it does not claim (`shutBy`).
   */
  readonly state: 'claims' | 'shut' | 'silent' | 'stalled' | 'lost';
  /** For how long it has renewed or sent nothing, in milliseconds; null: it is not stalled, or its session has ended. */
  readonly stalledMs: number | null;
}

/**
 * Live workers by name, with their running jobs, found among the first 10,000 due runs of each queue and priority, so a
 * million waiting ones cost no more.
 */
export async function readWorkers(db: Queryable): Promise<LiveWorker[]> {
  const rows = await findWorkers(db);
  return rows.map(({ startedMs, seenMs, contracts, runs, changedSlots, ...same }) => ({
    ...same,
    changedSlots: changedSlots.map(({ sinceMs, ...change }) => ({ ...change, since: new Date(sinceMs) })),
    startedAt: new Date(startedMs),
    seenAt: new Date(seenMs),
    types: Object.entries(contracts)
      .map(([type, [oldestVersion, version]]) => ({ type, oldestVersion, version }))
      .sort((left, right) => (left.type < right.type ? -1 : 1)),
    runs: runs.map(({ claimedMs, untilMs, ...run }) => ({
      ...run,
      claimedAt: new Date(claimedMs),
      lockedUntil: new Date(untilMs),
    })),
  }));
}
