import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../jobs.js';
import type { Fault } from './fault.js';

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
