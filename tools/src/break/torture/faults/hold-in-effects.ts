import type { SeededRandom } from '../../../kit/seeded-random.js';
import type { StartedProcess } from '../../../kit/start-process.js';
import { EFFECT_MOMENTS, type FaultDetails } from '../observer/history-events.js';
import type { HoldOrder } from '../processes/hold-effects.js';

/** Far below a lease: a held handler has its lease until its worker is frozen or killed. */
const LIMIT_MS = 1_500;
/** A worker that was just cut off, or is about to start, claims nothing for a while. */
const FIRST_MS = 8_000;

/**
 * Makes a worker hold the next handlers that come to certain moments of their effects, of an at-most-once one and of an
 * at-least-once one, and then freeze or kill itself there.
 *
 * @returns the held handlers; none: no handler came by in time, and nothing is done
 */
export async function holdInEffects(
  { process }: { readonly process: StartedProcess },
  random: SeededRandom,
  how: HoldOrder['how'],
): Promise<NonNullable<FaultDetails['held']>> {
  const wanted = ['mail', 'webhook'].flatMap((type) => [
    // the narrowest gap is tested every time
    { type, moment: 'begin.answered' as const },
    { type, moment: random.pick(EFFECT_MOMENTS.filter((moment) => moment !== 'begin.answered')) },
  ]);
  const order: HoldOrder = { how, wanted, firstMs: FIRST_MS, limitMs: LIMIT_MS };
  const answer = process.next<{ held: NonNullable<FaultDetails['held']> }>('held');
  process.send('hold', order);
  return (await answer)?.held ?? [];
}
