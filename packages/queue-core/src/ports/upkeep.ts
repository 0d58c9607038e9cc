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

export interface AlertLimits {
  /** More runs than this dead within the last hour. */
  readonly maxDeadPerHour: number;
  /** The oldest due run waits for longer than this. */
  readonly maxWaitingSeconds: number;
  /** Something has kept dead rows from being removed for longer than this; only where a store has such rows. */
  readonly maxHorizonSeconds: number;
}

export interface RaisedAlert {
  readonly name: 'too_many_dead_jobs' | 'oldest_job_waits_too_long' | 'slot_missing' | 'horizon_pinned';
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
   * Makes room ahead and drops history older than `keepDays` days, in small steps. Told to stop, it leaves the rest to the
   * next time. Returns how many daily parts of the history it made and dropped.
   */
  retain(keepDays: number, signal?: AbortSignal): Promise<{ made: number; dropped: number }>;
  /** The alerts to tell now; each is told by one worker only. */
  raiseAlerts(limits: AlertLimits): Promise<RaisedAlert[]>;
}
