import { setTimeout as pause } from 'node:timers/promises';
import type { DirectSession } from '../servers/open-direct.js';
import type { Fault } from './fault.js';

/** Twice a second. */
export const END_EVERY_MS = 500;
const TIMES = 12;

/** Ends one of the product's sessions, chosen by chance. */
export async function endBackend(direct: DirectSession): Promise<void> {
  await direct.query(`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend'
    AND (application_name LIKE 'torture-w%' OR application_name LIKE 'torture-p%' OR application_name IN ('duework leases', 'duework wake-ups'))
  ORDER BY random() LIMIT 1`);
}

/** Twice a second the server ends one of the product's sessions. */
export const endBackends: Fault = {
  name: 'end-backends',
  title: 'backends are terminated twice a second',
  isLoud: true,
  async inject({ direct, note }) {
    note('fault.begun', { times: TIMES });
    for (let time = 0; time < TIMES; time++) {
      await endBackend(direct);
      await pause(END_EVERY_MS);
    }
  },
};
