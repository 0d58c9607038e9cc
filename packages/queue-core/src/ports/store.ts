import type { EffectStore } from './effects.js';
import type { Operator } from './operator.js';
import type { Producer } from './producer.js';
import type { RunStore } from './runs.js';
import type { Upkeep } from './upkeep.js';
import type { Wakes } from './wakes.js';

/** What a store can do beyond the least. What it cannot is refused with `not_supported`, and nothing pretends. */
export interface Capabilities {
  /** A handler's completion is part of its own transaction: it holds exactly when that commits (`completeIn`). */
  readonly transactional: boolean;
  /** Finds runs by status and type, a page at a time (`findJobs`). */
  readonly lists: boolean;
  /** Claims the more urgent runs first; without, a run has the default priority. */
  readonly priorities: boolean;
}

export interface Capable {
  readonly capabilities: Capabilities;
}

/** What a worker is given. Without `watch` it polls, or is told by its heartbeat. */
export interface Store extends Capable, RunStore, EffectStore, Upkeep, Partial<Wakes> {}

/** What producers and operators are given. */
export interface QueueStore<TDropped extends null = never> extends Capable, Producer<TDropped>, Operator {}
