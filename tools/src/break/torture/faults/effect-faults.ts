import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../kit/seeded-random.js';
import type { StartedProcess } from '../../../kit/start-process.js';
import { EFFECT_MOMENTS, type FaultDetails } from '../observer/history-events.js';
import type { HoldOrder } from '../processes/hold-effects.js';
import type { Fault } from './fault.js';
import { FROZEN_MS } from './worker-faults.js';

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
async function holdInEffects(
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

/**
 * A worker is frozen while its handlers are in their effects, some of them between the answer that an effect may begin
 * and its beginning. When it goes on, its leases are over and another worker has done, or asked a person about, the
 * same effects.
 */
export const freezeInEffect: Fault = {
  name: 'freeze-in-effect',
  title: 'a worker is frozen inside of effects for longer than its lease',
  async inject({ workers, random, note }) {
    const running = random.pick(workers.running());
    const held = await holdInEffects(running, random, 'freeze');
    note('fault.begun', {
      worker: running.name,
      hasHappened: held.length > 0,
      held,
      ...(held.length > 0 && { silentMs: FROZEN_MS }),
    });
    if (held.length === 0) return;
    await pause(FROZEN_MS);
    running.process.signal('SIGCONT');
  },
};

/** A worker is killed while its handlers are in their effects, so nobody knows whether these happened. */
export const killInEffect: Fault = {
  name: 'kill-in-effect',
  title: 'a worker is killed inside of effects (kill -9)',
  async inject({ workers, random, note }) {
    const { name, process, isPooled } = random.pick(workers.running());
    process.expectEnd();
    const held = await holdInEffects({ process }, random, 'kill');
    if (held.length > 0) await process.exited;
    note('fault.begun', { worker: name, isPooled, hasHappened: held.length > 0, held });
  },
};
