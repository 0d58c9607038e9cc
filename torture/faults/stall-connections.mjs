import { setTimeout as pause } from 'node:timers/promises';

/** What was sent in one direction arrives late: a settlement long after its lease, or an answer after everybody gave up. */
export const stallConnections = {
  name: 'stall-connections',
  title: 'one direction of the connections of a process is held back',
  async inject({ cables, random, note }) {
    const { name, proxy } = random.pick(cables());
    const direction = random.pick(['up', 'down']);
    const ms = random.between(1_000, 8_000);
    note('fault.begun', { worker: name, direction, ms });
    proxy.stall(direction);
    await pause(ms);
    proxy.mend();
  },
};
