import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.mjs';

/** A handler that computes for longer than the lease: the thread that keeps the leases goes on. */
export const blockLoop = {
  name: 'block-loop',
  title: "a worker's event loop is blocked for longer than its lease",
  async inject({ workers, random, note }) {
    const { worker } = random.pick(workers.places);
    const ms = LEASE_MS + 2_000;
    note('fault.begun', { worker: worker.workerName, ms });
    worker.tell('block', { ms });
    await pause(ms);
  },
};
