import type { Act, Queryable } from '@duework/queue-core';
import type { HandedOver } from './hand-over.js';
import type { ContractOf, TypeNames } from './type-names.js';

/** What a job of another system is there, in the words of all of them. */
export type OldState = 'waiting' | 'retry' | 'failed' | 'running' | 'ended';

/** So many jobs of one name, in one queue and state. */
export interface OldCount {
  readonly name: string;
  /** Where the system has queues beside names; null: this one is in none. */
  readonly queue: string | null;
  readonly state: OldState;
  readonly jobs: number;
}

/** A job of another system, in Duework's words. */
export interface OldJob {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  /** Whether it has failed for good, and is dead here. */
  readonly isFailed: boolean;
  /** ISO 8601. */
  readonly runAt: string;
  readonly createdAt: string;
  /** So many steps before (below 0: behind) those of its type that say nothing of a priority. */
  readonly ahead: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** What makes it one of a kind; null: nothing. */
  readonly key: string | null;
  /** The last error; null: none. */
  readonly failure: { readonly at: string; readonly type: string | null; readonly message: string } | null;
  /** Why it cannot move; null: it can. */
  readonly stays: string | null;
  /** Its row there without its data, for the way back; null: it goes back as a new one. */
  readonly row: object | null;
}

/** A job of Duework's on its way back. */
export interface ReturningJob {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly isFailed: boolean;
  readonly runAt: string;
  readonly ahead: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly error: string | null;
  /** The row that it was; null: it has never been there. */
  readonly row: object | null;
}

export interface OldSystem {
  readonly name: string;
  /** Throws `PlainError` where there is no such system, or one that is too old, or its jobs cannot be seen. */
  check(): Promise<void>;
  count(): Promise<readonly OldCount[]>;
  /** Every name that it knows, with jobs or without. */
  names(): Promise<readonly string[]>;
  /** Ids of those of a name that could move, in the order in which they would run, behind the `after` of the page before. */
  list(name: string, after: string | null): Promise<{ readonly ids: readonly string[]; readonly after: string | null }>;
  /** Jobs of a name with their rows locked, without those that somebody has taken or holds. */
  lock(tx: Queryable, name: string, ids: readonly string[]): Promise<readonly OldJob[]>;
  /** The same without locks. */
  read(name: string, ids: readonly string[]): Promise<readonly OldJob[]>;
  remove(tx: Queryable, ids: readonly string[]): Promise<void>;
  /** Puts jobs back, and answers with the ids of those that are there now: the others have a key that is taken. */
  putBack(tx: Queryable, jobs: readonly ReturningJob[]): Promise<readonly string[]>;
  /** How many attempts a job has in all, by its row. */
  maxAttemptsOf(row: object): number;
  /** Hands over what makes jobs again and again. */
  handOver(contractOf: ContractOf, isDry: boolean): Promise<readonly HandedOver[]>;
  /** Hands back what makes jobs of these contracts. */
  handBack(names: TypeNames, act: Act): Promise<readonly HandedOver[]>;
}
