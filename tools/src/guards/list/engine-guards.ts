import type { Guard, NamedTest } from '../guard.js';
import { core } from './places.js';

const failing = (title: string): NamedTest => ({ file: core('engine/failing-database.test.ts'), title });
const signal = (title: string): NamedTest => ({ file: core('engine/stop-signal.test.ts'), title });

export const engineGuards: readonly Guard[] = [
  {
    name: 'backoff-jitter',
    says: 'retries of one moment are spread',
    edits: [{ file: core('engine/compute-backoff.ts'), find: 'const JITTER = 0.2;', replace: 'const JITTER = 0;' }],
    tests: [{ file: core('engine/compute-backoff.test.ts'), title: 'jitter is ±20 %, evenly spread' }],
  },
  {
    name: 'forget-started',
    says: 'a worker that is never idle keeps nothing of what it has done',
    edits: [
      {
        file: core('engine/held-runs.ts'),
        find: 'this.#first === MAX_STARTED',
        replace: 'this.#first === Infinity * MAX_STARTED',
      },
    ],
    tests: [
      {
        file: core('engine/forget-started.test.ts'),
        title: 'where there is always more to start, what was started and settled is kept by nobody',
      },
    ],
  },
  {
    name: 'chore-jitter',
    says: 'workers that started together do not do their chores together',
    edits: [
      { file: core('maintenance/maintain.ts'), find: '(0.8 + 0.4 * engine.random())', replace: '(0.8 + 0.4 * 0.5)' },
    ],
    tests: [
      {
        file: core('maintenance/maintain.test.ts'),
        title: 'workers that started together do not do their chores together: each waits ±20 % of the interval',
      },
    ],
  },
  {
    name: 'settle-again',
    says: 'a settlement is tried again while its lease lasts',
    edits: [
      {
        file: core('engine/settle.ts'),
        find: 'if (giveUpAtMs(waiting) <= nowMs) waiting',
        replace: 'if (giveUpAtMs(waiting) > 0) waiting',
      },
      {
        file: core('engine/settle.ts'),
        find: 'return batch.filter((waiting) => giveUpAtMs(waiting) > nowMs);',
        replace: 'return nowMs > 0 ? [] : batch;',
      },
    ],
    tests: [failing('a settlement is tried again and never turns a success into a failure')],
  },
  {
    name: 'settle-refused',
    says: 'a settlement that the database refuses fails alone',
    edits: [
      {
        file: core('engine/settle.ts'),
        find: 'if (isRefusal(error)) return this',
        replace: 'if (pending.length > MAX_BATCH && isRefusal(error)) return this',
      },
    ],
    tests: [failing('a settlement that the database refuses fails alone')],
  },
  {
    name: 'settle-lost-answer',
    says: 'a settlement that is gone is looked up before it is called lost',
    edits: [
      {
        file: core('engine/start-runs.ts'),
        find: `(held.isCompletedIn || settlement.kind === 'complete')`,
        replace: 'held.isCompletedIn',
      },
    ],
    tests: [failing('a settlement whose answer was lost is recognised as written')],
  },
  {
    name: 'completed-in-heed',
    says: 'a run that its handler completes is not taken for lost',
    edits: [
      {
        file: core('engine/start-runs.ts'),
        find: 'if (held.isSettling || held.isCompletedIn) return;',
        replace: 'if (held.isSettling) return;',
      },
    ],
    tests: [
      {
        file: core('engine/handler-context.test.ts'),
        title: 'a beat that comes between the commit and the return does not take it for lost',
      },
    ],
  },
  {
    name: 'failures-throttle',
    says: 'a failing cause is told at most once a second',
    edits: [
      {
        file: core('engine/report-failures.ts'),
        find: 'const MIN_INTERVAL_MS = 1_000;',
        replace: 'const MIN_INTERVAL_MS = 0;',
      },
    ],
    tests: [failing('claims that fail are tried again, and a failing cause is told at most once a second')],
  },
  {
    name: 'start-hear',
    says: 'what was told while the event loop was blocked is heard before a run starts',
    edits: [
      {
        file: core('engine/start-runs.ts'),
        find: 'return isOverByNextLook(lease, nowMs, beatMs)',
        replace: 'return isOverByNextLook({ ...lease, leaseMs: 100 * lease.leaseMs }, nowMs, beatMs)',
      },
    ],
    tests: [
      {
        file: core('engine/leases/keep-leases-in-thread.test.ts'),
        title: 'a run that was lost while it waited behind a blocked loop is not started',
      },
    ],
  },
  {
    name: 'hear-anew',
    says: 'a new connection for wake-ups is a wake-up, for nobody knows what the old one missed',
    edits: [{ file: core('engine/hear-wakes.ts'), find: `notify({ kind: 'woken', queue: null });`, replace: '' }],
    tests: [
      {
        file: core('engine/hear-wakes.test.ts'),
        title: 'it is a wake-up to be connected, and each queue that is named, once for a transaction',
      },
    ],
  },
  {
    name: 'lease-end',
    says: 'a lease is not renewed beyond the end of its attempt',
    edits: [
      {
        file: core('engine/leases/beat-leases.ts'),
        find: 'nowMs < keepUntilMs }',
        replace: 'nowMs < 100 * keepUntilMs }',
      },
    ],
    tests: [
      {
        file: core('engine/leases/beat-leases.test.ts'),
        title: 'a lease is renewed when a third of it is over, and never beyond the end of its attempt',
      },
    ],
  },
  {
    name: 'lease-lost-in-time',
    says: 'a lease that the database does not confirm is lost before it is over',
    edits: [
      {
        file: core('engine/leases/beat-leases.ts'),
        find: 'isOverByNextLook(lease, nowMs, intervalMs)',
        replace: 'isOverByNextLook({ ...lease, leaseMs: 100 * lease.leaseMs }, nowMs, intervalMs)',
      },
    ],
    tests: [
      signal('when the heartbeat cannot reach the database, the handler is told before another worker may start'),
    ],
  },
  {
    name: 'lease-lost-told',
    says: 'the handler of a lost lease is told',
    edits: [
      {
        file: core('engine/start-runs.ts'),
        find: `held.stop.stop(new AbortReason('lease_lost',`,
        replace: `void (new AbortReason('lease_lost',`,
      },
    ],
    tests: [signal('a worker that lost its lease is told, and its outcome changes nothing')],
  },
  {
    name: 'settle-latest',
    says: 'two attempts of one run are not settled by one answer',
    edits: [
      {
        file: core('engine/settle.ts'),
        find: 'if (new Set(batch.map(({ settlement }) => settlement.id)).size === batch.length) return batch;',
        replace: 'if (batch.length > 0) return batch;',
      },
    ],
    tests: [
      {
        file: core('engine/settle.test.ts'),
        title: 'on PostgreSQL, which answers by run, the stale one of two attempts that end together is lost as well',
      },
    ],
  },
  {
    name: 'claim-started',
    says: 'what one queue gave is started when the next one fails',
    edits: [
      {
        file: core('engine/poll-loop.ts'),
        find: 'that only its own end makes\n    this.#startNow();',
        replace: 'that only its own end makes',
      },
    ],
    tests: [
      {
        file: core('engine/claim-failures.test.ts'),
        title: 'what one queue has given is started, although the claim of another queue has failed',
      },
    ],
  },
  {
    name: 'claim-anew-told',
    says: 'a handler whose run was claimed anew by its own worker is told',
    edits: [
      {
        file: core('engine/send-round.ts'),
        find: 'loseLease(engine, earlier);',
        replace: 'if (grantedMs < 0) loseLease(engine, earlier);',
      },
    ],
    tests: [
      {
        file: core('engine/claim-failures.test.ts'),
        title: 'a handler whose run its own worker has claimed anew is told that its lease is lost',
      },
    ],
  },
  {
    name: 'lost-not-held',
    says: 'what was lost before it started is not renewed in the place of what is held',
    edits: [{ file: core('engine/start-runs.ts'), find: 'if (!held.isLetGo) holdLease', replace: 'holdLease' }],
    tests: [
      {
        file: core('engine/claim-failures.test.ts'),
        title: 'a run that was lost before it could start and is claimed anew keeps its new lease',
      },
    ],
  },
  {
    name: 'one-lease-of-a-run',
    says: 'of two claims of a run that one worker holds only the later lease is kept',
    edits: [{ file: core('engine/send-round.ts'), find: 'engine.leases.letGo(earlier.lease);', replace: '' }],
    tests: [
      {
        file: core('engine/claim-failures.test.ts'),
        title:
          'of two claims of one run that a worker holds the later one has a lease, although the settlement of the earlier one is on its way',
      },
    ],
  },
];
