import type { Json } from '../job.js';

/** What a worker asks for when it claims. */
export interface ClaimRequest {
  readonly queue: string;
  /** The lease of each type this worker knows, in milliseconds; no other type is taken. */
  readonly leaseMsByType: ReadonlyMap<string, number>;
  readonly worker: string;
  readonly limit: number;
}

export interface Claim {
  readonly runs: ClaimedRun[];
  /** When the next run of the queue becomes due; null: none waits, or some were taken, and the next claim tells. */
  readonly dueInMs: number | null;
}

/** A run as the worker that claimed it sees it. Its id is the store's own word for it: compared, and never taken apart. */
export interface ClaimedRun {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly priority: number;
  readonly payload: Json;
  readonly idempotencyKey: string | null;
  /** This attempt, from 1; it is charged. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The number that every write about this attempt names; higher with each claim of the run. */
  readonly fence: number;
  /** From due to claimed, on the store's clock. */
  readonly waitedMs: number;
  readonly runAtMs: number;
  readonly createdAtMs: number;
}

/** What is worth keeping of an error: short where people look, bounded where they dig. */
export interface ErrorRecord {
  /** To group by: `ECONNREFUSED`, `http_503`, `timeout`. */
  readonly code: string;
  /** The class: `TypeError`. */
  readonly type: string;
  readonly message: string;
  readonly stack: string | null;
}

/** Why an attempt must end. */
export type AbortCode = 'timeout' | 'cancelled' | 'lease_lost' | 'shutting_down';

/**
 * How far a stop had to go: the handler ended on its signal; its thread ignored the signal for a whole grace and was
 * killed; or it runs on in this thread, and its lease was revoked under it.
 */
export type AbortStage = 'signalled' | 'killed' | 'lease_revoked';

/** Why an attempt was told to stop, and how far that went; null: it ended by itself. */
export type AbortRecord = { readonly code: AbortCode; readonly stage: AbortStage } | null;

/** What became of an attempt, to be written down. */
export type Settlement = { readonly id: string; readonly fence: number } & (
  | { readonly kind: 'complete'; readonly result: Json }
  | { readonly kind: 'fail'; readonly error: ErrorRecord; readonly delayMs: number; readonly abort: AbortRecord }
  | { readonly kind: 'bury'; readonly error: ErrorRecord; readonly abort: AbortRecord }
  /** Counted; after `maxSnoozes` of them the run is dead instead, with `SNOOZE_LIMIT`. */
  | { readonly kind: 'snooze'; readonly delayMs: number; readonly maxSnoozes: number }
  /** `reason` null: it only waited in the worker's buffer. */
  | { readonly kind: 'release'; readonly reason: string | null; readonly abort: AbortRecord }
  /** Cancelled for good: somebody asked, or (`by`, `reason`) the worker itself says who and why. */
  | {
      readonly kind: 'confirm_cancel';
      readonly by: string | null;
      readonly reason: string | null;
      readonly abort: AbortRecord;
    }
);

/** What stands on a run that has snoozed too often. */
export const SNOOZE_LIMIT = {
  code: 'too_many_snoozes',
  type: 'SnoozeLimit',
  message: 'Its handler asked for later once more than its contract allows (maxSnoozes).',
} as const;

/** The status a settlement led to. */
export type SettledStatus = 'succeeded' | 'failed' | 'dead' | 'queued' | 'cancelled';

/** A run that its handler completes inside a transaction of its own. */
export interface Completion {
  readonly id: string;
  readonly fence: number;
  readonly result: Json;
}

/** A transaction of the caller's, whatever that is to the store: only a store that is `transactional` looks at it. */
export type Transaction = object;

export interface LeaseToExtend {
  readonly id: string;
  readonly fence: number;
  readonly leaseMs: number;
  /** false: only ask whether it is still ours, and whether somebody wants it cancelled. */
  readonly isDue: boolean;
}

/** A lease that is still ours. One that is missing from the answer was lost. */
export interface ExtendedLease {
  readonly id: string;
  /** false: it was not due, or somebody is just writing about the run; the next heartbeat sees what became of it. */
  readonly isExtended: boolean;
  readonly isCancelRequested: boolean;
  readonly cancelRequestedBy: string | null;
  readonly cancelReason: string | null;
}

/**
 * Where a worker takes runs and says what became of them. Each verb is atomic; each write about an attempt names its
 * fence, and changes nothing when that is no longer the run's.
 */
export interface RunStore {
  /** Takes up to `limit` due runs of one queue, most urgent first. Two may be on their way at once, and share no run. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** How long settlements gather, where one follows the other, because each statement costs a round trip; 0 unless given. */
  readonly settleGapMs?: number;
  /** Writes settlements of one kind, one for a run. Answers for each, in their order, what it led to; null: it was lost. */
  settle(batch: readonly Settlement[]): Promise<readonly (SettledStatus | null)[]>;
  /** Renews leases; one that is missing from the answer was lost. */
  extendLeases(batch: readonly LeaseToExtend[]): Promise<ExtendedLease[]>;
  /** Writes how far a run is; false: it is no longer ours. */
  saveProgress(id: string, fence: number, progressJson: string): Promise<boolean>;
  /**
   * Completes a run through the caller's transaction; false: it is no longer ours. Throws `not_supported` where the store
   * is not `transactional`.
   */
  completeIn(tx: Transaction, completion: Completion): Promise<boolean>;
  /** Whether that claim of the run has succeeded: asked where the answer to a settlement was lost. */
  isCompleted(id: string, fence: number): Promise<boolean>;
}
