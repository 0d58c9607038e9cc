import type { EffectStore } from './effects.js';
import type { Operator } from './operator.js';
import type { Producer } from './producer.js';
import type { RunStore } from './runs.js';
import type { StepStore } from './steps.js';
import type { Upkeep } from './upkeep.js';
import type { Wakes } from './wakes.js';

/** Optional abilities of a store. Without one, calls that need it throw `not_supported`. */
export interface Capabilities {
  /** A handler can complete its run in its own transaction, so that both commit or neither does (`completeIn`). */
  readonly transactional: boolean;
  /** Lists runs by status and type, a page at a time (`findJobs`). */
  readonly lists: boolean;
  /** Claims the more urgent runs first; without this capability every run has the default priority. */
  readonly priorities: boolean;
  /** Runs wait at the gates of their contract's flow rules: limits, rates, orders, tenants and breakers. */
  readonly flow: boolean;
  /** Handlers have steps that are kept, and wait for a time, a signal or a job (`durable`). */
  readonly steps: boolean;
  /** Counts the runs of a batch, and enqueues what is to follow it. */
  readonly batches: boolean;
  /** Makes runs one of a kind by other rules than an idempotency key and its window (`unique`). */
  readonly unique: boolean;
  /** Keeps the terms of a run: `expiresAfter`, `retryFor`, `maxWait`, `onExpired`, `onDead`. */
  readonly terms: boolean;
  /** Knows who subscribes to an event (`publish`). */
  readonly events: boolean;
  /** Large payloads and results are kept in an object store (`setOffload`), and jobs may name objects. */
  readonly objects: boolean;
}

export interface Capable {
  readonly capabilities: Capabilities;
}

/** The store of a worker. Without `watch` the worker polls, or its heartbeat receives wake-ups. */
export interface Store extends Capable, RunStore, EffectStore, StepStore, Upkeep, Partial<Wakes> {
  /** Its shard's name, once it is prepared, which precedes ids outside. Absent: it is no shard. */
  readonly shard?: string | undefined;
}

/** The store of producers and operators. */
export interface QueueStore<TDropped extends null = never> extends Capable, Producer<TDropped>, Operator {
  /** What keeps its runs, as people call it: `PostgreSQL`. Absent: it does not say. */
  readonly kind?: string | undefined;
}
