import type { Measure, Values } from '../measures/measure.js';
import type { Size } from '../sizes.js';
import type { System, SystemName } from '../systems/system.js';

/** What one system did in one turn: figures, or why there are none. */
export interface Result {
  readonly measure: string;
  readonly system: SystemName;
  /** From 0. */
  readonly round: number;
  readonly figures?: Values;
  readonly error?: string;
  /** The share of the machine that others used meanwhile; null: it cannot be read here. */
  readonly foreignCpu: number | null;
}

/** Where and with what was measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** fsync costs nothing there, and every figure would be wrong. */
  readonly isDataInMemory: boolean;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly settings: Readonly<Record<string, string>>;
}

/** Everything that a run has measured. */
export interface Run {
  readonly measures: readonly Measure[];
  readonly systems: readonly System[];
  /** A sentence for each reason why a system was left out. */
  readonly missing: readonly string[];
  readonly rounds: number;
  readonly size: Size;
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly tookMs: number;
  readonly results: readonly Result[];
}

/** The medians of a system by the keys of the figures; or the last error of one that failed in every round. */
export type Medians = Readonly<Record<string, number>> | { readonly error: string };

/** By measure, then by system. A system that took no turn has no entry. */
export type Summary = Readonly<Record<string, { readonly [name in SystemName]?: Medians }>>;

/** A run as it is written to a file; what nobody reads again is left out of the type. */
export interface SavedRun extends Pick<Run, 'rounds' | 'machine'> {
  readonly systems: readonly Pick<System, 'name' | 'title'>[];
  readonly medians: Summary;
}

/** Whether a system failed in every round. */
export const hasFailed = (medians: Medians | undefined): medians is { readonly error: string } =>
  typeof medians?.['error' as keyof Medians] === 'string';

/** One median; undefined: it was not measured. */
export function findMedian(summary: Summary, measure: string, system: SystemName, key: string): number | undefined {
  const medians = summary[measure]?.[system];
  return medians === undefined || hasFailed(medians) ? undefined : medians[key];
}
