import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.js';

/**
 * Every connection of one process breaks; sometimes no new one can be made for a while. Producers are processes, too.
 */
export const cutConnections: Fault = {
  name: 'cut-connections',
  title: 'the connections of a process are cut',
  isLoud: true,
  async inject({ cables, random, note }) {
    const { name, proxy } = random.pick(cables());
    const closedMs = random.pick([0, 0, 1_000, 7_000]);
    note('fault.begun', { worker: name, closedMs });
    proxy.cut({ isClosed: closedMs > 0 });
    await pause(closedMs);
    proxy.mend();
  },
};
