import type { Measure } from './measures/measure.js';
import type { System } from './systems/system.js';

/** What a run of the benchmark was asked for. */
export interface BenchOptions {
  readonly isQuick: boolean;
  /** Whether measures were requested by name. */
  readonly isAsked: boolean;
  readonly rounds: number;
  readonly measures: readonly Measure[];
  readonly systems: readonly System[];
  /** The file to which all measurements are written. */
  readonly json: string | undefined;
  /** The file to which the chart is drawn. */
  readonly svg: string | undefined;
}
