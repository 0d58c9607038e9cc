import type { Guard } from '../guard.js';
import { core, migration, storeCase } from './places.js';

const file = core('sql/rescue-runs.ts');

export const rescueGuards: readonly Guard[] = [
  {
    name: 'rescue-recheck',
    says: 'a rescue looks at a lease again under its lock',
    edits: [{ file, find: 'FOR UPDATE SKIP LOCKED', replace: '' }],
    tests: [
      { file: core('sql/fence.test.ts'), title: 'a lease that is renewed while the rescue looks at it is left alone' },
    ],
  },
  {
    name: 'rescue-expired',
    says: 'a rescue takes expired leases only',
    edits: [{ file, find: 'locked_until < now()', replace: 'true' }],
    tests: [storeCase('fence-cases', 'one that is renewed is not rescued until its new end')],
  },
  {
    name: 'rescue-charge',
    says: 'the attempt of a lost worker stays charged',
    edits: [
      {
        file,
        find: `SET status = 'failed', run_at = now() + CASE`,
        replace: `SET status = 'failed', attempts = j.attempts - 1, run_at = now() + CASE`,
      },
    ],
    tests: [
      storeCase('rescue-cases', 'a run whose worker went away is due again, the attempt charged and on record'),
      storeCase('rescue-cases', 'a run whose worker died maxAttempts times is dead, not eternal'),
    ],
  },
  {
    name: 'rescue-backoff',
    says: 'a run that has lost two workers in a row waits for its backoff',
    edits: [{ file, find: `j.attempts > 1 AND j.error_code = 'worker_lost'`, replace: 'false' }],
    tests: [
      storeCase(
        'rescue-cases',
        'nothing is retried at once for ever: a run whose worker died is due at once the first time, then after its backoff',
      ),
    ],
  },
  {
    name: 'snooze-limit',
    says: 'a handler that always asks for later ends one day',
    edits: [{ file: core('sql/snooze-runs.ts'), find: 'o.snoozes >= i.max_snoozes', replace: 'false' }],
    tests: [storeCase('settle-cases', 'a snooze is counted, has a limit and leaves a trace')],
  },
  {
    name: 'rescue-order',
    says: 'the longest expired lease is rescued first',
    edits: [{ file, find: '      ORDER BY locked_until\n', replace: '' }],
    tests: [storeCase('rescue-cases', 'the longest expired come first, no more than the limit, each once')],
  },
  {
    name: 'rescue-bound',
    says: 'a run that has killed its worker maxAttempts times is given up',
    edits: [
      { file, find: 'attempts < max_attempts AND cancel_requested_at IS NULL', replace: 'cancel_requested_at IS NULL' },
      {
        file,
        find: 'attempts >= max_attempts OR cancel_requested_at IS NOT NULL',
        replace: 'cancel_requested_at IS NOT NULL',
      },
      // which would refuse it
      {
        file: migration('20261120120000_duework'),
        find: 'ELSE attempts BETWEEN 0 AND max_attempts - 1 AND',
        replace: 'ELSE attempts >= 0 AND',
      },
      {
        file: migration('20261120120000_duework'),
        find: 'THEN attempts BETWEEN 1 AND max_attempts AND',
        replace: 'THEN attempts >= 1 AND',
      },
    ],
    tests: [storeCase('rescue-cases', 'a run whose worker died maxAttempts times is dead, not eternal')],
  },
  {
    name: 'dead-lock',
    says: 'a rescue from the dead looks again whether they are',
    edits: [
      {
        file,
        find: 'SELECT name FROM registered WHERE pg_try_advisory_xact_lock(${workerLock(sql`name`)})',
        replace: 'SELECT name FROM registered WHERE pg_try_advisory_xact_lock(${workerLock(sql`name`)}) IS NOT NULL',
      },
    ],
    tests: [
      {
        file: core('sql/look-for-lost.test.ts'),
        title: 'takes nothing from one that has come back, and does not forget it',
      },
    ],
  },
  {
    name: 'absence-grace',
    says: 'a worker that is missing for a moment is not dead',
    edits: [{ file: core('maintenance/absences.ts'), find: '>= graceMs)', replace: '>= 0 * graceMs)' }],
    tests: [
      {
        file: core('maintenance/absences.test.ts'),
        title: 'a worker that comes back within the grace is not judged, however often it goes',
      },
    ],
  },
  {
    name: 'absence-outage',
    says: 'after an outage everybody is given longer',
    edits: [
      {
        file: core('maintenance/absences.ts'),
        find: 'this.#failedMs < OUTAGE_MS',
        replace: 'this.#failedMs < 0 * OUTAGE_MS',
      },
    ],
    tests: [
      {
        file: core('maintenance/absences.test.ts'),
        title:
          'after a look that failed the grace is longer for a while: not everybody finds a database again at the same time',
      },
    ],
  },
  {
    name: 'absence-itself',
    says: 'a worker that looks is not dead',
    edits: [
      { file: core('maintenance/rescue-until.ts'), find: 'name !== worker)', replace: "name !== '')" },
      {
        file: core('maintenance/rescue-until.ts'),
        find: 'name: worker } = engine;\n  const askedMs',
        replace: 'name: worker } = engine;\n  void worker;\n  const askedMs',
      },
    ],
    tests: [
      {
        file: core('maintenance/rescue-until.test.ts'),
        title: 'a worker that finds itself missing does not judge itself',
      },
    ],
  },
  {
    name: 'session-gate',
    says: 'a worker whose session is away claims nothing',
    edits: [{ file: core('create-worker.ts'), find: 'await session.open(signal);', replace: '' }],
    tests: [
      {
        file: core('maintenance/rescue-until.test.ts'),
        title: 'a worker that was cut off and taken for dead comes back, is told what it has lost, and registers anew',
      },
    ],
  },
  {
    name: 'lost-sweep',
    says: 'a lease that has ended is found by the next look at leases',
    edits: [
      {
        file: core('store/sweep-budget.ts'),
        find: 'startedMs < this.#sweepAtMs',
        replace: 'this.#sweepAtMs !== -Infinity',
      },
    ],
    tests: [
      {
        file: core('store/lost-watch.test.ts'),
        title: 'while looks are quick a lease that has ended is found at once',
      },
      {
        file: core('store/lost-watch.test.ts'),
        title: 'where they are slow it is found a little later, and what was found is looked at until it is gone',
      },
    ],
  },
  {
    name: 'lost-in-sight',
    says: 'an expired lease that was found is looked at until somebody has rescued it',
    edits: [
      { file: core('store/lost-watch.ts'), find: 'hasExpired ? 0 : tookMs', replace: 'hasExpired ? tookMs : tookMs' },
    ],
    tests: [
      {
        file: core('store/lost-watch.test.ts'),
        title: 'where they are slow it is found a little later, and what was found is looked at until it is gone',
      },
    ],
  },
];
