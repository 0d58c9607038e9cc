import type { Fault } from './fault.js';
import { holdInEffects } from './hold-in-effects.js';

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
