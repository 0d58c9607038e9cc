import { setTimeout as wait } from 'node:timers/promises';
import type { BullmqRun } from '../jobs/decode-job.js';
import type { PlacedId } from '../jobs/job-id.js';
import type { Fields } from '../jobs/fields.js';
import { moveRun, type Place } from '../redis/move-run.js';
import type { Queues } from '../redis/queues.js';
import { readRun } from '../redis/read-runs.js';

/** What is to become of a run as it was read; `answer`: that is all, and nothing is written. */
export type Decision<T> =
  | { readonly answer: T }
  | { readonly place: Place; readonly fields: Fields; readonly outcome: T };

const MAX_TRIES = 20;
const HELD_MS = 10;

/**
 * Changes a run that nobody holds: decides by what it reads, and again where it has changed meanwhile. A claim that only
 * looks at it lets it go at once; null: it was still held after that.
 */
export async function changeRun<T>(
  queues: Queues,
  placed: PlacedId,
  decide: (run: BullmqRun | null) => Decision<T> | Promise<Decision<T>>,
): Promise<T | null> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const run = await readRun(queues, placed);
    const decision = await decide(run);
    if ('answer' in decision) return decision.answer;
    const moved = await moveRun(queues, run!, decision.place, decision.fields);
    if (moved === 'moved') return decision.outcome;
    if (moved === 'held') await wait(HELD_MS);
  }
  return null;
}
