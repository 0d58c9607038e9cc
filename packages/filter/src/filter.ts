/** The statuses of a job, in the order of its life. */
export const FILTER_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'dead', 'cancelled'] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** The kinds of gates at which a job may wait; `any` is any of them, and a pause that holds it back there. */
export const HELD_BY = ['any', 'limit', 'rate', 'order', 'tenant', 'breaker'] as const;
export type HeldBy = (typeof HELD_BY)[number];

/**
 * The jobs that match every term; an empty list matches all. `parseFilter` returns a valid one; check your own with
 * `formatFilter` and `parseFilter`.
 */
export interface JobFilter {
  readonly terms: readonly JobFilterTerm[];
}

export type JobFilterTerm =
  | ShardTerm
  | TextTerm
  | StatusTerm
  | HeldTerm
  | ErrorTerm
  | NumberTerm
  | MomentTerm
  | PayloadTerm;

/** A job matches if its value is one of `values`; with `isNot`, if it is none of them. */
interface Values<TValue> {
  readonly isNot: boolean;
  readonly values: readonly TValue[];
}

export interface StatusTerm extends Values<FilterStatus> {
  readonly field: 'status';
}

/** Jobs that are due and wait at a gate of this kind. */
export interface HeldTerm extends Values<HeldBy> {
  readonly field: 'held';
}

/**
 * Equal texts. `key` is the idempotency key, `schedule` the key of the schedule that made the job; `gate` is the key of a
 * gate at which the job waits, or which it holds, `tenant` the tenant in whose turn it runs, `batch` the id of its batch,
 * `bulk` that of a bulk action that has changed it, `at` the name of a step in which its handler waits, without the number that it
 * has in a loop, `code` the code or the type of its last error, and `parent` that of the job whose handler has enqueued it to wait for it.
 */
export interface TextTerm extends Values<string> {
  readonly field:
    | 'id'
    | 'type'
    | 'queue'
    | 'code'
    | 'key'
    | 'schedule'
    | 'worker'
    | 'gate'
    | 'tenant'
    | 'batch'
    | 'bulk'
    | 'parent'
    | 'at';
}

/** The job's shard is one of these; for several databases. */
export interface ShardTerm extends Values<string> {
  readonly field: 'shard';
}

/** The words of an error, as they follow each other in its code, its type or its message; cases are alike. */
export interface ErrorTerm extends Values<string> {
  readonly field: 'error';
}

export interface NumberTerm extends Values<Comparison> {
  readonly field: 'version' | 'priority' | 'attempts';
}

export interface Comparison {
  readonly operator: '=' | '<' | '<=' | '>' | '>=';
  readonly value: number;
}

/**
 * When a job came to its status: it was enqueued (queued), claimed (running), failed (failed) or ended. `since` includes
 * its moment, `until` does not.
 */
export interface MomentTerm {
  readonly field: 'since' | 'until';
  readonly moment: Moment;
}

/** So many milliseconds ago, or a moment as ISO 8601 in UTC. */
export type Moment = { readonly agoMs: number } | { readonly at: string };

/**
 * A field of the payload, by the names on the way to it. A value that stood in quotes is a text; another one may also be
 * a number, `true`, `false` or `null`.
 */
export interface PayloadTerm extends Values<PayloadValue> {
  readonly field: 'payload';
  readonly path: readonly string[];
}

export interface PayloadValue {
  readonly text: string;
  readonly isQuoted: boolean;
}
