/**
 * Where a run is inside the worker that holds it:
 *
 *   buffered → running → settling → ended
 *
 * completing: its handler completes it inside a transaction of its own, which may or may not have been committed.
 * doubtful: the same, and the heartbeat has not found its row: the commit took it away, or another worker has it.
 * lost: its lease is over while its handler still runs; another worker may have it.
 */
export type RunPhase = 'buffered' | 'running' | 'completing' | 'doubtful' | 'settling' | 'lost' | 'ended';

/** What may follow each phase; everything else is refused and changes nothing. */
export const RUN_PHASES: { readonly [P in RunPhase]: readonly RunPhase[] } = {
  buffered: ['running', 'settling', 'lost'],
  running: ['completing', 'settling', 'lost', 'ended'],
  // its statement failed, and with it the transaction: the handler runs on
  completing: ['running', 'doubtful', 'settling', 'ended'],
  doubtful: ['lost', 'settling', 'ended'],
  settling: ['ended'],
  // the handler ended all the same: the fence decides whether its settlement counts
  lost: ['settling', 'ended'],
  ended: [],
};
