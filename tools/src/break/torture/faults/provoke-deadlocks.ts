import { openDirect } from '../servers/open-direct.js';
import type { Fault } from './fault.js';

const ROUNDS = 40;
const DEADLOCK = '40P01';

/**
 * A session updates runs in the opposite order, one by one, in its own transactions: the victim of a deadlock has to
 * try again.
 */
export const provokeDeadlocks: Fault = {
  name: 'provoke-deadlocks',
  title: 'another session provokes deadlocks',
  isLoud: true,
  async inject({ postgres, note }) {
    const session = openDirect(postgres.url, 'torture-deadlocker');
    note('fault.begun', { rounds: ROUNDS });
    let deadlocks = 0;
    for (let round = 0; round < ROUNDS; round++) {
      try {
        const rows = await session.query<{ id: string }>(
          `SELECT id FROM duework.job_runs WHERE status IN ('running', 'failed', 'queued') ORDER BY id DESC LIMIT 30`,
        );
        await session.query('BEGIN');
        for (const { id } of rows)
          await session.query('UPDATE duework.job_runs SET priority = priority WHERE id = $1', [id]);
        await session.query('COMMIT');
      } catch (error) {
        if ((error as { code?: string }).code === DEADLOCK) deadlocks++;
        await session.query('ROLLBACK').catch(() => {});
      }
    }
    await session.end();
    note('fault.did', { deadlocks });
  },
};
