import type { Measure } from './measures/measure.js';
import type { System } from './systems/system.js';

/** What a run of the benchmark was asked for. */
export interface BenchOptions {
  readonly isQuick: boolean;
  /** Whether measures were asked for by name. */
  readonly isAsked: boolean;
  readonly rounds: number;
  readonly measures: readonly Measure[];
  readonly systems: readonly System[];
  /** Where everything that was measured is written. */
  readonly json: string | undefined;
  /** Where the chart is drawn. */
  readonly svg: string | undefined;
}
