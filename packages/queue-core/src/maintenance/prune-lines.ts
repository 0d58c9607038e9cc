import type { Queryable } from '@duework/sql';
import { pause, systemClock } from '../clock.js';
import { hasLines } from '../sql/flow/has-lines.js';
import { walkLines } from '../sql/flow/walk-lines.js';

/** Rows of one statement: few enough that it holds a lock of a key for some 10 ms. */
const PORTION = 2_000;
/** After each portion it rests for so many times as long as that took, so that hardly anybody else becomes slower. */
const RESTS = 9;

/**
 * Removes keys, places in lines and looks that nobody needs any more, and brings runs back into line that have lost their
 * place. When `signal` aborts, the rest is left for the next time.
 */
export async function pruneLines(db: Queryable, signal?: AbortSignal): Promise<void> {
  if (!(await hasLines(db))) return;
  // places first: a key at which nobody waits any more is idle
  for (const walk of ['staleWaits', 'staleLooks', 'lostPlaces', 'idleKeys'] as const) {
    let after: string | null = null;
    for (;;) {
      const startMs = systemClock.monotonicMs();
      after = await walkLines(db, walk, after, PORTION);
      if (after === null) break;
      await pause(systemClock, RESTS * (systemClock.monotonicMs() - startMs), signal);
      if (signal?.aborted === true) return;
    }
  }
}
