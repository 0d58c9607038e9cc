import type { Collect } from './collect.js';
import type { JsonSchema } from './describe-schema.js';
import type { FlowRules } from './flow/flow-rule.js';
import type { Past } from './past.js';
import type { RetryPolicy } from './retry-policy.js';
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.js';
import type { UniqueRule } from './unique/unique-options.js';

export type EncryptionPolicy = 'where_possible' | 'required';
export type ErrorText = 'cleaned' | 'left_out';
export type EffectPolicy = 'at_most_once' | 'at_least_once';
export type KeptAttempts = 'failed' | 'all';
export type ShutdownPolicy = 'finish' | 'release' | 'drop';
export interface Isolation {
  /** The memory an attempt may use, heap and all else; default 128 MiB. */
  readonly memoryMb?: number;
  /** How many attempts one process may run, one after the other; 1: each has a process of its own. Default 1,000. */
  readonly maxJobsPerProcess?: number;
}

/** Something that has happened, for whoever subscribes to it; made by `defineEvent` only. */
export interface EventContract<TPayload extends StandardSchema = StandardSchema> {
  readonly name: string;
  readonly version: number;
  readonly oldestVersion: number;
  readonly past: Past;
  readonly payload: TPayload;
  readonly payloadJsonSchema: JsonSchema;
  readonly sensitive: readonly string[];
  readonly sensitiveEver: readonly string[];
  readonly encryption: EncryptionPolicy;
  /** How long published ones are kept for `duework events replay`; null: not at all. */
  readonly keepMs: number | null;
}

/** How the runs of a subscriber are made of its event. */
export interface Subscription {
  readonly event: EventContract;
  /** How long after the event they are due. */
  readonly delayMs: number;
  /** The names that lead to the value which makes them one of a kind; null: nothing does. */
  readonly by: readonly string[] | null;
  /** false: it gets no more events, and runs what waits. */
  readonly isSubscribed: boolean;
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
  TMapped = OutputOf<TPayload>,
> {
  readonly type: TType;
  readonly version: number;
  /** The oldest version whose payloads can still be read; `version` itself without a past. */
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
  /** For how many days a run is kept once it has succeeded or was cancelled; null: as the worker says. */
  readonly keepDays: number | null;
  /** The same of a dead one. */
  readonly keepDeadDays: number | null;
  readonly keepAttempts: KeptAttempts;
  /** Keeps the logs of each attempt, of one that succeeds, too. */
  readonly keepLogs: boolean;
  /** The queue of a run whose enqueue names none. */
  readonly queue: string;
  /** Those that an enqueue may name. */
  readonly queues: readonly string[];
  /** What a worker must have to run it. */
  readonly labels: readonly string[];
  readonly priority: number;
  /** null: its runs wait forever. */
  readonly expiresAfterMs: number | null;
  /** null: none. */
  readonly onExpired: string | null;
  /** null: none. */
  readonly onDead: string | null;
  /** null: only `maxAttempts` limits it. */
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
  /** Those of every version, because old payloads may wait. */
  readonly sensitiveEver: readonly string[];
  readonly sensitiveResult: readonly string[];
  readonly encryption: EncryptionPolicy;
  /** The rules that must have room before a run is let in, in order; null: none. */
  readonly flow: FlowRules | null;
  /** A run that has waited longer is taken before others; null: never. */
  readonly maxWaitMs: number | null;
  readonly isolate: TIsolate;
  /** undefined: a call of the handler gets one run. */
  readonly collect: TCollect;
  /** true: its handler takes steps. */
  readonly durable: TDurable;
  /** The event whose payload its runs have; null: it is no subscriber. */
  readonly subscription: Subscription | null;
  /** What its handler gets of a payload; null: the payload. */
  readonly map: { bivariant(payload: OutputOf<TPayload>): TMapped }['bivariant'] | null;
}

/** The payload that you enqueue. */
export type PayloadInput<C extends JobContract> = InputOf<C['payload']>;
/** What a handler receives. */
export type PayloadOf<C extends JobContract> = ReturnType<NonNullable<C['map']>>;
/** What a handler may complete with. */
export type ResultOf<C extends JobContract> = InputOf<C['result']>;
/** What `queue.result` reads. */
export type ResultOutput<C extends JobContract> = OutputOf<C['result']>;
/** What a handler may report about its progress. */
export type ProgressOf<C extends JobContract> = InputOf<C['progress']>;
