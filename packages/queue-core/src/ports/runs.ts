import type { Json, Meta } from '../queue/job.js';

/** What a claim needs to know of a type's contract. */
export interface ClaimableContract {
  /** Payloads of these versions can be read, the first and the last included. */
  readonly oldestVersion: number;
  readonly version: number;
  readonly leaseMs: number;
  /** The rules of its gates; null or not given: its runs have none. */
  readonly flow?: readonly { readonly kind: string }[] | null;
}

/** What a worker asks for when it claims. */
export interface ClaimRequest {
  readonly queue: string;
  /**
   * The types this worker knows. No other type is taken, and no version that it cannot read: such runs wait, unchanged
   * and uncharged, for a worker that can, and later ones are taken before them.
   */
  readonly contracts: ReadonlyMap<string, ClaimableContract>;
  readonly worker: string;
  readonly limit: number;
}

export interface Claim {
  readonly runs: ClaimedRun[];
  /**
   * When the next run of the queue becomes due; null: none waits, or runs were claimed, and the next claim will say.
   */
  readonly dueInMs: number | null;
  /** Others claim from the queue, so a second claim at once would only walk over theirs. */
  readonly isShared?: boolean;
  /** The claim has not looked everywhere: it may have missed a due run, which a later one finds. */
  readonly isPartial?: boolean;
}

/** What may be agreed for one run beside its contract. */
export interface RunTerms {
  /** A run that has not started by then is cancelled; given for runs that never started. ISO 8601. */
  readonly expiresAt?: string;
  /** No attempt after a failure begins later. ISO 8601. */
  readonly retryUntil?: string;
  /** The type to enqueue when it has expired. */
  readonly onExpired?: string;
  /** The type to enqueue when it is dead. */
  readonly onDead?: string;
  /** How long it may wait for more urgent ones. */
  readonly maxWaitMs?: number;
  /** The batch that it belongs to. */
  readonly batch?: string;
  /** Its payload is in an object, or names some. */
  readonly hasObjects?: true;
}

/** A run as the worker that claimed it sees it. Its id is opaque: it is compared, and never parsed. */
export interface ClaimedRun {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly priority: number;
  readonly payload: Json;
  readonly meta: Meta | null;
  /** The keys that had to have room before it was let in, and that its end gives room; null: none. */
  readonly gates: readonly string[] | null;
  /** What only few runs have; null: none. */
  readonly terms: RunTerms | null;
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
  /**
   * The path of a number that JavaScript cannot hold, which only SQL can write; null or not given: none. Its handler is
   * not called.
   */
  readonly lostNumber?: readonly string[] | null;
}

/** What is kept of an error: a short code and class to list, a bounded message and stack to investigate. */
export interface ErrorRecord {
  /** To group by: `ECONNREFUSED`, `http_503`, `timeout`. */
  readonly code: string;
  /** The class: `TypeError`. */
  readonly type: string;
  readonly message: string;
  readonly stack: string | null;
  /** The last lines that the attempt logged; null or not given: none are kept. */
  readonly logs?: string | null;
}

/** Why an attempt must end. */
export type AbortCode = 'timeout' | 'cancelled' | 'lease_lost' | 'shutting_down';

/**
 * How far an abort had to go: the handler ended on its signal; its process ignored the signal for a whole grace and was
 * killed; or the handler runs on in this thread, and its lease was revoked.
 */
export type AbortStage = 'signalled' | 'killed' | 'lease_revoked';

/** Why an attempt was aborted, and how far the abort went; null: it was not. */
export type AbortRecord = { readonly code: AbortCode; readonly stage: AbortStage } | null;

/**
 * The settlement of an attempt. `gates`: those of the run, which pass to waiting ones; not given: none. All of a batch
 * have some, or none has. `wasLost`: its lease was, so the store looks whether its database was made anew.
 */
export type Settlement = {
  readonly id: string;
  readonly fence: number;
  readonly gates?: readonly string[];
  readonly wasLost?: boolean;
} &
  /** `logs`: what the attempt has logged, where its contract keeps that of one that succeeds. */
  (
    | { readonly kind: 'complete'; readonly result: Json; readonly logs?: string | null }
    | { readonly kind: 'fail'; readonly error: ErrorRecord; readonly delayMs: number; readonly abort: AbortRecord }
    /** `isSpent`: it has failed as often as it may, and not for good at once. */
    | { readonly kind: 'bury'; readonly error: ErrorRecord; readonly abort: AbortRecord; readonly isSpent?: true }
    /**
     * Snoozes are counted, unless `maxSnoozes` is `UNCOUNTED_SNOOZES`; after `maxSnoozes` of them the run is dead instead,
     * with `SNOOZE_LIMIT`. `shutMs`: for so long its rates, or its limits if it has no rates, are closed. `wakesAt`: until
     * then (ISO 8601) instead of the delay, and due at once if one of its waits has ended. `hasBegun` false: its handler was
     * not called, so it may still expire.
     */
    | {
        readonly kind: 'snooze';
        readonly delayMs: number;
        readonly maxSnoozes: number;
        readonly shutMs?: number;
        readonly wakesAt?: string;
        readonly hasBegun?: false;
      }
    /**
     * `reason` null: the run only waited in the worker's buffer. `isSuspect`: its process failed, by an unknown run;
     * after `maxAttempts` such releases it is dead instead, with `SUSPECT_LIMIT`, if the store counts them.
     */
    | {
        readonly kind: 'release';
        readonly reason: string | null;
        readonly abort: AbortRecord;
        readonly isSuspect?: boolean;
      }
    /**
     * Left for another worker, because this one lacks the key `keyId` of its payload: uncharged, and due again after the
     * delay. `error` is what its row says meanwhile; no attempt is recorded.
     */
    | {
        readonly kind: 'leave';
        readonly keyId: string;
        readonly error: ErrorRecord;
        readonly delayMs: number;
      }
    /** Cancelled for good, by request, or else by the worker itself with its `by` and `reason`. */
    | {
        readonly kind: 'confirm_cancel';
        readonly by: string | null;
        readonly reason: string | null;
        readonly abort: AbortRecord;
      }
  );

/** The error of a run that has snoozed too often. */
export const SNOOZE_LIMIT = {
  code: 'too_many_snoozes',
  type: 'SnoozeLimit',
  message: 'Its handler asked for later once more than its contract allows (maxSnoozes).',
} as const;

/** The error of a run that was running each time its process failed. */
export const SUSPECT_LIMIT = {
  code: 'process_failed',
  type: 'ProcessFailed',
  message: 'Its worker’s process failed by an uncaught error as often as it may be tried (maxAttempts) while it ran.',
} as const;

/** More than a run can snooze: what it did not ask for itself is not counted against it. */
export const UNCOUNTED_SNOOZES = 2_147_483_647;
/** The error code of a run whose next retry would begin after its time. */
export const RETRY_BUDGET_EXHAUSTED = 'retry_budget_exhausted';

/** The status a settlement led to. */
export type SettledStatus = 'succeeded' | 'failed' | 'dead' | 'queued' | 'cancelled';

/** A worker with free slots, which takes runs that its settlements let in. */
export interface Taker extends Omit<ClaimRequest, 'queue'> {
  readonly queues: readonly string[];
  /**
   * Called at most once, before the settlement is answered, with runs that are claimed as `claim` does it. `isAll`: no
   * other run was let in, and no gate needs a look soon.
   */
  take(runs: readonly ClaimedRun[], isAll: boolean): void;
}

/** A run that its handler completes inside its own transaction. */
export interface Completion {
  readonly id: string;
  readonly fence: number;
  readonly result: Json;
  /** Those of the run; not given: it has none. */
  readonly gates?: readonly string[] | null;
  /** What its attempt has logged; null: nothing that is kept. Not given: the attempt is not kept. */
  readonly logs?: string | null | undefined;
}

/** The caller's transaction; only a store that is `transactional` uses it, and knows its type. */
export type Transaction = object;

export interface LeaseToExtend {
  readonly id: string;
  readonly fence: number;
  readonly leaseMs: number;
  /**
   * `now`: renew it. `when_short`: only if less than a third of it is left by the store's clock, which was then set
   * forward. `never`: only ask whether this claim still owns the run and whether it is to be cancelled.
   */
  readonly renew: 'now' | 'when_short' | 'never';
}

/** A lease that its claim still owns. One that is missing from the answer was lost. */
export interface ExtendedLease {
  readonly id: string;
  /** false: it was not due, or the run's row is locked now; the next heartbeat decides. */
  readonly isExtended: boolean;
  readonly isCancelRequested: boolean;
  readonly cancelRequestedBy: string | null;
  readonly cancelReason: string | null;
}

/**
 * Where a worker claims runs and writes what became of them. Each verb is atomic; each write about an attempt names its
 * fence, and changes nothing when the run has another fence by then.
 */
export interface RunStore {
  /**
   * Takes up to `limit` due runs of one queue, most urgent first. Two may be on their way at once, and share no run.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /** How long settlements gather under load, in milliseconds, because each statement costs a round trip; default 0. */
  readonly settleGapMs?: number;
  /**
   * Writes settlements of one kind, all with gates or all without, at most one for each run. Returns each run's new
   * status, in their order; null: it was lost. A store may give the `taker` runs that this has let in at their gates.
   */
  settle(batch: readonly Settlement[], taker?: Taker): Promise<readonly (SettledStatus | null)[]>;
  /** Renews leases; one that is missing from the answer was lost. */
  extendLeases(batch: readonly LeaseToExtend[]): Promise<ExtendedLease[]>;
  /** Writes the progress of a run; false: this claim no longer owns it. */
  saveProgress(id: string, fence: number, progressJson: string): Promise<boolean>;
  /**
   * Notes that a run needs an object that is about to be put; false: this claim no longer owns it. Throws `not_supported`
   * if the store has no `objects`.
   */
  keepObject(id: string, fence: number, key: string): Promise<boolean>;
  /**
   * Completes a run through the caller's transaction; false: this claim no longer owns it. Throws `not_supported` if
   * the store is not `transactional`.
   */
  completeIn(tx: Transaction, completion: Completion): Promise<boolean>;
  /** Whether that claim of the run has succeeded; asked when the answer to its settlement was lost. */
  isCompleted(id: string, fence: number): Promise<boolean>;
}
