import type { WorkerActivity } from '@duework/queue-core';

/** What `/readyz` answers; every status but `ready` comes with 503. */
export type Readiness =
  | { readonly status: 'starting' | 'draining' | 'database_away' | 'redis_away' }
  | ({ readonly status: 'ready' } & Partial<Engines>)
  /** The worker claims nothing: its event loop is late, its session is gone, or its own gate is shut. */
  | { readonly status: 'claims_shut'; readonly by: NonNullable<WorkerActivity['shutBy']> }
  /** Handlers that ignored their signal hold every slot, so the worker could claim nothing. */
  | { readonly status: 'slots_stuck'; readonly slots: number }
  /** Of several engines some claim, and some do not: it is ready for those. */
  | ({ readonly status: 'degraded' | 'none_ready' } & Partial<Engines>);

/** What each engine of a worker answers, by its name. */
export interface Engines {
  readonly shards: Readonly<Record<string, Readiness>>;
  /** Beside a dedicated queue: the `table` and the `dedicated` queue. */
  readonly engines: Readonly<Record<string, Readiness>>;
}

/** Ready means that the worker claims: one that lives and takes no work must not count as ready. */
export function judgeReadiness(
  state: 'starting' | 'running' | 'draining',
  isDatabaseUp: boolean,
  activity: Pick<WorkerActivity, 'shutBy' | 'stuckSlots' | 'concurrency'>,
): Readiness {
  if (state !== 'running') return { status: state };
  if (!isDatabaseUp) return { status: 'database_away' };
  if (activity.shutBy !== null) return { status: 'claims_shut', by: activity.shutBy };
  if (activity.stuckSlots >= activity.concurrency) return { status: 'slots_stuck', slots: activity.stuckSlots };
  return { status: 'ready' };
}
