import type { JobContract } from '@duework/contracts';
import type { Queryable } from '@duework/queue-core';
import { checkShardName } from '@duework/queue-core/internals';
import { forwardJob } from './forward-contract.js';
import { findWaiting, turnIntoForwards } from './sql/turn-into-forwards.js';

/** So many runs are looked at in one statement, and at most so many are locked until it ends. */
const BATCH = 500;

export interface ForwardedWaiting {
  /** So many runs are forwards now. */
  readonly forwarded: number;
  /** So many wait on, because something here is tied to them: a line, a batch, a parent, steps, effects. */
  readonly left: number;
}

/**
 * Moves the waiting runs of a type: each becomes a forward to `to`, under its own id, in transactions of at most 500; a
 * worker carries it. Running ones stay. Producers and workers may continue; runs enqueued at that time may be missed:
 * call it again until `forwarded` is 0. An aborted `signal` ends it between two transactions.
 */
export async function forwardWaiting(
  db: Queryable,
  to: string,
  { type }: Pick<JobContract, 'type'>,
  signal?: AbortSignal,
): Promise<ForwardedWaiting> {
  checkShardName(to);
  let after = '0';
  let forwarded = 0;
  let left = 0;
  for (;;) {
    const { ids, upTo } = await findWaiting(db, type, after, BATCH);
    if (ids.length > 0) {
      const turned = await turnIntoForwards(db, to, forwardJob, ids);
      forwarded += turned.length;
      left += ids.length - turned.length;
    }
    if (upTo === null || signal?.aborted === true) return { forwarded, left };
    after = upTo;
  }
}
