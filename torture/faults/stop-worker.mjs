import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.mjs';

/** SIGSTOP for longer than the lease, then SIGCONT: it comes back and believes that no time has passed. */
export const stopWorker = {
  name: 'stop-worker',
  title: 'a worker is frozen for longer than its lease (SIGSTOP, SIGCONT)',
  async inject({ workers, random, note }) {
    const { worker } = random.pick(workers.places);
    note('fault.begun', { worker: worker.workerName, silentMs: LEASE_MS + 4_000 });
    worker.signal('SIGSTOP');
    await pause(LEASE_MS + 4_000);
    worker.signal('SIGCONT');
  },
};
