import type { RaisedAlert } from './upkeep.js';

/** What one tick came to. */
export interface TickReport {
  readonly fired: number;
  readonly skipped: number;
  readonly waiting: number;
  /** Until the tick has something to do again, on the database's clock; null: never, as things are. */
  readonly nextTickInMs: number | null;
}

/** What a worker does for schedules; each part is safe to do anywhere, at any time, twice. */
export interface Ticker {
  tick(signal?: AbortSignal): Promise<TickReport>;
  /** Drops the ledger that is older than `keepDays` days, in small steps; returns how many lines. */
  retain(keepDays: number, signal?: AbortSignal): Promise<number>;
  /** The alert to tell now, when slots are later than allowed. */
  raiseAlerts(): Promise<RaisedAlert[]>;
}

/** Why a slot did not fire. */
export type SkipReason =
  | 'missed'
  | 'too_old'
  | 'over_limit'
  | 'outage'
  | 'overlap'
  | 'superseded'
  | 'queue_full'
  /** Made by the tick: the run could not be made, or is there already. */
  | 'duplicate'
  | 'unknown_job_type'
  | 'invalid_payload'
  | 'invalid_rule';
