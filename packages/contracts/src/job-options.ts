import type { CollectOptions } from './collect.js';
import type { JsonSchema } from './describe-schema.js';
import type { Duration } from './duration.js';
import type { FlowOptions } from './flow/flow-options.js';
import type {
  EffectPolicy,
  EncryptionPolicy,
  ErrorText,
  Isolation,
  KeptAttempts,
  ShutdownPolicy,
} from './job-contract.js';
import type { RetryPolicy } from './retry-policy.js';
import type { SensitivePath } from './sensitive/sensitive-path.js';
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.js';
import type { UniqueOptions } from './unique/unique-options.js';

/** Options of `defineJob`. All but `type` and `payload` have a default. */
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
  /** Stable short name to route on: letters, digits, `_`, `-` and `.`, a letter first, at most 63 characters. */
  readonly type: TType;
  /** Raise it when the payload changes its shape, and keep the shape that it had in `past`; default 1. */
  readonly version?: TVersion;
  /**
   * A schema of any validator that implements Standard Schema (zod 3.25 or later, valibot, arktype …), plain JSON in,
   * plain JSON out, small (ids and references).
   */
  readonly payload: TPayload;
  /** The payload as JSON Schema (draft 2020-12), if its validator does not write it. */
  readonly payloadJsonSchema?: JsonSchema;
  /**
   * The payload of a run that is enqueued, or a schedule that is saved, without one; not given: a payload is required.
   */
  readonly defaultPayload?: NoInfer<InputOf<TPayload>>;
  /** The schema of the result of `complete(…)`; default: any JSON. */
  readonly result?: TResult;
  /** The result as JSON Schema, as with the payload. */
  readonly resultJsonSchema?: JsonSchema;
  /** The schema of a handler's `progress`; default: any JSON. */
  readonly progress?: TProgress;
  /**
   * The time before the next attempt: `fixed('30s')`, `exponential({ base, factor, cap })`, `quadratic({ unit, cap })` or
   * `delays(['1s', '10s'])`; default `exponential({ base: '10s' })`.
   */
  readonly retry?: RetryPolicy;
  /** How long one attempt may run; default `'15m'`. */
  readonly timeout?: Duration;
  /** How long a silent worker keeps the run; renewed while the handler runs. At least `'1s'`; default `'30s'`. */
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
  /** The queue in which its runs wait; default: the first of `queues`, or `'default'`. */
  readonly queue?: string;
  /** The queues that you may choose when you enqueue, including its own; default: its own alone. */
  readonly queues?: readonly string[];
  /** What a worker must have to run it, such as `['gpu']`: the `labels` of its options. Default: nothing. */
  readonly labels?: readonly string[];
  /** 0 (first) to 9 (last); default 5. */
  readonly priority?: number;
  /** A run that has not started this long after it was due is cancelled; default: it waits forever. */
  readonly expiresAfter?: Duration;
  /**
   * The type to enqueue if a run of this one has expired, with `{ jobId, type, payload }`; without the payload if a
   * value of it is sensitive.
   */
  readonly onExpired?: string;
  /**
   * The contract, or its type, to enqueue when a run of this one dies, with a `DeadJob` as payload, in the same
   * transaction; once for each death. A job enqueued by `onDead` never fires its own `onDead`.
   */
  readonly onDead?: string | { readonly type: string };
  /**
   * A time for all attempts together, from when the run was first due: if the next retry would begin later, the run is
   * dead. Default: `maxAttempts` alone decides.
   */
  readonly retryFor?: Duration;
  /** The business event's key, not the attempt's: `invoice:812`. A second enqueue with it gets the first run back. */
  readonly idempotencyKey?: (payload: OutputOf<TPayload>) => string;
  /** One run instead of many, and what a second enqueue does: debounce, throttle, the newest wins. */
  readonly unique?: UniqueOptions<NoInfer<OutputOf<TPayload>>>;
  /** How long a key holds; default and maximum: as long as the run or its history is kept. */
  readonly idempotencyWindow?: Duration;
  /**
   * `permanent`, `transient`: codes or classes of errors that this job classifies itself, before the standard rule:
   * permanent ones are not retried. `text`: what is kept, logged and traced of an error's message and stack: `'cleaned'` (default), without the
   * values of the payload and without secrets, or `'left_out'`, nothing, so that code and class alone remain.
   */
  readonly errors?: {
    readonly permanent?: readonly string[];
    readonly transient?: readonly string[];
    readonly text?: ErrorText;
  };
  /**
   * If an effect of `once` may have happened, because a worker died in between: `'at_most_once'` (default) lets a
   * person decide, `'at_least_once'` does it again with the same key.
   */
  readonly effects?: EffectPolicy;
  /**
   * When the worker stops, a running attempt: `'finish'` (default) may end until the deadline, `'release'` is aborted
   * at once, `'drop'` cancels the run for good. No attempt is charged.
   */
  readonly onShutdown?: ShutdownPolicy;
  /**
   * Sensitive values of the payload: `['/iban', '/card/number']`; `*` is every element of an array. No log, no error
   * and no answer without the scope shows them, and they are encrypted at rest if the process has a key ring
   * (`setKeyRing`).
   */
  readonly sensitive?: readonly NoInfer<SensitivePath<OutputOf<TPayload>>>[];
  /** The same for the result, which is hidden but not encrypted. */
  readonly sensitiveResult?: readonly NoInfer<SensitivePath<OutputOf<TResult>>>[];
  /**
   * `'required'`: a process without a key ring cannot enqueue this job, and SQL cannot; `'where_possible'` (default): it
   * stores the sensitive values as they are.
   */
  readonly encryption?: EncryptionPolicy;
  /** The handler runs in its own process, which is killed when it ignores its signal or outgrows its memory. */
  readonly isolate?: TIsolate;
  /**
   * How long a run is kept once it has succeeded or was cancelled, with its attempts, effects, steps and key: whole days, such as
   * `'7d'`. Default: the worker's `retentionDays`.
   */
  readonly keep?: Duration;
  /** How long a dead run is kept, in the same way. Default: the worker's `retentionDeadDays`. */
  readonly keepDead?: Duration;
  /** `'all'`: attempts that succeed stand in its history, too. Default `'failed'`: those that failed or were interrupted. */
  readonly keepAttempts?: KeptAttempts;
  /**
   * Keeps what the handler logged last with each attempt that succeeds or fails, up to 8,000 characters: the worker's
   * `keepLogs` keeps it with failed ones only. Default false.
   */
  readonly keepLogs?: boolean;
  /** The handler gets many runs in one call, each with its own outcome; not together with `isolate`. */
  readonly collect?: CollectOptions<OutputOf<TPayload>, TCollected>;
  /**
   * The handler takes steps (`step`), whose results are kept: the next attempt continues after them. Not together with
   * `isolate` and `collect`. Default false.
   */
  readonly durable?: TDurable;
}
