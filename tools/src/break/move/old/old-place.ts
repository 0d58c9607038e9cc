/** The states in which jobs are when a move begins, so many of each. */
export const STATES = ['due', 'later', 'retry', 'failed'] as const;
export type State = (typeof STATES)[number];

/** A job as it stands somewhere. */
export interface Standing {
  /** null: it is none of those that were seeded. */
  readonly n: number | null;
  readonly is: 'waiting' | 'running' | 'failed';
  /** When it is due, or has failed. */
  readonly atMs: number;
}

export interface Seed {
  readonly n: number;
  readonly state: State;
}

/** An old system with jobs in it. */
export interface OldPlace {
  readonly name: 'bullmq' | 'pg-boss' | 'graphile-worker';
  /** Where its jobs are: for its worker. */
  readonly url: string;
  seed(jobs: readonly Seed[]): Promise<void>;
  /** Every job of it that has not succeeded. */
  read(): Promise<readonly Standing[]>;
}

export const DAY_MS = 86_400_000;

/** So many at once, of a long list. */
export function* portions<T>(all: readonly T[], count: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += count) yield all.slice(from, from + count);
}
