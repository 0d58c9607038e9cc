/** A run that holds a gate. */
export interface GateHolder {
  /** null, as its type: the caller may not see it. */
  readonly id: string | null;
  readonly type: string | null;
  readonly status: string;
  /** When it was claimed, or let in; a dead one: when it died. */
  readonly since: Date;
  /** Until when its lease holds; null: it has none. */
  readonly lockedUntil: Date | null;
  /** The key at which it waits itself, keeping its order; null: at none. */
  readonly heldBy: string | null;
}

/** The gate at which a run waits, and how many others are let in there before it; `isAtLeast`: there are more. */
interface GatePlace {
  readonly key: string;
  readonly ahead: number;
  readonly isAtLeast: boolean;
}

/** Something that a handler waits for. */
export interface OpenWait {
  readonly step: string;
  readonly kind: 'time' | 'signal' | 'job';
  /** The signal's name, or the job's id; null: it waits for a time, or the caller may not see the job. */
  readonly of: string | null;
  /** When it ends automatically; null: never. */
  readonly until: Date | null;
}

/** The facts of each code. Moments are on the database's clock. */
export interface ExplanationFacts {
  /** It waits for its moment. */
  readonly not_due: { readonly until: Date };
  /** Its handler asked for later, for the `snoozes`-th time. */
  readonly snoozed: { readonly until: Date; readonly snoozes: number };
  /** Its handler waits, without a slot; `count`: for so many things, of which the first are told. */
  readonly suspended: { readonly waits: readonly OpenWait[]; readonly count: number };
  /** The attempt failed, and the next one is not due yet. */
  readonly waiting_for_retry: {
    readonly until: Date;
    /** How many attempts have failed; the next one has the number after it. */
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly errorCode: string | null;
    readonly lastError: string | null;
    /** If the next retry would begin later, the job is dead; null: no limit. */
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
    /** What a worker must have to run the type. */
    readonly labels: readonly string[];
    /** The last one that could, and when it was seen for the last time; null: none within 30 days. */
    readonly lastWorker: string | null;
    readonly lastSeenAt: Date | null;
  };
  /** It is due, and waits for a free slot. */
  readonly behind: {
    readonly queue: string;
    /** The rules of the gates that have let it in. */
    readonly letInBy: readonly string[];
    /** How many due runs are taken before it; `isAtLeast`: there are more. */
    readonly ahead: number;
    readonly isAtLeast: boolean;
    /** Runs of its queue that began in a second, within the last five minutes; null: none did. */
    readonly perSecond: number | null;
    /** When it is its turn at that rate; null: that cannot be said. */
    readonly aboutSeconds: number | null;
    /** The workers that can take it. */
    readonly workers: number;
    /** When it is taken before all others, because it has waited for as long as its contract allows; null: never. */
    readonly climbsAt: Date | null;
  };
  /** As many units are held at once as there may be, and `holder` has held one for the longest time. */
  readonly held_by_limit: GatePlace & {
    readonly max: number | null;
    readonly used: number;
    readonly holder: GateHolder | null;
  };
  /** No more may start now. */
  readonly held_by_rate: GatePlace & {
    readonly max: number | null;
    readonly perMs: number | null;
    /** When the next unit is free; null: now. */
    readonly nextAt: Date | null;
    readonly inSeconds: number;
    /** Estimate until its own, if each job before it takes one; null: unknown. */
    readonly aboutSeconds: number | null;
  };
  /** Another run of its key is before it: `head`; null: none is, and it is let in at once. */
  readonly held_by_order: GatePlace & {
    readonly head: GateHolder | null;
    readonly onFailure: 'wait' | 'step_over';
    readonly onDead: 'let_go' | 'block';
  };
  /** Other tenants of its queue have their turn before it. */
  readonly held_by_tenant: GatePlace & { readonly turnsBefore: number };
  /** Too many attempts have failed: no job is let in, or one at a time. */
  readonly held_by_breaker: GatePlace & {
    readonly state: 'closed' | 'open' | 'trying';
    readonly until: Date | null;
    readonly trying: GateHolder | null;
  };
  /** A provider (`rateLimited`) or an operator (`by`) has closed it. */
  readonly gate_closed: GatePlace & {
    readonly until: Date;
    readonly source: 'provider' | 'operator';
    readonly by: string | null;
    readonly reason: string | null;
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
    /** When it was acknowledged; null: it was not. */
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
  /** Further reasons that would keep it from running then. */
  readonly further: readonly Reason[];
};
