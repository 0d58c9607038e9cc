import type { Measure, Values } from '../measures/measure.js';
import type { Size } from '../sizes.js';
import type { System, SystemName } from '../systems/system.js';

/** Formats a figure with three significant digits. */
export function formatNumber(value: number | null | undefined): string {
  if (value === undefined || value === null) return '–';
  if (value === 0) return '0';
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** The result of one system in one turn: figures, or the reason why there are none. */
export interface Result {
  readonly measure: string;
  readonly system: SystemName;
  /** Counted from 0. */
  readonly round: number;
  readonly figures?: Values;
  readonly error?: string;
  /** The share of the machine that others used meanwhile; null: it cannot be measured here. */
  readonly foreignCpu: number | null;
}

/** The machine and the versions that were measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** Whether the data is in memory, where fsync costs nothing and every figure would be wrong. */
  readonly isDataInMemory: boolean;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly settings: Readonly<Record<string, string>>;
}

/** Every result of a run. */
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

/** A run as it is written to a file; the type leaves out what nobody reads again. */
export interface SavedRun extends Pick<Run, 'rounds' | 'machine' | 'isQuick'> {
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
