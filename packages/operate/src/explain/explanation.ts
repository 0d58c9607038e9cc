/** The facts of each code. Moments are on the database's clock. */
export interface ExplanationFacts {
  /** It waits for its moment. */
  readonly not_due: { readonly until: Date };
  /** Its handler asked for later, for the `snoozes`-th time. */
  readonly snoozed: { readonly until: Date; readonly snoozes: number };
  /** The attempt failed, and the next one is not due yet. */
  readonly waiting_for_retry: {
    readonly until: Date;
    /** How many attempts have failed; the next one has the number after it. */
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly errorCode: string | null;
    readonly lastError: string | null;
    /** No retry begins later: where the next one would, it is dead; null: there is no such moment. */
    readonly retryUntil: Date | null;
  };
  readonly paused: {
    readonly kind: 'queue' | 'type';
    readonly name: string;
    readonly since: Date;
    readonly until: Date | null;
    readonly by: string | null;
    readonly reason: string | null;
  };
  /** No worker that lives can take it. */
  readonly no_worker: {
    readonly queue: string;
    readonly type: string;
    readonly version: number;
    /** What is missing: any worker, one for the type, one that claims from the queue, or one that reads the version. */
    readonly missing: 'worker' | 'type' | 'queue' | 'version';
    /** The last one that could, and when it was seen for the last time; null: none within 30 days. */
    readonly lastWorker: string | null;
    readonly lastSeenAt: Date | null;
  };
  /** It is due, and waits for a free slot. */
  readonly behind: {
    readonly queue: string;
    /** How many due runs are taken before it; `isAtLeast`: there are more. */
    readonly ahead: number;
    readonly isAtLeast: boolean;
    /** Runs of its queue that began in a second, within the last five minutes; null: none did. */
    readonly perSecond: number | null;
    /** When it is its turn at that rate; null: that cannot be said. */
    readonly aboutSeconds: number | null;
    /** The workers that can take it. */
    readonly workers: number;
  };
  readonly leased: {
    readonly worker: string;
    readonly until: Date;
    readonly claimedAt: Date;
    readonly attempt: number;
    readonly maxAttempts: number;
  };
  /** It is cancelled then unless it has started. Always a further reason. */
  readonly expires: { readonly at: Date };
  /** Workers that stopped have given it back so often while its handler ran. Always a further reason. */
  readonly released: { readonly releases: number };
  /** Its worker has stopped renewing the lease, and a rescue is due. */
  readonly lease_expired: { readonly worker: string; readonly since: Date; readonly attempt: number };
  /** It runs, and its worker was asked to cancel it. */
  readonly cancelling: {
    readonly worker: string;
    readonly since: Date;
    readonly by: string | null;
    readonly reason: string | null;
  };
  readonly dead: {
    readonly since: Date;
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly errorCode: string | null;
    readonly lastError: string | null;
    /** When somebody acknowledged it; null: nobody has. */
    readonly acknowledgedAt: Date | null;
  };
  readonly succeeded: { readonly at: Date; readonly worker: string | null; readonly attempts: number };
  readonly cancelled: { readonly at: Date; readonly by: string | null; readonly reason: string | null };
}

export type ExplanationCode = keyof ExplanationFacts;

/** One reason why a job is where it is: a stable code, its facts, and a sentence for people. */
export type Reason = {
  [C in ExplanationCode]: { readonly code: C; readonly facts: ExplanationFacts[C]; readonly sentence: string };
}[ExplanationCode];

/** Where a job is now, and why. */
export type Explanation = Reason & {
  readonly id: string;
  readonly status: string;
  /** What else would keep it from running when the first reason is gone. */
  readonly further: readonly Reason[];
};
