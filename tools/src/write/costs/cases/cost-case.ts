import type { FigureName } from '../figures.js';
import type { Surroundings } from '../servers/make-templates.js';
import type { ClientName, CostClient } from './cost-client.js';

/** The machine stood still for so long that a call was another one than the case is about; it is measured again. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError';
}

/** One verb, and what lies beside it. */
export interface CostCase {
  /** What is done in one call: `claim 500 runs`. */
  readonly name: string;
  readonly role: 'producer' | 'engine';
  /** Where two clients cost the server the same, and the case is slow to prepare, one is enough. */
  readonly clients: readonly ClientName[];
  readonly beside: Surroundings;
  /** Measured calls; the figures are for one. */
  readonly calls: number;
  /** What is not the same in every run. */
  readonly leftOut?: readonly Exclude<FigureName, 'planningBuffers'>[];
  /**
   * Does what a case needs and does not measure, through `other`, and returns the call that is measured, through
   * `client`. It is called `times` times, the calls to warm up included.
   */
  prepare(options: {
    readonly client: CostClient;
    readonly other: CostClient;
    readonly times: number;
  }): Promise<() => Promise<unknown>>;
}

/** A sequence of the runs' ids is written to the log for every 32nd id. */
export const CALLS_OF_ONE = 32;
export const CALLS_OF_MANY = 4;
export const MANY = 500;
