import type { Guard, NamedTest } from '../guard.js';
import { core, cut, returnedUnfenced, storeCase } from './places.js';

const fragments = core('sql/fragments.ts');
const completion = core('sql/settle/complete-runs.ts');
const heartbeat = core('sql/leases/extend-leases.ts');
/** By the id alone. */
const UNFENCED = 'WHERE ((${stillOurs}) OR (j.id = ANY(ARRAY(SELECT id FROM input)) AND j.locked_by IS NOT NULL))';

const inBatch = (title: string): NamedTest => ({ file: core('sql/settle/complete-runs.test.ts'), title });
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
    edits: [cut(completion, 'AND ${hasFenceOf(batch)}', 'AND (true OR ${hasFenceOf(batch)})')],
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
      cut(
        completion,
        'if (batch.every(({ fence }) => fence === first)) return sql`j.fence = ${first}::bigint`;',
        'if (batch.some(({ fence }) => fence === first)) return sql`j.fence = ${first}::bigint`;',
      ),
    ],
    tests: [inBatch('of several fences settles each run by its own, not by another one’s')],
  },
  {
    name: 'fence-complete-in',
    says: 'completeIn refuses when the fence is not its own',
    edits: [
      cut(
        core('run/make-context.ts'),
        "if (!isOurs) throw new AbortReason('lease_lost', 'The lease of this run was lost before it could be completed.');",
        'void isOurs;',
      ),
    ],
    tests: [
      {
        file: core('run/handler-context.test.ts'),
        title: 'the fence is checked inside: a worker that lost its lease commits nothing',
      },
    ],
  },
  {
    name: 'fence-requeue',
    says: 'a failure, a snooze and a release name their fence',
    edits: [cut(fragments, 'WHERE ${stillOurs}', UNFENCED)],
    tests: [late('fail'), late('snooze'), late('release')],
  },
  {
    name: 'fence-bury',
    says: 'giving a run up names its fence',
    edits: [cut(core('sql/settle/bury-runs.ts'), 'WHERE ${stillOurs}', UNFENCED)],
    tests: [late('bury')],
  },
  {
    name: 'fence-cancel',
    says: 'the worker’s answer to a cancellation names its fence',
    edits: [cut(core('sql/settle/confirm-cancels.ts'), 'WHERE ${stillOurs}', UNFENCED)],
    tests: [late('confirm_cancel')],
  },
  {
    name: 'fence-leased',
    says: 'a settlement needs a lease, not the last fence alone',
    edits: [cut(fragments, 'AND j.locked_by IS NOT NULL')],
    // the others would be refused by the history, which needs to know the worker
    tests: [tooEarly('snooze')],
  },
  {
    name: 'fence-requeue-lock',
    says: 'what is given back is locked while it is decided what becomes of it',
    edits: [cut(fragments, 'FOR UPDATE')],
    tests: [
      {
        file: core('sql/settle/fence.test.ts'),
        title: 'a settlement that waits for a request to cancel ends its run as cancelled',
      },
    ],
  },
  {
    name: 'requeue-cancelled',
    says: 'what somebody wants cancelled does not go back to the queue',
    edits: [
      cut(
        core('sql/leases/requeue-owned.ts'),
        'WHERE j.id = ANY(ARRAY(SELECT id FROM owned WHERE id NOT IN (SELECT id FROM ended))) AND i.id = j.id',
        'WHERE j.id = ANY(ARRAY(SELECT id FROM owned)) AND i.id = j.id',
      ),
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
      cut(
        heartbeat,
        'AND r.locked_by IS NOT NULL AND ((r.id, r.fence) IN (SELECT id, fence FROM input)) IS TRUE',
        'AND r.locked_by IS NOT NULL',
      ),
      cut(
        heartbeat,
        'AND i.id = r.id AND i.fence = r.fence AND r.locked_by IS NOT NULL',
        'AND i.id = r.id AND r.locked_by IS NOT NULL',
      ),
      cut(heartbeat, 'JOIN input AS i ON i.id = r.id AND i.fence = r.fence', 'JOIN input AS i ON i.id = r.id'),
    ],
    tests: [storeCase('fence-cases', 'a late heartbeat does not extend another worker’s lease')],
  },
  {
    name: 'heartbeat-skip-locked',
    says: 'a heartbeat does not wait for one run and lose the others',
    edits: [cut(heartbeat, 'FOR NO KEY UPDATE SKIP LOCKED', 'FOR NO KEY UPDATE')],
    tests: [
      {
        file: core('sql/leases/extend-leases.test.ts'),
        title: 'a run that somebody has locked does not keep the other leases waiting, and is not lost',
      },
    ],
  },
  {
    name: 'fence-progress',
    says: 'progress names its fence',
    edits: [
      cut(
        core('sql/leases/save-progress.ts'),
        "WHERE id = ${id}::bigint AND fence = ${fence}::bigint AND status = 'running'",
        "WHERE id = ${id}::bigint AND ${fence}::bigint IS NOT NULL AND status = 'running'",
      ),
    ],
    tests: [storeCase('settle-cases', 'is kept through its retries and after its end')],
  },
  {
    name: 'fence-retry',
    says: 'an operator’s retry never lowers the fence',
    edits: [returnedUnfenced],
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
      cut(
        core('sql/operate/cancel-run.ts'),
        'SELECT id, status, run_at, attempts FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE',
        'SELECT id, status FROM duework.job_runs WHERE id = ${id}::bigint',
      ),
    ],
    tests: [
      {
        file: core('sql/settle/fence.test.ts'),
        title:
          'a cancellation of a run that is claimed meanwhile asks its worker, and does not take the run away from it',
      },
    ],
  },
];
