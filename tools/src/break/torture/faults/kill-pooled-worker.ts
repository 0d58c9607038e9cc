import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.js';
import { SILENT_MS } from '../limits.js';
import type { Fault } from './fault.js';

/** `kill -9` of the worker behind PgBouncer: in transaction mode no lock shows its death, only its leases do. */
export const killPooledWorker: Fault = {
  name: 'kill-pooled-worker',
  title: 'the worker behind PgBouncer is killed (kill -9)',
  isSolitary: true,
  missing: ({ workers }) => (workers.isPooled ? null : 'there is no worker behind PgBouncer'),
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running().filter(({ isPooled }) => isPooled));
    note('fault.begun', { worker: name, isPooled: true });
    process.signal('SIGKILL');
    await process.exited;
    await pause(LEASE_MS + SILENT_MS);
  },
};
