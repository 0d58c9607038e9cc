import { setTimeout as pause } from 'node:timers/promises';
import { openDirect } from '../servers/open-direct.js';
import type { Fault } from './fault.js';

const PINNED_MS = 10_000;

/** A session keeps an old snapshot, so no row that dies after it can be removed. */
export const pinHorizon: Fault = {
  name: 'pin-horizon',
  title: 'another session holds a transaction open',
  async inject({ postgres, note }) {
    const session = openDirect(postgres.url, 'torture-pinner');
    note('fault.begun', { ms: PINNED_MS });
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await session.query('SELECT count(*) FROM duework.job_definitions');
    await pause(PINNED_MS);
    await session.end();
  },
};
