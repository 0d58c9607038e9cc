/** The decisions of one tick. */
export interface TickReport {
  readonly fired: number;
  readonly skipped: number;
  readonly waiting: number;
  /** Time until a schedule is due again, on the database's clock; null: none will be. */
  readonly nextTickInMs: number | null;
}

/** A worker's chores for schedules; each method is safe to call anywhere, at any time, twice. */
export interface Ticker {
  tick(signal?: AbortSignal): Promise<TickReport>;
  /** Deletes the ledger's lines that are older than `keepDays` days, in small steps; returns how many. */
  prune(keepDays: number, signal?: AbortSignal): Promise<number>;
}

/** Why a due time did not fire. */
export type SkipReason =
  | 'missed'
  | 'too_old'
  | 'over_limit'
  | 'outage'
  | 'overlap'
  | 'superseded'
  | 'queue_full'
  /** The tick itself found these: the run could not be made, or exists already. */
  | 'duplicate'
  | 'unknown_job_type'
  | 'unknown_job_version'
  | 'invalid_payload'
  | 'invalid_rule';
