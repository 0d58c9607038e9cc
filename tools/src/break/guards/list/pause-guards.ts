import type { Guard } from '../guard.js';
import { core, cut, schedules, storeCase } from './places.js';

const claim = core('sql/claim/claim-runs.ts');

/** What keeps workers from claiming what is paused, and what lets them go on. */
export const pauseGuards: readonly Guard[] = [
  {
    name: 'claim-paused-queue',
    says: 'a claim takes nothing of a paused queue',
    edits: [cut(claim, "AND NOT EXISTS (SELECT FROM paused WHERE kind = 'queue')")],
    tests: [
      storeCase('pause-cases', 'of a paused queue nothing is claimed until it is resumed, and other queues go on'),
    ],
  },
  {
    name: 'claim-paused-type',
    says: 'a claim takes nothing of a paused type',
    edits: [cut(claim, "AND r.type <> ALL(ARRAY(SELECT name FROM paused WHERE kind = 'type'))")],
    tests: [storeCase('pause-cases', 'of a paused type nothing is claimed in any queue, and other types go on')],
  },
  {
    name: 'pause-ends',
    says: 'a pause is over when its end has come',
    edits: [cut(core('sql/claim/active-pauses.ts'), 'WHERE until IS NULL OR until > now()')],
    tests: [
      storeCase('pause-cases', 'a pause with an end is over when that moment has come, and then nobody finds it'),
    ],
  },
  {
    name: 'claim-pause-end',
    says: 'a worker sleeps no longer than until the next pause ends',
    edits: [cut(claim, ', (SELECT min(until) FROM paused)')],
    tests: [
      {
        file: core('sql/claim/claim-runs.test.ts'),
        title: 'returns when the pause of its queue or of a type ends, where nothing else comes before',
      },
    ],
  },
  {
    name: 'claim-resumed',
    says: 'the lower bound of claims is given up when a pause has ended',
    edits: [
      cut(
        core('store/bounded-claims.ts'),
        `if (queue.passedPauses.every((pause) => pauses.includes(pause))) {
        queue.passedPauses = pauses;
        return false;
      }
      queue.passedPauses = pauses;
      queue.bounds = EVERYWHERE.bounds;
      queue.fullScans.demand();
      return true;`,
        'return false;',
      ),
    ],
    tests: [
      {
        file: core('store/bounded-claims.test.ts'),
        title:
          'the claim after a resume looks everywhere, however slow claims are, because the bound has passed what was paused',
      },
    ],
  },
  {
    name: 'resume-wakes',
    says: 'a resume wakes the workers',
    edits: [cut(core('sql/operate/resume-runs.ts'), "duework.notify('duework_wake', '')::text", 'NULL::text')],
    tests: [
      {
        file: core('sql/operate/pause-runs.test.ts'),
        title: 'a resume wakes every worker that listens, at its commit',
      },
    ],
  },
  {
    name: 'schedule-pause-ends',
    says: 'a tick knows when the pause of a schedule ends',
    edits: [
      cut(
        schedules('sql/read-next-tick.ts'),
        `(
        SELECT ceil(extract(epoch FROM paused_until - clock_timestamp()) * 1000)::float8
        FROM duework.schedules
        WHERE is_paused AND paused_until IS NOT NULL
        ORDER BY paused_until, id
        LIMIT 1
      ) AS resume_in_ms`,
        'NULL::float8 AS resume_in_ms',
      ),
    ],
    tests: [
      {
        file: schedules('operate-schedules.test.ts'),
        title: 'a pause with an end is over at the first tick after it, and a tick says when that is',
      },
    ],
  },
];
