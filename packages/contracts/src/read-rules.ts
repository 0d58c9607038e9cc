import { checkOption, checkWhole } from './check-option.js';
import { ContractError } from './contract-error.js';
import { parseDuration, type Duration } from './duration.js';
import { isName, NAME_RULE } from './is-name.js';
import type { JobContract } from './job-contract.js';
import type { JobOptions } from './job-options.js';
import { exponential } from './retry-policy.js';
import type { StandardSchema } from './standard-schema.js';

/** The priority of a contract that gives none. */
export const DEFAULT_PRIORITY = 5;

const RETRIES: readonly unknown[] = ['fixed', 'exponential', 'quadratic', 'delays'];
const EFFECTS: readonly JobContract['effects'][] = ['at_most_once', 'at_least_once'];
const SHUTDOWNS: readonly JobContract['onShutdown'][] = ['finish', 'release', 'drop'];
const DAY_MS = 86_400_000;
const KEPT: readonly JobContract['keepAttempts'][] = ['failed', 'all'];
const MILLION = 'a whole number from 0 to 1,000,000';

/** The options of any contract. */
export type AnyOptions = JobOptions<string, StandardSchema, StandardSchema, JobContract['isolate']>;

/** How its runs are queued, tried and given up: all that a contract says without a schema. */
export function readRules(options: AnyOptions) {
  const { type } = options;
  if (!isName(type))
    throw new ContractError('invalid_job_type', `${JSON.stringify(type)} is not a job type: ${NAME_RULE}.`);
  return {
    ...readNumbers(type, options),
    ...readQueues(type, options),
    ...readTimes(type, options),
    ...readTold(type, options),
    ...readPolicies(type, options),
    errors: readErrors(type, options.errors),
  } as const;
}

/** Words that code without types may write otherwise: `retry: 3` would leave a run without a time for its next attempt. */
function readPolicies(type: string, options: AnyOptions) {
  const { retry = exponential({ base: '10s' }), effects = 'at_most_once', onShutdown = 'finish' } = options;
  const { keepLogs = false, keepAttempts = 'failed' } = options;
  const { idempotencyKey = null } = options;
  checkOption(type, 'retry', retry, RETRIES.includes(retry?.kind), 'a policy such as exponential({ base: "10s" })');
  checkOption(type, 'effects', effects, EFFECTS.includes(effects), EFFECTS.join(' or '));
  checkOption(type, 'onShutdown', onShutdown, SHUTDOWNS.includes(onShutdown), SHUTDOWNS.join(', '));
  const isKey = idempotencyKey === null || typeof idempotencyKey === 'function';
  checkOption(type, 'idempotencyKey', idempotencyKey, isKey, 'a function of the payload');
  checkOption(type, 'keepLogs', keepLogs, typeof keepLogs === 'boolean', 'true or false');
  checkOption(type, 'keepAttempts', keepAttempts, KEPT.includes(keepAttempts), KEPT.join(' or '));
  return { retry, effects, onShutdown, keepLogs, keepAttempts };
}

function readNumbers(type: string, options: AnyOptions) {
  const { version = 1, maxAttempts = 10, maxSnoozes = 1_000, alertAfterReleases = 5 } = options;
  const { priority = DEFAULT_PRIORITY, isolate: { memoryMb = 128, maxJobsPerProcess = 1 } = {} } = options;
  checkWhole(type, 'version', version, 1, 2_147_483_647, 'a whole number from 1');
  checkWhole(type, 'maxAttempts', maxAttempts, 1, 1_000, 'a whole number from 1 to 1,000');
  checkWhole(type, 'maxSnoozes', maxSnoozes, 0, 1_000_000, MILLION);
  checkWhole(type, 'alertAfterReleases', alertAfterReleases, 0, 1_000_000, MILLION);
  checkWhole(type, 'priority', priority, 0, 9, 'a whole number from 0 (first) to 9 (last)');
  checkWhole(type, 'isolate.memoryMb', memoryMb, 16, 65_536, 'a whole number of MiB from 16 to 65,536');
  checkWhole(type, 'isolate.maxJobsPerProcess', maxJobsPerProcess, 1, 1_000_000, 'a whole number from 1 to 1,000,000');
  return { version, maxAttempts, maxSnoozes, alertAfterReleases, priority };
}

function readQueues(type: string, options: AnyOptions) {
  const { queue = options.queues?.[0] ?? 'default', queues = [queue], labels = [] } = options;
  for (const name of [queue, ...queues]) checkOption(type, 'queue', name, isName(name), NAME_RULE);
  checkOption(type, 'queues', queues, queues.includes(queue), `a list with its own queue (${queue}) in it`);
  checkOption(
    type,
    'labels',
    labels,
    Array.isArray(labels) && labels.every(isName),
    'a list of names, such as ["gpu"]',
  );
  return { queue, queues: [...new Set(queues)], labels: [...new Set(labels)] };
}

function readTimes(type: string, options: AnyOptions) {
  const { idempotencyWindow } = options;
  return {
    leaseMs: readTime(type, 'lease', options.lease ?? '30s', '1s'),
    timeoutMs: readTime(type, 'timeout', options.timeout ?? '15m', '1ms'),
    maxWaitMs: readGiven(type, 'maxWait', options.maxWait, '1s'),
    expiresAfterMs: readGiven(type, 'expiresAfter', options.expiresAfter, '1ms'),
    retryForMs: readGiven(type, 'retryFor', options.retryFor, '1ms'),
    keepDays: readDays(type, 'keep', options.keep),
    keepDeadDays: readDays(type, 'keepDead', options.keepDead),
    idempotencyWindowMs: idempotencyWindow === undefined ? null : parseDuration(idempotencyWindow),
  };
}

const readGiven = (type: string, option: string, value: Duration | undefined, least: Duration): number | null =>
  value === undefined ? null : readTime(type, option, value, least);

/** Retention goes by days, so that a part of one would promise what it does not keep. */
function readDays(type: string, option: string, value: Duration | undefined): number | null {
  if (value === undefined) return null;
  const days = parseDuration(value) / DAY_MS;
  checkOption(type, option, value, Number.isInteger(days) && days >= 1, 'whole days, such as "7d"');
  return days;
}

function readTime(type: string, option: string, value: Duration, least: Duration): number {
  const ms = parseDuration(value);
  checkOption(type, option, value, ms >= parseDuration(least), `at least "${least}"`);
  return ms;
}

/** The types that are told of what becomes of a run. */
function readTold(type: string, options: AnyOptions) {
  const { onExpired = null } = options;
  checkOption(type, 'onExpired', onExpired, onExpired === null || isName(onExpired), 'the name of a job type');
  const onDead = (typeof options.onDead === 'object' ? options.onDead.type : options.onDead) ?? null;
  const isOther = onDead === null || (isName(onDead) && onDead !== type);
  checkOption(type, 'onDead', onDead, isOther, 'a contract of another type, or the name of one');
  return { onExpired, onDead };
}

function readErrors(type: string, errors: AnyOptions['errors'] = {}): JobContract['errors'] {
  const { permanent = [], transient = [], text = 'cleaned' } = errors;
  const areLists = !Array.isArray(errors) && Array.isArray(permanent) && Array.isArray(transient);
  checkOption(type, 'errors', errors, areLists, 'lists of codes, such as { permanent: ["card_declined"] }');
  checkOption(type, 'errors.text', text, text === 'cleaned' || text === 'left_out', '"cleaned" or "left_out"');
  return { permanent, transient, text };
}
