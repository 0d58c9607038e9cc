import { core } from './places.mjs';

const worker = (title) => ({ file: core('engine/worker.test.ts'), title });

/** @type {readonly import('../guards.mjs').Guard[]} */
export const engineGuards = [
  {
    name: 'backoff-jitter',
    says: 'retries of one moment are spread',
    edits: [{ file: core('engine/compute-backoff.ts'), find: 'const JITTER = 0.2;', replace: 'const JITTER = 0;' }],
    tests: [{ file: core('engine/compute-backoff.test.ts'), title: 'jitter is ±20 %, evenly spread' }],
  },
  {
    name: 'chore-jitter',
    says: 'workers that started together do not do their chores together',
    edits: [{ file: core('maintenance/maintain.ts'), find: '(0.8 + 0.4 * engine.random())', replace: '(0.8 + 0.4 * 0.5)' }],
    tests: [{ file: core('maintenance/maintain.test.ts'), title: 'workers that started together do not do their chores together: each waits ±20 % of the interval' }],
  },
  {
    name: 'settle-again',
    says: 'a settlement is tried again while its lease lasts',
    edits: [{ file: core('engine/settle.ts'), find: 'if (waiting.giveUpAtMs() <= nowMs) waiting', replace: 'if (waiting.giveUpAtMs() > 0) waiting' },
      { file: core('engine/settle.ts'), find: 'return batch.filter((waiting) => waiting.giveUpAtMs() > nowMs);', replace: 'return nowMs > 0 ? [] : batch;' }],
    tests: [worker('a settlement is tried again and never turns a success into a failure')],
  },
  {
    name: 'lease-lost-in-time',
    says: 'a lease that the database does not confirm is lost before it is over',
    edits: [{ file: core('engine/leases/beat-leases.ts'), find: 'if (nextLookMs - lease.grantedMs >= lease.leaseMs) this', replace: 'if (nextLookMs - lease.grantedMs >= 100 * lease.leaseMs) this' }],
    tests: [worker('when the heartbeat cannot reach the database, the handler is told before another worker may start')],
  },
  {
    name: 'lease-lost-told',
    says: 'the handler of a lost lease is told',
    edits: [{ file: core('engine/heed-notices.ts'), find: `held.stop.stop(new StopReason('lease_lost',`, replace: `void (new StopReason('lease_lost',` }],
    tests: [worker('a worker that lost its lease is told, and its outcome changes nothing')],
  },
];
