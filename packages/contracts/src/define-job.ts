import { ANY_JSON, type AnyJson } from './any-json.js';
import { checkCollect, type Collect, type CollectOf, type CollectOptions } from './collect.js';
import { ContractError } from './contract-error.js';
import { describeSchema, type JsonSchema } from './describe-schema.js';
import { parseDuration, type Duration } from './duration.js';
import { checkPast } from './check-past.js';
import { makeUnique } from './unique/make-unique.js';
import type { UniqueOptions, UniqueRule } from './unique/unique-options.js';
import { parseValue } from './parse-value.js';
import type { NoPast, Past, PastOptions, PastPayloads } from './past.js';
import type { FlowOptions } from './flow/flow-options.js';
import type { FlowRules } from './flow/flow-rule.js';
import { makeRules } from './flow/make-rules.js';
import { exponential, type RetryPolicy } from './retry-policy.js';
import { checkSensitive } from './sensitive/check-sensitive.js';
import { markSensitive } from './sensitive/mark-sensitive.js';
import type { SensitivePath } from './sensitive/sensitive-path.js';
import {
  isStandardSchema,
  type InputOf,
  type OutputOf,
  type StandardSchema,
  type JsonSchemaOf,
} from './standard-schema.js';

/** What `defineJob` needs to know about a type of job. Everything but `type` and `payload` has a default. */
export interface JobOptions<
  TType extends string,
  TPayload extends StandardSchema,
  TResult extends StandardSchema,
  TIsolate extends Isolation | undefined,
  TVersion extends number = number,
  TProgress extends StandardSchema = StandardSchema,
  TCollected extends number = number,
  TDurable extends boolean = boolean,
> extends FlowOptions<NoInfer<OutputOf<TPayload>>> {
  /** Stable short name to route on: lower case letters, digits and `_`, at most 63 characters. */
  readonly type: TType;
  /** Raise it when the payload changes its shape, and keep the shape that it had in `past`; default 1. */
  readonly version?: TVersion;
  /**
   * A schema of any validator that implements Standard Schema (zod 3.25 or later, valibot, arktype …), plain JSON in,
   * plain JSON out, small (ids and references).
   */
  readonly payload: TPayload;
  /** The payload as JSON Schema (draft 2020-12), where its validator does not write it by itself. */
  readonly payloadJsonSchema?: JsonSchema;
  /**
   * The payload of a run that is enqueued, or a schedule that is saved, without one; not given: a payload is required.
   */
  readonly defaultPayload?: NoInfer<InputOf<TPayload>>;
  /** The schema of what `complete(…)` keeps with the run; default: any JSON. */
  readonly result?: TResult;
  /** The result as JSON Schema, as with the payload. */
  readonly resultJsonSchema?: JsonSchema;
  /** The schema of what a handler reports about its progress; default: any JSON. */
  readonly progress?: TProgress;
  /** Default `exponential({ base: '10s' })`. */
  readonly retry?: RetryPolicy;
  /** How long one attempt may run; default `'1m'`. */
  readonly timeout?: Duration;
  /** How long a silent worker keeps the run; renewed while the handler runs. Default `'30s'`, at least `'1s'`. */
  readonly lease?: Duration;
  /** Attempts that are charged before the run is dead; default 10. */
  readonly maxAttempts?: number;
  /** How often the handler may snooze before the run is dead; default 1,000; 0: never. */
  readonly maxSnoozes?: number;
  /**
   * How often workers that stop may give a run back while its handler runs; more is an alert, because it may last longer
   * than the time between two deploys. Default 5.
   */
  readonly alertAfterReleases?: number;
  /** Default: the first of `queues`, or `'default'`. */
  readonly queue?: string;
  /** The queues among which whoever enqueues may choose, its own one among them; default: its own one alone. */
  readonly queues?: readonly string[];
  /** 0 (first) to 9 (last); default 5. */
  readonly priority?: number;
  /** What has not started so long after it was due is cancelled, and never starts; default: it waits for ever. */
  readonly expiresAfter?: Duration;
  /**
   * The type that is enqueued where a run of this one has expired, with `{ jobId, type, payload }`; sensitive values of the
   * payload stay as they are stored.
   */
  readonly onExpired?: string;
  /**
   * The contract, or its type, that is enqueued where a run of this one is dead, whatever made it so, with what `DeadJob`
   * says, in the transaction in which it dies; once for each death. What was enqueued so tells nobody of its own death.
   */
  readonly onDead?: string | { readonly type: string };
  /**
   * A time for all attempts together, from the moment at which the run was due at first: where the next retry would begin
   * later, the run is dead. Default: `maxAttempts` alone decides.
   */
  readonly retryFor?: Duration;
  /** The business event's key, not the attempt's: `invoice:812`. A second enqueue with it gets the first run back. */
  readonly idempotencyKey?: (payload: OutputOf<TPayload>) => string;
  /** One run instead of many, and what a second enqueue does: debounce, throttle, the newest wins. */
  readonly unique?: UniqueOptions<NoInfer<OutputOf<TPayload>>>;
  /** How long a key holds; default and maximum: as long as the run or its history is kept. */
  readonly idempotencyWindow?: Duration;
  /**
   * `permanent`, `transient`: error codes that this job classifies itself, before the standard rule: permanent ones are not
   * retried. `text`: what is kept, logged and traced of an error's message and stack: `'cleaned'` (default), without the
   * values of the payload and without secrets, or `'left_out'`, nothing, so that code and class alone remain.
   */
  readonly errors?: {
    readonly permanent?: readonly string[];
    readonly transient?: readonly string[];
    readonly text?: ErrorText;
  };
  /**
   * What `once` does about an effect that may have happened, because a worker died between doing it and writing that
   * down: `'at_most_once'` (default) lets a person decide, `'at_least_once'` does it again with the same key.
   */
  readonly effects?: EffectPolicy;
  /**
   * What a stopping worker does with a running attempt: `'finish'` (default) lets it end until the deadline,
   * `'release'` aborts it at once, `'drop'` cancels the run for good. No attempt is charged.
   */
  readonly onShutdown?: ShutdownPolicy;
  /**
   * Values of the payload that are nobody's business: `['/iban', '/card/number']`; `*` is every element of an array. They
   * come into no log, no error and no answer without the scope for it, and are encrypted at rest where the process has a
   * key ring (`setKeyRing`).
   */
  readonly sensitive?: readonly NoInfer<SensitivePath<OutputOf<TPayload>>>[];
  /** The same for the result, which is hidden where it is shown and not encrypted. */
  readonly sensitiveResult?: readonly NoInfer<SensitivePath<OutputOf<TResult>>>[];
  /**
   * `'required'`: a process without a key ring cannot enqueue this job, and SQL cannot; `'where_possible'` (default): it
   * stores the sensitive values as they are.
   */
  readonly encryption?: EncryptionPolicy;
  /** The handler runs in a process of its own, which is killed when it ignores its signal or outgrows its memory. */
  readonly isolate?: TIsolate;
  /** The handler gets many runs in one call, each with an outcome of its own; not together with `isolate`. */
  readonly collect?: CollectOptions<OutputOf<TPayload>, TCollected>;
  /**
   * The handler takes steps (`step`), whose results are kept: the next attempt goes on behind what is done. Not together
   * with `isolate` and `collect`. Default false.
   */
  readonly durable?: TDurable;
}

export type EncryptionPolicy = 'where_possible' | 'required';
export type ErrorText = 'cleaned' | 'left_out';
export type EffectPolicy = 'at_most_once' | 'at_least_once';
export type ShutdownPolicy = 'finish' | 'release' | 'drop';
export interface Isolation {
  /** The memory an attempt may use, heap and all else; default 128 MiB. */
  readonly memoryMb?: number;
}

/** A job as producers and consumers see it; made by `defineJob` only. */
export interface JobContract<
  TType extends string = string,
  TPayload extends StandardSchema = StandardSchema,
  TResult extends StandardSchema = StandardSchema,
  TIsolate extends Isolation | undefined = Isolation | undefined,
  TProgress extends StandardSchema = StandardSchema,
  TCollect extends Collect | undefined = Collect | undefined,
  TDurable extends boolean = boolean,
> {
  readonly type: TType;
  readonly version: number;
  /** The oldest version whose payloads can still be read; `version` itself where there is no past. */
  readonly oldestVersion: number;
  readonly past: Past;
  readonly payload: TPayload;
  readonly result: TResult;
  readonly progress: TProgress;
  readonly payloadJsonSchema: JsonSchema;
  /** undefined: there is none. */
  readonly defaultPayload: unknown;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly maxSnoozes: number;
  readonly alertAfterReleases: number;
  /** The queue of a run whose enqueue names none. */
  readonly queue: string;
  /** Those that an enqueue may name. */
  readonly queues: readonly string[];
  readonly priority: number;
  /** null: its runs wait for ever. */
  readonly expiresAfterMs: number | null;
  /** null: nobody is told. */
  readonly onExpired: string | null;
  /** null: nobody is told. */
  readonly onDead: string | null;
  /** null: there is no limit beside `maxAttempts`. */
  readonly retryForMs: number | null;
  /** null: runs of this type have a key only when the caller gives one. */
  readonly keyOf: { bivariant(payload: OutputOf<TPayload>): string }['bivariant'] | null;
  /** null: the first run with a key stays, as long as the key holds. */
  readonly unique: UniqueRule | null;
  /** null: a key holds as long as the run or its history is kept. */
  readonly idempotencyWindowMs: number | null;
  readonly errors: {
    readonly permanent: readonly string[];
    readonly transient: readonly string[];
    readonly text: ErrorText;
  };
  readonly effects: EffectPolicy;
  readonly onShutdown: ShutdownPolicy;
  /** The sensitive paths of a payload of today's version. */
  readonly sensitive: readonly string[];
  /** Those of every version, because payloads of the past wait, too. */
  readonly sensitiveEver: readonly string[];
  readonly sensitiveResult: readonly string[];
  readonly encryption: EncryptionPolicy;
  /** What must have room before a run is let in, in the order in which it is asked; null: nothing. */
  readonly flow: FlowRules | null;
  /** A run that has waited longer is taken before others; null: never. */
  readonly maxWaitMs: number | null;
  readonly isolate: TIsolate;
  /** undefined: a call of the handler gets one run. */
  readonly collect: TCollect;
  /** true: its handler takes steps. */
  readonly durable: TDurable;
}

/** What a producer hands over. */
export type PayloadInput<C extends JobContract> = InputOf<C['payload']>;
/** What a handler receives. */
export type PayloadOf<C extends JobContract> = OutputOf<C['payload']>;
/** What a handler may complete with. */
export type ResultOf<C extends JobContract> = InputOf<C['result']>;
/** What `queue.result` reads. */
export type ResultOutput<C extends JobContract> = OutputOf<C['result']>;
/** What a handler may report about its progress. */
export type ProgressOf<C extends JobContract> = InputOf<C['progress']>;

/** The priority of a contract that gives none. */
export const DEFAULT_PRIORITY = 5;

/**
 * Defines a job once, for producers and workers. Throws `ContractError` for a bad name, number or duration, and
 * `payload_not_json` for a payload that cannot be written as JSON Schema (a transform, a Date, a Map, a bigint …),
 * because it could not be stored and read again unchanged; the message names the line to add for a validator that does
 * not write JSON Schema by itself. `past_incomplete` for a version above 1 whose `past` is not
 * given or leaves a version out: see `PastOptions`. `sensitive_unknown` for a sensitive path that there is not,
 * `flow_path_unknown` and `flow_path_sensitive` for a path of a flow rule that there is not, or that nobody may see.
 */
export function defineJob<
  const TType extends string,
  TPayload extends StandardSchema,
  TResult extends StandardSchema = AnyJson,
  TIsolate extends Isolation | undefined = undefined,
  const TVersion extends number = 1,
  TPast extends PastPayloads = NoPast,
  TProgress extends StandardSchema = AnyJson,
  TCollected extends number = never,
  const TDurable extends boolean = false,
>(
  options: JobOptions<TType, TPayload, TResult, TIsolate, TVersion, TProgress, TCollected, TDurable> &
    JsonSchemaOf<TPayload, 'payloadJsonSchema', JsonSchema> &
    JsonSchemaOf<TResult, 'resultJsonSchema', JsonSchema> &
    PastOptions<TVersion, TPayload, TPast>,
): JobContract<TType, TPayload, TResult, TIsolate, TProgress, CollectOf<TCollected>, TDurable> {
  const { type, maxAttempts = 10, maxSnoozes = 1_000, alertAfterReleases = 5 } = options;
  const { priority = DEFAULT_PRIORITY, idempotencyKey } = options;
  const { queue = options.queues?.[0] ?? 'default', queues = [queue] } = options;
  if (!JOB_TYPE.test(type)) {
    throw new ContractError(
      'invalid_job_type',
      `${JSON.stringify(type)} is not a job type: lower case letters, digits and "_", a letter first, at most 63 characters.`,
    );
  }
  const version: number = options.version ?? 1;
  const leaseMs = parseDuration(options.lease ?? '30s');
  const timeoutMs = parseDuration(options.timeout ?? '1m');
  check(type, 'version', version, isWholeIn(1, 2_147_483_647)(version), 'a whole number from 1');
  check(type, 'maxAttempts', maxAttempts, isWholeIn(1, 1_000)(maxAttempts), 'a whole number from 1 to 1,000');
  check(type, 'maxSnoozes', maxSnoozes, isWholeIn(0, 1_000_000)(maxSnoozes), 'a whole number from 0 to 1,000,000');
  check(
    type,
    'alertAfterReleases',
    alertAfterReleases,
    isWholeIn(0, 1_000_000)(alertAfterReleases),
    'a whole number from 0 to 1,000,000',
  );
  check(type, 'priority', priority, isWholeIn(0, 9)(priority), 'a whole number from 0 (first) to 9 (last)');
  for (const name of [queue, ...queues])
    check(
      type,
      'queue',
      name,
      /^[a-z][a-z0-9_-]{0,62}$/.test(name),
      'lower case letters, digits, "_" and "-", at most 63 characters',
    );
  check(type, 'queues', queues, queues.includes(queue), `a list with its own queue (${queue}) in it`);
  check(type, 'lease', options.lease, leaseMs >= 1_000, 'at least "1s"');
  check(type, 'timeout', options.timeout, timeoutMs >= 1, 'at least "1ms"');
  const { onExpired = null } = options;
  check(type, 'onExpired', onExpired, onExpired === null || JOB_TYPE.test(onExpired), 'the name of a job type');
  const onDead = (typeof options.onDead === 'object' ? options.onDead.type : options.onDead) ?? null;
  check(
    type,
    'onDead',
    onDead,
    onDead === null || (JOB_TYPE.test(onDead) && onDead !== type),
    'a contract of another type, or the name of one',
  );
  const { memoryMb = 128 } = options.isolate ?? {};
  check(type, 'isolate.memoryMb', memoryMb, isWholeIn(16, 65_536)(memoryMb), 'a whole number of MiB from 16 to 65,536');
  const { defaultPayload, payload, result = ANY_JSON, progress = ANY_JSON } = options;
  check(type, 'payload', typeof payload, isStandardSchema(payload), SCHEMA);
  check(type, 'result', typeof result, isStandardSchema(result), SCHEMA);
  check(type, 'progress', typeof progress, isStandardSchema(progress), SCHEMA);
  const payloadJsonSchema = describeSchema({
    type,
    part: 'payload',
    schema: payload,
    given: options.payloadJsonSchema,
  });
  const resultJsonSchema =
    result === ANY_JSON
      ? {}
      : describeSchema({ type, part: 'result', schema: result, given: options.resultJsonSchema });
  const sensitive = checkSensitive({ type, part: 'payload', paths: options.sensitive, schema: payloadJsonSchema });
  const { past, oldestVersion } = checkPast(type, version, options.past, sensitive);
  const { encryption = 'where_possible', errors: { permanent = [], transient = [], text = 'cleaned' } = {} } = options;
  check(type, 'errors.text', text, text === 'cleaned' || text === 'left_out', '"cleaned" or "left_out"');
  check(
    type,
    'encryption',
    encryption,
    encryption === 'where_possible' || (encryption === 'required' && sensitive.length > 0),
    '"where_possible" or, where there is something sensitive, "required"',
  );
  const collect = checkCollect(type, options.collect, payloadJsonSchema, options.isolate !== undefined);
  check(
    type,
    'defaultPayload',
    defaultPayload,
    defaultPayload === undefined || parseValue(payload, defaultPayload).success,
    'a payload of its own schema',
  );
  const { durable = false as TDurable } = options;
  check(
    type,
    'durable',
    durable,
    durable === false || (durable === true && options.isolate === undefined && collect === undefined),
    'true or false, and not true together with isolate or collect',
  );
  const sensitiveEver = [...new Set([...sensitive, ...[...past.values()].flatMap((step) => step.sensitive)])];
  const maxWaitMs = options.maxWait === undefined ? null : parseDuration(options.maxWait);
  check(type, 'maxWait', options.maxWait, maxWaitMs === null || maxWaitMs >= 1_000, 'at least "1s"');
  const owner = { type, queue, payloadJsonSchema, sensitiveEver };
  const unique = makeUnique(owner, options.unique as UniqueOptions<never> | undefined);
  return Object.freeze({
    type,
    version,
    oldestVersion,
    past,
    payload,
    payloadJsonSchema: markSensitive(payloadJsonSchema, sensitive),
    defaultPayload,
    result: result as TResult,
    progress: progress as TProgress,
    retry: options.retry ?? exponential({ base: '10s' }),
    timeoutMs,
    leaseMs,
    maxAttempts,
    maxSnoozes,
    alertAfterReleases,
    queue,
    queues: [...new Set(queues)],
    priority,
    expiresAfterMs: readTime(type, 'expiresAfter', options.expiresAfter),
    onExpired,
    onDead,
    retryForMs: readTime(type, 'retryFor', options.retryFor),
    keyOf: unique?.keyOf ?? idempotencyKey ?? null,
    unique: unique?.rule ?? null,
    idempotencyWindowMs: options.idempotencyWindow === undefined ? null : parseDuration(options.idempotencyWindow),
    errors: { permanent, transient, text },
    effects: options.effects ?? 'at_most_once',
    onShutdown: options.onShutdown ?? 'finish',
    sensitive,
    sensitiveEver,
    sensitiveResult: checkSensitive({ type, part: 'result', paths: options.sensitiveResult, schema: resultJsonSchema }),
    encryption,
    flow: makeRules(owner, options),
    maxWaitMs,
    isolate: options.isolate as TIsolate,
    collect: collect as CollectOf<TCollected>,
    durable,
  });
}

const SCHEMA = 'a schema of a validator that implements Standard Schema: zod 3.25 or later, valibot, arktype …';

const JOB_TYPE = /^[a-z][a-z0-9_]{0,62}$/;

function readTime(type: string, option: string, value: Duration | undefined): number | null {
  if (value === undefined) return null;
  const ms = parseDuration(value);
  check(type, option, value, ms >= 1, 'at least "1ms"');
  return ms;
}

const isWholeIn =
  (min: number, max: number) =>
  (value: number): boolean =>
    Number.isInteger(value) && value >= min && value <= max;

function check(type: string, option: string, value: unknown, isValid: boolean, expected: string): void {
  if (!isValid) {
    throw new ContractError(
      'invalid_job_option',
      `Job ${type}: ${option} is ${expected}, not ${JSON.stringify(value)}.`,
    );
  }
}
