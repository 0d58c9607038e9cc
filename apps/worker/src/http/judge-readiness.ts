import type { WorkerActivity } from '@duework/queue-core';

/** What `/readyz` answers; everything but `ready` with 503. */
export type Readiness =
  | { readonly status: 'ready' | 'starting' | 'draining' | 'database_away' }
  /** It claims nothing: its event loop is late, its session is away, or a gate of its own is shut. */
  | { readonly status: 'claims_shut'; readonly by: NonNullable<WorkerActivity['shutBy']> }
  /** Every slot is held by a handler that ignored its signal: it would claim nothing if it could. */
  | { readonly status: 'slots_stuck'; readonly slots: number };

/** Ready means that it claims: a worker that lives and takes no work must not count as one that does. */
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
