/** What both applications have come to. */
export interface Outcomes {
  /** How many jobs there are of an order that was rolled back, and of one that was not. */
  readonly inTransaction: readonly [rolledBack: number, committed: number];
  /** The order of jobs by their priorities. */
  readonly order: readonly number[];
  /** Whether a job waited for its moment. */
  readonly isDelayed: boolean;
  /** How many attempts a job took that failed twice. */
  readonly attempts: number;
  /** The payload that a job for the dead ones got. */
  readonly dead: number;
  /** How many of three jobs of one key were sent, while the first waited. */
  readonly short: number;
  /** How many of three jobs of one key were sent within an hour. */
  readonly throttled: number;
  /** The sizes of the batches in which five jobs ran. */
  readonly batches: readonly number[];
  /** Whether a job that was cancelled ran. */
  readonly ranCancelled: boolean;
  /** What a job has left behind. */
  readonly output: unknown;
  readonly schedule: { readonly cron: string; readonly timeZone: string };
}
