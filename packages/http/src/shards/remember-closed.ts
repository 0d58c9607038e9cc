import type { Queryable } from '@duework/queue-core';
import { isShardClosed } from '@duework/queue-core/internals';
import { readMonotonicMs } from '../clock.js';
import { PART_MS } from './ask-shard.js';
import type { ShardGate } from './shard-gate.js';

/** How long a shard that was closed may still get jobs that any shard would do for. */
const ASK_EVERY_MS = 5_000;

/** Says whether a shard is closed; one that does not answer is what it was. */
export function rememberClosed(db: Queryable, gate: ShardGate): () => Promise<boolean> {
  let askedMs = -Infinity;
  let known = Promise.resolve(false);
  return () => {
    if (readMonotonicMs() - askedMs < ASK_EVERY_MS) return known;
    askedMs = readMonotonicMs();
    const before = known;
    known = gate
      .ask(() => isShardClosed(db), PART_MS)
      .then((told) => (typeof told === 'string' ? before : told.answer))
      .catch(() => before);
    return known;
  };
}
