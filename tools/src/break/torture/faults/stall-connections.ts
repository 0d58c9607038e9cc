import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.js';

/** Packets of one direction arrive late: a settlement long after its lease, or an answer after everybody gave up. */
export const stallConnections: Fault = {
  name: 'stall-connections',
  title: 'one direction of the connections of a process is held back',
  isLoud: true,
  async inject({ cables, random, note }) {
    const { name, proxy } = random.pick(cables());
    const direction = random.pick(['up', 'down'] as const);
    const ms = random.between(1_000, 8_000);
    note('fault.begun', { worker: name, direction, ms });
    proxy.stall(direction);
    await pause(ms);
    proxy.mend();
  },
};
