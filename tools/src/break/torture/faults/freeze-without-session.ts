import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.js';

/** So long that the others find the worker lost and take its runs, and shorter than a long lease. */
const FROZEN_MS = 9_000;

/**
 * SIGSTOP, and meanwhile the worker's sessions end, as when the server restarts: others rightly take its runs, while its
 * own clock says that its long leases are good.
 */
export const freezeWithoutSession: Fault = {
  name: 'freeze-without-session',
  title: 'a worker is frozen, and the server ends its sessions (SIGSTOP, SIGCONT)',
  async inject({ workers, direct, random, note }) {
    const { name, process } = random.pick(workers.running().filter(({ isPooled }) => !isPooled));
    note('fault.begun', { worker: name });
    process.signal('SIGSTOP');
    try {
      // the session that holds its lock, and those of its engine
      await direct.query(`
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND objid = hashtext('${name}')::oid AND pid <> pg_backend_pid()
      UNION ALL
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'torture-${name}'`);
      await pause(FROZEN_MS);
    } finally {
      process.signal('SIGCONT');
    }
  },
};
