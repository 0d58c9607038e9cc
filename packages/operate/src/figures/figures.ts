/** How long something took: half of all less than p50, 95 of 100 less than p95, each within a factor of two. */
export interface Times {
  readonly count: number;
  readonly meanMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** The finished runs of one queue and type within one step. */
export interface Figures {
  /** When the step begins. */
  readonly at: Date;
  readonly queue: string;
  readonly type: string;
  /** Attempts that began, and how they ended; `failed` ones are tried again. */
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly snoozed: number;
  /** From due to claimed. */
  readonly wait: Times;
  readonly run: Times;
  /**
   * The most that was due, that ran, and that was due and waited at gates, at one of the samples of each minute; null: no
   * sample has seen the type.
   */
  readonly due: number | null;
  readonly running: number | null;
  readonly held: number | null;
  /** The longest that a due run had waited at one of them. */
  readonly oldestWaitingSeconds: number | null;
}
