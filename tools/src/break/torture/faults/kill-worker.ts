import { setTimeout as pause } from 'node:timers/promises';
import { KILLED_MS } from '../limits.js';
import type { Fault } from './fault.js';

/**
 * `kill -9`: the worker gives nothing back. Its lock shows its death, unless another worker's check of the locks has
 * failed lately: so this fault comes alone, after a quiet time, and no other begins until its runs have to be running
 * again.
 */
export const killWorker: Fault = {
  name: 'kill-worker',
  title: 'a worker is killed (kill -9)',
  isSolitary: true,
  needsCalm: true,
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running().filter(({ isPooled }) => !isPooled));
    note('fault.begun', { worker: name, isPooled: false });
    process.signal('SIGKILL');
    await process.exited;
    await pause(KILLED_MS);
  },
};
