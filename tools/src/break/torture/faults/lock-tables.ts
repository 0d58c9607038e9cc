import { setTimeout as pause } from 'node:timers/promises';
import { openDirect } from '../servers/open-direct.js';
import type { Fault } from './fault.js';

/** Longer than the sessions' lock_timeout: every statement that has to wait fails. */
const LOCKED_MS = 2_500;

/** A session locks a table, as a careless migration does. */
export const lockTables: Fault = {
  name: 'lock-tables',
  title: 'a table is locked until statements time out',
  isLoud: true,
  async inject({ postgres, random, note }) {
    const table = random.pick(['job_runs', 'job_runs', 'job_history', 'job_keys', 'schedules', 'job_effects']);
    const session = openDirect(postgres.url, 'torture-locker');
    note('fault.begun', { table, ms: LOCKED_MS });
    await session.query('BEGIN');
    // another session may hold the lock already, and for long
    await session.query(`SET lock_timeout = '${LOCKED_MS}ms'`);
    try {
      await session.query(`LOCK TABLE duework.${table} IN ACCESS EXCLUSIVE MODE`);
      await pause(LOCKED_MS);
    } finally {
      await session.end();
    }
  },
};
