import { canonicalJson } from './compare/canonical-json.js';
import { ContractError } from './contract-error.js';
import type { JsonSchema } from './describe-schema.js';
import { parseDuration, type Duration } from './duration.js';
import { findAtPath } from './sensitive/find-at-path.js';

/** How runs of a type are collected for one call of its handler, as a contract says it. */
export interface CollectOptions<TPayload = never, TMax extends number = number> {
  /** How many runs one call gets at most: a whole number from 2 to 1,000. */
  readonly max: TMax;
  /** How long the first of them waits for others, from its claim on: at most `'1m'`. */
  readonly wait: Duration;
  /** Only runs with the same value share a call: a path of the payload (`'account.id'`), or a function of it. */
  readonly by?: string | ((payload: TPayload) => string | number);
  /**
   * How many calls of one value run at once in a worker, 1 to 1,000; default: as many as have a slot. Waiting runs take
   * no slot.
   */
  readonly atOnce?: number;
}

/** The same, checked; a contract's `collect`. */
export interface Collect {
  readonly max: number;
  readonly waitMs: number;
  /**
   * The value that runs of one call share, as text; null: any runs. It may throw what the contract's function throws.
   */
  readonly by: ((payload: unknown) => string) | null;
  readonly atOnce?: number;
}

/** What a contract has: `never` says that its options have no `max`, so it does not collect. */
export type CollectOf<TMax extends number> = [TMax] extends [never] ? undefined : Collect;

/** What one statement settles at most. */
const MAX_COLLECTED = 1_000;
/** A run that is collected is claimed, and counts as running. */
const MAX_WAIT_MS = 60_000;
/** No worker has more slots. */
const MAX_AT_ONCE = 1_000;

/** Throws `ContractError` (`invalid_job_option`) for what cannot be collected. */
export function checkCollect(
  type: string,
  options: CollectOptions | undefined,
  payload: JsonSchema,
  isIsolated: boolean,
): Collect | undefined {
  if (options === undefined) return undefined;
  const refuse = (why: string): never => {
    throw new ContractError('invalid_job_option', `Job ${type}: ${why}.`);
  };
  if (isIsolated) refuse('collect and isolate exclude each other, because an isolated handler gets one run');
  const { max, wait, by, atOnce } = options;
  if (!Number.isInteger(max) || max < 2 || max > MAX_COLLECTED)
    refuse(`collect.max must be a whole number from 2 to 1,000, not ${JSON.stringify(max)}`);
  if (atOnce !== undefined && (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > MAX_AT_ONCE))
    refuse(`collect.atOnce is a whole number from 1 to 1,000, not ${JSON.stringify(atOnce)}`);
  const waitMs = parseDuration(wait);
  if (waitMs > MAX_WAIT_MS) refuse(`collect.wait is at most "1m", not ${JSON.stringify(wait)}`);
  const limits = { max, waitMs, ...(atOnce === undefined ? {} : { atOnce }) };
  if (by === undefined) return Object.freeze({ ...limits, by: null });
  const isPath = typeof by === 'string' && findAtPath(payload, by.split('.')).nodes.length > 0;
  if (!isPath && typeof by !== 'function')
    refuse(`collect.by is a path of its payload such as "account.id", or a function, not ${JSON.stringify(by)}`);
  const read = typeof by === 'function' ? (by as (payload: unknown) => unknown) : readAt(by.split('.'));
  return Object.freeze({ ...limits, by: (given: unknown) => toText(read(given)) });
}

function readAt(parts: readonly string[]): (payload: unknown) => unknown {
  return (payload) =>
    parts.reduce<unknown>(
      (value, part) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[part],
      payload,
    );
}

/** A field that is missing or null is the empty text. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : canonicalJson(value);
}
