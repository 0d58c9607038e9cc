import type { Guard, NamedTest } from '../guard.js';
import { core, storeCase } from './places.js';

const fragments = core('sql/fragments.ts');
const FENCED = 'WHERE ${stillOurs}';
/** By the id alone. */
const UNFENCED = 'WHERE ((${stillOurs}) OR (j.id = ANY(ARRAY(SELECT id FROM input)) AND j.locked_by IS NOT NULL))';

const completion = core('sql/complete-runs.ts');
const inBatch = (title: string): NamedTest => ({ file: core('sql/complete-runs.test.ts'), title });
const late = (kind: string): NamedTest =>
  storeCase(
    'fence-cases',
    'a late settlement after the lease passed to another worker changes nothing: %j',
    `{"kind":"${kind}"`,
  );
const tooEarly = (kind: string): NamedTest =>
  storeCase('fence-cases', 'nor does one of a worker that lost its lease to nobody yet: %j', `{"kind":"${kind}"`);

export const fenceGuards: readonly Guard[] = [
  {
    name: 'fence-complete',
    says: 'a completion names its fence',
    edits: [{ file: completion, find: 'AND ${hasFenceOf(batch)}', replace: 'AND (true OR ${hasFenceOf(batch)})' }],
    tests: [
      late('complete'),
      storeCase('fence-cases', 'one lost lease does not take its batch along'),
      inBatch('of one fence settles what is still its own, and says which'),
    ],
  },
  {
    name: 'fence-complete-own',
    says: 'a completion names the fence of its own run, not one of the batch',
    edits: [
      {
        file: completion,
        find: 'if (batch.every(({ fence }) => fence === first))',
        replace: 'if (batch.some(({ fence }) => fence === first))',
      },
    ],
    tests: [inBatch('of several fences settles each run by its own, not by another one’s')],
  },
  {
    name: 'fence-complete-in',
    says: 'completeIn refuses when the fence is not its own',
    edits: [
      {
        file: core('engine/make-context.ts'),
        find: 'if (!isOurs) throw',
        replace: 'if (Boolean(isOurs) && !isOurs) throw',
      },
    ],
    tests: [
      {
        file: core('engine/handler-context.test.ts'),
        title: 'the fence is checked inside: a worker that lost its lease commits nothing',
      },
    ],
  },
  {
    name: 'fence-requeue',
    says: 'a failure, a snooze and a release name their fence',
    edits: [{ file: fragments, find: `${FENCED}\n    ORDER BY j.id`, replace: `${UNFENCED}\n    ORDER BY j.id` }],
    tests: [late('fail'), late('snooze'), late('release')],
  },
  {
    name: 'fence-bury',
    says: 'giving a run up names its fence',
    edits: [{ file: core('sql/bury-runs.ts'), find: FENCED, replace: UNFENCED }],
    tests: [late('bury')],
  },
  {
    name: 'fence-stop',
    says: 'the worker’s answer to a cancellation names its fence',
    edits: [{ file: core('sql/stop-runs.ts'), find: FENCED, replace: UNFENCED }],
    tests: [late('stop')],
  },
  {
    name: 'fence-leased',
    says: 'a settlement needs a lease, not the last fence alone',
    edits: [{ file: fragments, find: '\n        AND j.locked_by IS NOT NULL', replace: '' }],
    // the others would be refused by the history, which needs to know the worker
    tests: [tooEarly('snooze')],
  },
  {
    name: 'fence-requeue-lock',
    says: 'what is given back is locked while it is decided what becomes of it',
    edits: [{ file: fragments, find: '    ORDER BY j.id\n    FOR UPDATE\n', replace: '    ORDER BY j.id\n' }],
    tests: [
      {
        file: core('sql/fence.test.ts'),
        title: 'a settlement that waits for a request to cancel ends its run as cancelled',
      },
    ],
  },
  {
    name: 'requeue-cancelled',
    says: 'what somebody wants cancelled does not go back to the queue',
    edits: [
      {
        file: core('sql/requeue-owned.ts'),
        find: '(SELECT id FROM owned WHERE id NOT IN (SELECT id FROM ended))',
        replace: '(SELECT id FROM owned)',
      },
    ],
    tests: ['fail', 'snooze', 'release'].map((of) =>
      storeCase('transition-cases', '%s ends it as cancelled, with who and why', of),
    ),
    error: /job_runs_state_check/,
  },
  {
    name: 'fence-heartbeat',
    says: 'a heartbeat names its fence',
    edits: [
      {
        file: core('sql/extend-leases.ts'),
        find: ' AND ((r.id, r.fence) IN (SELECT id, fence FROM input)) IS TRUE',
        replace: '',
      },
      {
        file: core('sql/extend-leases.ts'),
        find: ' AND i.id = r.id AND i.fence = r.fence AND',
        replace: ' AND i.id = r.id AND',
      },
      {
        file: core('sql/extend-leases.ts'),
        find: 'JOIN input AS i ON i.id = r.id AND i.fence = r.fence\n',
        replace: 'JOIN input AS i ON i.id = r.id\n',
      },
    ],
    tests: [storeCase('fence-cases', 'a late heartbeat does not extend another worker’s lease')],
  },
  {
    name: 'heartbeat-skip-locked',
    says: 'a heartbeat does not wait for one run and lose the others',
    edits: [
      {
        file: core('sql/extend-leases.ts'),
        find: '      FOR NO KEY UPDATE SKIP LOCKED\n',
        replace: '      FOR NO KEY UPDATE\n',
      },
    ],
    tests: [
      {
        file: core('sql/extend-leases.test.ts'),
        title: 'a run that somebody has locked does not keep the other leases waiting, and is not lost',
      },
    ],
  },
  {
    name: 'fence-progress',
    says: 'progress names its fence',
    edits: [
      {
        file: core('sql/save-progress.ts'),
        find: ' AND fence = ${fence}::bigint',
        replace: ' AND ${fence}::bigint IS NOT NULL',
      },
    ],
    tests: [storeCase('settle-cases', 'is kept until it ends, and through its retries')],
  },
  {
    name: 'fence-retry',
    says: 'an operator’s retry never lowers the fence',
    edits: [
      {
        file: core('sql/retry-run.ts'),
        find: `'queued', priority, now(), payload, idempotency_key, 0, max_attempts, fence,`,
        replace: `'queued', priority, now(), payload, idempotency_key, 0, max_attempts, 0,`,
      },
    ],
    tests: [
      storeCase(
        'fence-cases',
        'the fence only grows: through snooze, release, failure, rescue and an operator’s retry',
      ),
    ],
  },
  {
    name: 'cancel-lock',
    says: 'a cancellation locks the run it looks at',
    edits: [
      {
        file: core('sql/cancel-run.ts'),
        find: 'WHERE id = ${id}::bigint FOR UPDATE\n',
        replace: 'WHERE id = ${id}::bigint\n',
      },
    ],
    tests: [
      {
        file: core('sql/fence.test.ts'),
        title:
          'a cancellation of a run that is claimed meanwhile asks its worker, and does not take the run away from it',
      },
    ],
  },
];
