import type { IndexState } from './state-of-index.js';

/** An index of Duework, and how full it is. */
export interface ListedIndex {
  readonly name: string;
  readonly table: string;
  readonly state: IndexState;
  readonly bytes: number;
  /** What its entries would take in full pages, estimated; null: there are no statistics yet. */
  readonly neededBytes: number | null;
}

/**
 * Why an index stays as it is: `snapshot_open` and `lock_held`: a transaction would have kept the rebuild waiting, so it was not
 * begun, or was given up; `too_slow`: it took longer than it may; `not_smaller`: its last rebuild has not made it smaller;
 * `interrupted`: you asked for it.
 */
export type LeftReason = 'snapshot_open' | 'lock_held' | 'too_slow' | 'not_smaller' | 'interrupted';

/** What the care for the indexes of a database came to. */
export interface IndexCare {
  readonly rebuilt: readonly RebuiltIndex[];
  /** Left-overs of unfinished rebuilds that are gone. */
  readonly dropped: readonly string[];
  readonly left: readonly LeftIndex[];
}

export interface RebuiltIndex {
  readonly name: string;
  readonly table: string;
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

export interface LeftIndex {
  readonly name: string;
  readonly reason: LeftReason;
  /** Who is in its way, for people: `session 123 of psql (idle in transaction)`; null: nobody is known. */
  readonly who: string | null;
}
