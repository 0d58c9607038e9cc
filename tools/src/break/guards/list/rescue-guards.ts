import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, storeCase } from './places.js';

const file = core('sql/leases/rescue-runs.ts');
const absences = core('maintenance/absences.ts');
const ofAbsences = (title: string): NamedTest => ({ file: core('maintenance/absences.test.ts'), title });
const expired = core('maintenance/expired-leases.ts');
const ofExpired = (title: string): NamedTest => ({ file: core('maintenance/expired-leases.test.ts'), title });
const ofRescues = (title: string): NamedTest => ({ file: core('maintenance/rescue-lost.test.ts'), title });
const spent = storeCase('rescue-cases', 'a run whose worker died maxAttempts times is dead, not eternal');

export const rescueGuards: readonly Guard[] = [
  {
    name: 'rescue-recheck',
    says: 'a rescue looks at a lease again under its lock',
    edits: [cut(file, 'FOR UPDATE SKIP LOCKED')],
    tests: [
      {
        file: core('sql/settle/fence.test.ts'),
        title: 'a lease that is renewed while the rescue looks at it is left alone',
      },
    ],
  },
  {
    name: 'rescue-expired',
    says: 'a rescue takes expired leases only',
    edits: [
      cut(
        file,
        'const isLost = workers === undefined ? sql`locked_until < ${end}` : sql`locked_by = ANY(ARRAY(SELECT name FROM dead))`;',
        'const isLost = workers === undefined ? sql`true` : sql`locked_by = ANY(ARRAY(SELECT name FROM dead))`;',
      ),
    ],
    tests: [storeCase('fence-cases', 'one that is renewed is not rescued until its new end')],
  },
  {
    name: 'rescue-charge',
    says: 'the attempt of a lost worker stays charged',
    edits: [
      cut(file, "SET status = 'failed', run_at = now() + CASE", (text) =>
        text.replace('SET ', 'SET attempts = j.attempts - 1, '),
      ),
    ],
    tests: [
      storeCase('rescue-cases', 'a run whose worker went away is due again, the attempt charged and on record'),
      spent,
    ],
  },
  {
    name: 'rescue-backoff',
    says: 'a run that has lost two workers in a row waits for its backoff',
    edits: [
      cut(
        file,
        "WHEN j.attempts > 1 AND j.error_code = 'worker_lost' THEN interval '1 millisecond'",
        "WHEN false THEN interval '1 millisecond'",
      ),
    ],
    tests: [
      storeCase(
        'rescue-cases',
        'nothing is retried at once for ever: a run whose worker died is due at once the first time, then after its backoff',
      ),
    ],
  },
  {
    name: 'rescue-order',
    says: 'the longest expired lease is rescued first',
    edits: [cut(file, 'ORDER BY locked_until')],
    tests: [storeCase('rescue-cases', 'the longest expired come first, no more than the limit, each once')],
  },
  {
    name: 'rescue-bound',
    says: 'a run that has killed its worker maxAttempts times is given up',
    edits: [
      cut(
        file,
        'WHERE j.id = ANY(ARRAY(SELECT id FROM lost WHERE NOT is_spent AND NOT is_late AND cancel_requested_at IS NULL))',
        'WHERE j.id = ANY(ARRAY(SELECT id FROM lost WHERE NOT is_late AND cancel_requested_at IS NULL))',
      ),
      cut(
        file,
        'WHERE j.id = ANY(ARRAY(SELECT id FROM lost WHERE is_spent OR is_late OR cancel_requested_at IS NOT NULL))',
        'WHERE j.id = ANY(ARRAY(SELECT id FROM lost WHERE is_late OR cancel_requested_at IS NOT NULL))',
      ),
      // which would refuse it
      {
        file: migration('20261120120000_queue'),
        find: 'ELSE attempts >= 0 AND attempts <= max_attempts - 1 AND',
        replace: 'ELSE attempts >= 0 AND',
      },
      {
        file: migration('20261120120000_queue'),
        find: 'THEN attempts >= 1 AND attempts <= max_attempts AND',
        replace: 'THEN attempts >= 1 AND',
      },
    ],
    tests: [spent],
  },
  {
    name: 'dead-lock',
    says: 'a rescue from the dead looks again whether they are',
    edits: [
      cut(
        file,
        'SELECT name FROM registered WHERE pg_try_advisory_xact_lock(${workerLock(sql`name`)})',
        'SELECT name FROM registered WHERE pg_try_advisory_xact_lock(${workerLock(sql`name`)}) IS NOT NULL',
      ),
    ],
    tests: [
      {
        file: core('sql/upkeep/take-chores.test.ts'),
        title: 'takes nothing from one that has come back, and does not forget it',
      },
    ],
  },
  {
    name: 'absence-grace',
    says: 'a worker that is missing for a moment is not dead',
    edits: [
      cut(
        absences,
        'return missing.filter((name) => askedMs - this.#sinceMs.get(name)! >= this.graceMs);',
        'return missing.filter((name) => askedMs - this.#sinceMs.get(name)! >= 0 * this.graceMs);',
      ),
    ],
    tests: [ofAbsences('a worker that comes back within the grace is not judged, however often it goes')],
  },
  {
    name: 'absence-outage',
    says: 'after an outage everybody is given longer',
    edits: [
      cut(
        absences,
        'return this.clock.monotonicMs() - this.#failedMs < OUTAGE_MS ? OUTAGE_GRACE_MS : GRACE_MS;',
        'return this.clock.monotonicMs() - this.#failedMs < 0 * OUTAGE_MS ? OUTAGE_GRACE_MS : GRACE_MS;',
      ),
    ],
    tests: [
      ofAbsences(
        'after a look that failed the grace is longer for a while: not everybody finds a database again at the same time',
      ),
    ],
  },
  {
    name: 'expired-grace',
    says: 'a lease that seems to be over for a moment is not taken',
    edits: [cut(expired, 'known.filter(({ sureMs }) => sureMs <= askedMs)', 'known')],
    tests: [ofExpired('leases that a step of the clock has ended are not taken from workers that renew them')],
  },
  {
    name: 'expired-back',
    says: 'what a check has seen before the clock went back counts no more',
    edits: [cut(expired, 'this.#sightings.filter((sighting) => sighting.nowMs <= nowMs)', 'this.#sightings')],
    tests: [ofExpired('what was seen before the clock went back counts no more')],
  },
  {
    name: 'absence-itself',
    says: 'a worker that looks is not dead',
    edits: [
      cut(
        core('maintenance/rescue-lost.ts'),
        'const dead = this.#absences.observe( look.missing.filter((name) => name !== worker), askedMs, );',
        'const dead = this.#absences.observe(look.missing, askedMs);',
      ),
    ],
    tests: [ofRescues('a worker that finds itself missing does not judge itself')],
  },
  {
    name: 'absence-again',
    says: 'whoever has seen that a worker is missing looks again himself',
    edits: [
      cut(
        core('maintenance/do-chores.ts'),
        'everyMs: lost.againInMs === null ? rescueIntervalMs : 0',
        'everyMs: rescueIntervalMs',
      ),
    ],
    tests: [ofRescues('who has seen that a worker is missing looks until it is sure, whoever else looks meanwhile')],
  },
  {
    name: 'session-gate',
    says: 'a worker whose session is away claims nothing',
    edits: [cut(core('worker/make-engine.ts'), "['session', session],")],
    tests: [
      ofRescues(
        'a worker that was cut off and taken for dead comes back, is told what it has lost, and registers anew',
      ),
    ],
  },
];
