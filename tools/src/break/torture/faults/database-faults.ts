import { setTimeout as pause } from 'node:timers/promises';
import { type DirectSession, openDirect } from '../servers/open-direct.js';
import type { Fault } from './fault.js';

/** The server goes away, with an orderly end of its sessions or without one, for up to three seconds. */
export const restartDatabase: Fault = {
  name: 'restart-database',
  title: 'the database restarts (fast or immediate)',
  isSolitary: true,
  isLoud: true,
  async inject({ postgres, random, note }) {
    const mode = random.pick(['fast', 'immediate'] as const);
    const downMs = random.between(0, 3_000);
    note('fault.begun', { mode, downMs });
    await postgres.restart(mode, downMs);
    note('database.up', {});
  },
};

/** The machine of the primary dies, or hangs without a word to anybody, and a standby takes over. */
export const changePrimary: Fault = {
  name: 'change-primary',
  title: 'the primary dies or hangs, and a standby takes over',
  isSolitary: true,
  isLoud: true,
  missing: ({ postgres }) => (postgres.changePrimary === undefined ? 'it takes --replicas 2' : null),
  async inject({ postgres, random, note }) {
    const mode = random.pick(['kill', 'hang'] as const);
    note('fault.begun', { mode });
    await postgres.changePrimary?.(mode);
    note('database.up', {});
    await postgres.rebuildOld?.();
  },
};

const FULL_MS = 4_000;

/** The disk is full, for rows and for WAL; then there is room again, and the server is started if it fell. */
export const fillDisk: Fault = {
  name: 'fill-disk',
  title: "the database's disk is full",
  isSolitary: true,
  isLoud: true,
  missing: ({ postgres }) => (postgres.disk === null ? 'a small file system of its own takes root on Linux' : null),
  async inject({ postgres, note }) {
    note('fault.begun', { ms: FULL_MS });
    postgres.disk?.fill();
    await pause(FULL_MS);
    postgres.disk?.free();
    await postgres.startAgain();
    note('database.up', {});
  },
};

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
