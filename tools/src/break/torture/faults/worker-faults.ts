import { setTimeout as pause } from 'node:timers/promises';
import { CRASH_POINTS, WAIT_CRASH_POINTS } from '@duework/queue-core';
import { LEASE_MS, NEW_VERSION, OLD_VERSION } from '../jobs.js';
import { KILLED_MS, SILENT_MS } from '../limits.js';
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

const POINT_MS = 8_000;

/**
 * A worker dies between two steps: before or after an effect, a step or a wait, before a settlement, between its commit and its answer.
 */
export const dieAtPoint: Fault = {
  name: 'die-at-point',
  title: 'a worker kills itself between two steps of an attempt',
  async inject({ workers, random, note }) {
    const { name, process, isPooled } = random.pick(workers.running());
    const point = random.pick([...CRASH_POINTS, ...WAIT_CRASH_POINTS]);
    process.expectEnd();
    process.send('dieAt', { point });
    const ended = await Promise.race([process.exited, pause(POINT_MS)]);
    note('fault.begun', { worker: name, point, isPooled, hasHappened: ended !== undefined });
    if (ended === undefined) process.send('dieAt', { point: null });
  },
};

/** So long that its leases end and another worker has its runs. */
export const FROZEN_MS = LEASE_MS + 4_000;

/** SIGSTOP for longer than the lease, then SIGCONT: the worker goes on as if no time had passed. */
export const freezeWorker: Fault = {
  name: 'freeze-worker',
  title: 'a worker is frozen for longer than its lease (SIGSTOP, SIGCONT)',
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running());
    note('fault.begun', { worker: name, silentMs: FROZEN_MS });
    process.signal('SIGSTOP');
    await pause(FROZEN_MS);
    process.signal('SIGCONT');
  },
};

/** So long that the others find the worker lost and take its runs, and shorter than a long lease. */
const LOST_MS = 9_000;

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
      await pause(LOST_MS);
    } finally {
      process.signal('SIGCONT');
    }
  },
};

/** A handler computes for longer than the lease, while the lease thread goes on. */
export const blockLoop: Fault = {
  name: 'block-loop',
  title: "a worker's event loop is blocked for longer than its lease",
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running());
    const ms = LEASE_MS + 2_000;
    note('fault.begun', { worker: name, ms });
    process.send('block', { ms });
    await pause(ms);
  },
};

const HOUR_MS = 3_600_000;
const SHIFTED_MS = 4_000;

/** A worker's date is an hour off for a while, in one direction or the other. */
export const shiftClock: Fault = {
  name: 'shift-clock',
  title: "a worker's clock is an hour off",
  async inject({ workers, random, note }) {
    const { name, process } = random.pick(workers.running());
    const ms = random.pick([HOUR_MS, -HOUR_MS]);
    note('fault.begun', { worker: name, ms });
    process.send('shiftClock', { ms });
    await pause(SHIFTED_MS);
    process.send('shiftClock', { ms: 0 });
  },
};

/** Every worker is replaced by one of the old version, one after the other, and then again by one of the new version, while jobs of both come in: of a type that the old
 * ones do not know, and of one whose payload has changed its shape. */
export const rollDeploy: Fault = {
  name: 'roll-deploy',
  title: 'a deploy is rolled back and rolled out again, old and new workers side by side',
  isSolitary: true,
  async inject({ workers, note }) {
    note('fault.begun', {});
    for (const version of [OLD_VERSION, NEW_VERSION])
      for (const place of workers.places) await workers.replace(place, version);
  },
};
