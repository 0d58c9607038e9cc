import type { Duration } from '../duration.js';
import type { FlowPath } from './flow-path.js';

/** What tells runs apart; null and undefined are one value of their own. */
export type FlowValue = string | number | boolean | null | undefined;

/** The path of a value in the payload; or a function, and then only TypeScript can enqueue, not HTTP or SQL. */
export type FlowBy<T> = FlowPath<T> | ((payload: T) => FlowValue);

/** How much a run takes: a whole number from 1, the path of one in the payload, or a function. */
export type FlowUnits<T> = number | FlowPath<T> | ((payload: T) => number);

interface RuleOptions<T> {
  /** Types with the same name share the rule. Default: the job type, followed by the path of `by`. */
  readonly name?: string;
  /** The rule counts for each value separately; default: for all runs together. */
  readonly by?: FlowBy<T>;
}

/** So many run at once, over all workers. */
export interface LimitOptions<T> extends RuleOptions<T> {
  readonly max: number;
  /** How many of `max` a run takes; default 1. */
  readonly cost?: FlowUnits<T>;
}

/** So many start within a time, over all workers. */
export interface RateOptions<T> extends RuleOptions<T> {
  readonly max: number;
  readonly per: Duration;
  /** How many may start at once after a pause; default: a tenth of `max`, at least 1. */
  readonly burst?: number;
  /** How many of `max` a run takes; default 1. */
  readonly cost?: FlowUnits<T>;
}

/** One at a time for each value, in the order in which they were enqueued. */
export interface OrderOptions<T> extends RuleOptions<T> {
  readonly by: FlowBy<T>;
  /** After a failed run the next ones `'wait'` (default) for its retries, or `'step_over'` it. */
  readonly onFailure?: 'wait' | 'step_over';
  /** A dead run `'let_go'` (default) the next ones, or `'block'` them until it is retried or acknowledged. */
  readonly onDead?: 'let_go' | 'block';
}

/** Those of a queue who wait take turns, whatever their types, so that one with a million runs delays another's first by one turn. */
export interface TenantOptions<T> {
  readonly by: FlowBy<T>;
  /** How many turns a tenant gets for one of the others; default 1. */
  readonly weight?: FlowUnits<T>;
}

/** If too many attempts fail by an outside cause, none starts for a while, then one tries. */
export interface BreakerOptions<T> extends RuleOptions<T> {
  /** The share of failures at which it opens, above 0 and up to 1. */
  readonly share: number;
  /** Of so many attempts, the last ones; 2 to 10,000. */
  readonly of: number;
  /** How long nothing starts then. */
  readonly pause: Duration;
}

/** The rules that must have room before a run starts; none: runs start as soon as they are due. */
export interface FlowOptions<T> {
  /** How many run at once: `[{ name: 'smtp', max: 5 }, { by: 'accountId', max: 1 }]`. */
  readonly limits?: readonly LimitOptions<T>[];
  /** How many start within a time: `{ max: 100, per: '1m' }`. */
  readonly rate?: RateOptions<T> | readonly RateOptions<T>[];
  /** One at a time and in order, for each value: `'accountId'`. */
  readonly order?: FlowBy<T> | OrderOptions<T>;
  /** Who takes turns with others: `'customerId'`. */
  readonly tenant?: FlowBy<T> | TenantOptions<T>;
  /** A run that has waited longer than this is taken before others of any priority; default: never. */
  readonly maxWait?: Duration;
  /** When nothing starts for a while, because most of it would fail: `{ share: 0.5, of: 20, pause: '30s' }`. */
  readonly breaker?: BreakerOptions<T>;
}
