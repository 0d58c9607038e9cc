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

/** A target of forwards that is no database of Duework. */
export interface ForwardTarget {
  /**
   * Makes one job of each forward of the database `from`, however often it is called with it, and resolves with the
   * jobs in their order, by their outer ids. If it throws a `DueworkError`, it is called again: after `redis_away`
   * later, after another one at once, with each forward alone, so that a refused one delays no other.
   */
  carry(from: string, forwards: readonly CarriedForward[]): Promise<readonly Forwarded[]>;
}

/** Targets of forwards by name: clients of shards, and others. */
export type ForwardTargets = Readonly<Record<string, Transactable | ForwardTarget>>;

export function isForwardTarget(target: Transactable | ForwardTarget): target is ForwardTarget {
  return typeof (target as Partial<ForwardTarget>).carry === 'function';
}
