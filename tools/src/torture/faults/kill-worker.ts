import { setTimeout as pause } from 'node:timers/promises';
import { KILLED_MS } from '../limits.js';
import type { Fault } from './fault.js';

/**
 * `kill -9`: nothing is said and nothing is given back. It is seen by its lock, unless somebody's look at the locks has failed
 * lately: so it comes alone, after a calm, and nothing else happens until its runs have to be running again.
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
