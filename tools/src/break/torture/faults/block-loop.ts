import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.js';
import type { Fault } from './fault.js';

/** A handler computes for longer than the lease, while the lease thread goes on. */
export const blockLoop: Fault = {
  name: 'block-loop',
  title: "a worker's event loop is blocked for longer than its lease",
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running());
    const ms = LEASE_MS + 2_000;
    note('fault.begun', { worker: name, ms });
    process.send('block', { ms });
    await pause(ms);
  },
};
