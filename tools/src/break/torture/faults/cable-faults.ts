import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.js';
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

const SILENT_FOR_MS = LEASE_MS + 5_000;

/** Half-open: no packet gets through in either direction, for longer than the lease, and neither side is told. */
export const pullCable: Fault = {
  name: 'pull-cable',
  title: 'the cable of a process is pulled (half-open connections)',
  isLoud: true,
  async inject({ cables, random, note }) {
    const { name, proxy } = random.pick(cables());
    note('fault.begun', { worker: name, silentMs: SILENT_FOR_MS });
    proxy.pull();
    await pause(SILENT_FOR_MS);
    proxy.mend();
  },
};

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
