import type { Catalog } from '@duework/contracts';

export interface LostLook {
  /** Whether the lease of any run has expired. */
  readonly hasExpired: boolean;
  /** Registered workers that show no sign of life at this moment; none where a store cannot see that. */
  readonly missing: readonly string[];
}

export interface RescuedRun {
  readonly id: string;
  readonly type: string;
  readonly worker: string;
  readonly attempt: number;
  readonly status: 'failed' | 'dead' | 'cancelled';
}

/** The sentence that stays on a run whose worker went away. */
export const LOST_MESSAGE = 'The worker stopped renewing its lease: it died, lost its connection, or was stopped.';

/** For how many whole days (UTC) what is over is kept: what succeeded or was cancelled, and what is dead. */
export interface Retention {
  readonly keepDays: number;
  readonly keepDeadDays: number;
}

export interface AlertLimits {
  /** More runs than this dead within the last hour. */
  readonly maxDeadPerHour: number;
  /** The oldest due run waits for longer than this. */
  readonly maxWaitingSeconds: number;
  /** Something has kept dead rows from being removed for longer than this; only where a store has such rows. */
  readonly maxHorizonSeconds: number;
  /** For how long dead runs are kept; 90 days unless given. A week before some go that nobody has looked at, it is told. */
  readonly keepDeadDays?: number;
  /** This share of a type's attempts within 15 minutes failed, 0 to 1; half unless given … */
  readonly maxFailedShare?: number;
  /** … where there were so many at least; 20 unless given. */
  readonly minAttempts?: number;
}

export interface RaisedAlert {
  readonly name:
    | 'too_many_dead_jobs'
    | 'oldest_job_waits_too_long'
    | 'slot_missing'
    | 'horizon_pinned'
    | 'dead_runs_expire'
    | 'failing_job_type';
  readonly facts: { readonly [fact: string]: number | string };
}

/** The chores that any worker does and no worker must: each is safe to do anywhere, at any time, twice. */
export interface Upkeep {
  /** Writes what should exist and makes room for what will finish; before the first claim. */
  prepare(catalog: Catalog): Promise<void>;
  /** Whether there is anything to rescue, and which workers seem to be gone. */
  lookForLost(): Promise<LostLook>;
  /** Returns runs whose lease expired; or, whatever their leases say, those of workers that are gone. */
  rescue(limit: number, deadWorkers?: readonly string[]): Promise<RescuedRun[]>;
  /** Strikes workers that are gone, with nothing left to rescue, off the register; returns whom it was. */
  forgetWorkers(names: readonly string[]): Promise<string[]>;
  /**
   * Makes room ahead and removes history that is old enough, in small steps. Told to stop, it leaves the rest to the
   * next time. Returns how many daily parts of the history it made and dropped.
   */
  retain(keep: Retention, signal?: AbortSignal): Promise<{ made: number; dropped: number }>;
  /** The alerts to tell now; each is told by one worker only. */
  raiseAlerts(limits: AlertLimits): Promise<RaisedAlert[]>;
}
