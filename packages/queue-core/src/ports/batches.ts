import type { BatchMoment } from './producer.js';

/** A batch as it stands: `jobs` are all of it, `open` those that have not ended. */
export interface Batch {
  readonly id: string;
  readonly name: string | null;
  readonly jobs: number;
  readonly succeeded: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly open: number;
  readonly createdAt: Date;
  /** When the last job ended, so nothing can be added; null: some are open. It stays if one is retried. */
  readonly settledAt: Date | null;
  /** The ids of the enqueued callbacks; null: none, or not yet. */
  readonly callbacks: { readonly [M in BatchMoment]: string | null };
  /** The callbacks that it was given, sorted by name. */
  readonly planned: readonly BatchMoment[];
}

export interface BatchPage {
  readonly batches: readonly Batch[];
  /** Pass it as `cursor` for the next page; null: this was the last one. */
  readonly nextCursor: string | null;
}

/** How many jobs were cancelled, and of how many that run it was requested. */
export interface CancelledBatch {
  readonly cancelled: number;
  readonly requested: number;
}
