import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { FROZEN_MS } from './freeze-worker.js';
import { holdInEffects } from './hold-in-effects.js';

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
