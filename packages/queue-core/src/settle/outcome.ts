import { parseDuration, parseValue, type Duration, type JobContract } from '@duework/contracts';
import type { Json } from '../queue/job.js';
import { checkJsonShape, encodeJson } from '../enqueue/encode-payload.js';

/** What a handler decided about its attempt. */
export type Outcome<TResult = Json> =
  | { readonly kind: 'complete'; readonly result: TResult }
  | { readonly kind: 'retry'; readonly code: string; readonly reason: string; readonly delayMs: number | null }
  | { readonly kind: 'snooze'; readonly delayMs: number }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** A durable handler waits, until `wakesAt` (ISO 8601), which is in `delayMs`; its steps decide this, never the handler. */
  | { readonly kind: 'wait'; readonly delayMs: number; readonly wakesAt: string }
  | { readonly kind: 'bury'; readonly code: string; readonly reason: string };

/** The work is done. The result is kept with the run: plain JSON, small. */
export function complete(): Outcome<null>;
export function complete<TResult extends Json>(result: TResult): Outcome<TResult>;
export function complete(result: Json = null): Outcome {
  return { kind: 'complete', result };
}

/**
 * The attempt failed: try again after `delay` (a provider's Retry-After, say), or as the contract's policy says. `code`
 * is to group by.
 */
export function retry(
  reason: string,
  { delay, code = 'retry_requested' }: { delay?: Duration; code?: string } = {},
): Outcome<never> {
  return { kind: 'retry', code, reason, delayMs: delay === undefined ? null : parseDuration(delay) };
}

/** The run cannot go on yet: run it again after `delay`, without charging the attempt. */
export function snooze(delay: Duration): Outcome<never> {
  return { kind: 'snooze', delayMs: parseDuration(delay) };
}

/**
 * A provider said to come back later (429, Retry-After): runs again after `retryAfter`, without charging the attempt, and
 * until then nobody is let in who shares its rates; where it has none, its limits. Without either it is a snooze that is
 * not counted.
 */
export function rateLimited({ retryAfter }: { readonly retryAfter: Duration }): Outcome<never> {
  return { kind: 'rate_limited', retryAfterMs: parseDuration(retryAfter) };
}

/** Gives the run up: it is dead, with a code to group by and a reason for people. */
export function bury(code: string, reason: string): Outcome<never> {
  return { kind: 'bury', code, reason };
}

/** A handler that returns nothing has completed. */
const NOTHING_TO_SAY: Outcome<unknown> = { kind: 'complete', result: null };

/** What each kind of outcome has, and of which type. */
const FIELDS: Readonly<Record<Outcome['kind'], Readonly<Record<string, string>>>> = {
  complete: {},
  retry: { code: 'string', reason: 'string' },
  snooze: { delayMs: 'number' },
  rate_limited: { retryAfterMs: 'number' },
  wait: { delayMs: 'number', wakesAt: 'string' },
  bury: { code: 'string', reason: 'string' },
};

/**
 * The outcome that a handler decided on. Any other value than an outcome, such as what its mailer returned, is the result
 * of a run that has completed: the work is done, and doing it again because of a value would do it twice. Never throws.
 */
export function readOutcome(given: unknown): Outcome<unknown> {
  if (given === undefined || given === null) return NOTHING_TO_SAY;
  return isOutcome(given) ? given : { kind: 'complete', result: given };
}

/** false, too, for a value that throws when it is looked at. */
export function isOutcome(value: unknown): value is Outcome<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Record<string, unknown>;
  try {
    if (typeof given['kind'] !== 'string' || !Object.hasOwn(FIELDS, given['kind'])) return false;
    return Object.entries(FIELDS[given['kind'] as Outcome['kind']]).every(
      ([name, type]) => typeof given[name] === type,
    );
  } catch {
    return false;
  }
}

/** Returns a result that fits its contract and can be stored. Throws `TypeError`, or what a rule of its schema throws. */
export function checkResult(contract: JobContract, result: unknown): Json {
  const refuse = (reason: string): TypeError => new TypeError(`The result of this run cannot be stored: ${reason}.`);
  checkJsonShape(result, refuse);
  const parsed = parseValue(contract.result, result);
  if (!parsed.success) throw refuse(parsed.issues.map((issue) => `${issue.pointer} ${issue.message}`).join('; '));
  encodeJson(parsed.data, refuse);
  return parsed.data as Json;
}

/** The vendor of the schema that stands where a contract declares no result. */
const ANY_JSON_VENDOR = 'duework';

/**
 * Says that a result is left out: once for each type of a worker, because a handler that returns what its library returned
 * does so each time; but each time where the contract declares the result, because then somebody wants it.
 */
export function warnOfResult(
  { toldResults }: { readonly toldResults: Set<string> },
  { type, result }: JobContract,
  log: { warn(facts: object, message: string): void },
  error: string,
): void {
  const isDeclared = result['~standard'].vendor !== ANY_JSON_VENDOR;
  if (!isDeclared && toldResults.has(type)) return;
  toldResults.add(type);
  log.warn({ error }, 'the result of this run is left out: it cannot be stored, or does not fit its contract');
}
