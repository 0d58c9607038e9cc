/** The work of a thread. */
export interface SeedBatch {
  readonly seeds: readonly number[];
  /** The name of a mistake to plant. */
  readonly plant: string | undefined;
}

export interface SeedTotals {
  worlds: number;
  events: number;
  faults: number;
  virtualMs: number;
}

/** The report of a thread: `failed` is the seed of the first world that broke a promise; null: none did. */
export interface BatchResult {
  readonly totals: Readonly<SeedTotals>;
  readonly failed: number | null;
}

export const noTotals = (): SeedTotals => ({ worlds: 0, events: 0, faults: 0, virtualMs: 0 });
