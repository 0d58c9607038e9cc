import type { Transactable } from '@duework/queue-core';
import type { NewRun } from '@duework/queue-core/ports';
import type { Forwarded } from './forward-contract.js';

/** One forward: its id in its own database, and the job to make of it. */
export interface CarriedForward {
  readonly id: string;
  /** Its delay is a moment already, so that it counts from the caller's enqueue, however long the way was. */
  readonly run: NewRun;
  /** When the caller enqueued, in ms since 1970. */
  readonly createdAtMs: number;
}

/** Where forwards are carried that is no database of Duework. */
export interface ForwardTarget {
  /**
   * Makes one job of each forward of the database `from`, however often it is called with it, and answers with the jobs in
   * their order, each by the id by which everybody knows it. Throws `DueworkError`, and is called again then: with
   * `redis_away` later, and with another one at once, with each forward by itself, so that one that is refused holds up
   * nobody.
   */
  carry(from: string, forwards: readonly CarriedForward[]): Promise<readonly Forwarded[]>;
}

/** Where a worker carries forwards, by the names that they say: clients of shards, and other targets. */
export type ForwardTargets = Readonly<Record<string, Transactable | ForwardTarget>>;

export function isForwardTarget(target: Transactable | ForwardTarget): target is ForwardTarget {
  return typeof (target as Partial<ForwardTarget>).carry === 'function';
}
