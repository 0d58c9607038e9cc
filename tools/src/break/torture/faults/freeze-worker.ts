import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.js';
import type { Fault } from './fault.js';

/** So long that its leases end and another worker has its runs. */
export const FROZEN_MS = LEASE_MS + 4_000;

/** SIGSTOP for longer than the lease, then SIGCONT: the worker goes on as if no time had passed. */
export const freezeWorker: Fault = {
  name: 'freeze-worker',
  title: 'a worker is frozen for longer than its lease (SIGSTOP, SIGCONT)',
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running());
    note('fault.begun', { worker: name, silentMs: FROZEN_MS });
    process.signal('SIGSTOP');
    await pause(FROZEN_MS);
    process.signal('SIGCONT');
  },
};
