import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.mjs';

/** Half-open: nothing gets through in either direction, for longer than the lease, and nobody is told. */
export const deafenConnections = {
  name: 'deafen-connections',
  title: 'the cable of a process is pulled (half-open connections)',
  async inject({ cables, random, note }) {
    const { name, proxy } = random.pick(cables());
    note('fault.begun', { worker: name, silentMs: LEASE_MS + 5_000 });
    proxy.deafen();
    await pause(LEASE_MS + 5_000);
    proxy.mend();
  },
};
