import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, storeCase } from './places.js';

const file = core('sql/claim/claim-runs.ts');
const inLine = core('claim/next-in-line.ts');
const taking = (title: string, of?: string): NamedTest => ({
  file: core('flow/take-in-line.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});
const test = (title: string): NamedTest => ({ file: core('sql/claim/claim-runs.test.ts'), title });
const skipping = test('a run that another transaction holds is skipped, not waited for');

export const claimGuards: readonly Guard[] = [
  {
    name: 'claim-skip-locked',
    says: 'a claim skips what another one holds',
    edits: [cut(file, 'FOR UPDATE SKIP LOCKED', 'FOR UPDATE')],
    tests: [skipping],
  },
  {
    name: 'claim-lock',
    says: 'a claim locks what it is about to take',
    edits: [cut(file, 'FOR UPDATE SKIP LOCKED')],
    tests: [skipping],
  },
  {
    name: 'claim-limit',
    says: 'all priorities share the limit',
    edits: [cut(file, 'WHERE EXISTS (SELECT FROM open) ⟦LIMIT ${request.limit}::integer⟧')],
    tests: [storeCase('claim-cases', 'never more than the limit, and each run once')],
  },
  {
    name: 'claim-fence',
    says: 'every claim makes the fence grow',
    edits: [cut(file, 'fence = r.fence + 1,', 'fence = greatest(r.fence, 1),')],
    tests: [
      storeCase(
        'fence-cases',
        'the fence only grows: through snooze, release, failure, rescue and an operator’s retry',
      ),
      storeCase(
        'fence-cases',
        'a late settlement after the lease passed to another worker changes nothing: %j',
        '{"kind":"complete"',
      ),
    ],
  },
  {
    name: 'claim-charge',
    says: 'every claim is a charged attempt',
    edits: [cut(file, 'attempts = r.attempts + 1,', 'attempts = greatest(r.attempts, 1),')],
    tests: [storeCase('rescue-cases', 'a run whose worker went away is due again, the attempt charged and on record')],
  },
  {
    name: 'claim-rounds-awaited',
    says: 'a worker that stops awaits every claim on its way',
    edits: [
      cut(
        core('claim/poll-loop.ts'),
        'while (!this.signal.aborted || this.#rounds.length > 0) {',
        'while (!this.signal.aborted) {',
      ),
    ],
    tests: [
      {
        file: core('claim/claim-rounds.test.ts'),
        title: 'a worker that stops gives back what both of its claims have taken',
      },
    ],
  },
  {
    name: 'claim-shared',
    says: 'where others claim, too, a worker has one claim on its way',
    edits: [
      cut(
        core('claim/poll-loop.ts'),
        'this.#isAloneWithBacklog = claimed >= MAX_CLAIM && !isShared;',
        'this.#isAloneWithBacklog = claimed >= MAX_CLAIM || isShared;',
      ),
    ],
    tests: [
      {
        file: core('claim/claim-rounds.test.ts'),
        title: 'under a backlog from which others claim, too, only one claim is on its way, and every run runs once',
      },
    ],
  },
  {
    name: 'claim-bound-tie',
    says: 'a claim begins behind a run, and not behind all that are due at the same moment',
    edits: [
      cut(
        file,
        `AND (j.run_at, j.id) > (
          to_timestamp((SELECT \${toArray(bounds.map(({ runAt }) => runAt))}::text::float8[])[p.priority + 1]),
          (SELECT \${toArray(bounds.map(({ id }) => id))}::text::bigint[])[p.priority + 1]
        )`,
        `AND j.run_at > to_timestamp((SELECT \${toArray(bounds.map(({ runAt }) => runAt))}::text::float8[])[p.priority + 1])
         AND (SELECT \${toArray(bounds.map(({ id }) => id))}::text::bigint[]) IS NOT NULL`,
      ),
    ],
    tests: [
      {
        file: core('store/bounded-claims.test.ts'),
        title:
          'claims of a backlog follow each other in its order, and walk over nothing that was taken, although all runs are due at the same moment',
      },
    ],
  },
  {
    name: 'claim-next-in-line',
    says: 'a key that goes on keeps others waiting for 50 ms at most',
    edits: [cut(inLine, 'if (ageMs > FRESH_MS) return false;', 'if (ageMs > 100 * FRESH_MS) return false;')],
    tests: [
      {
        file: core('claim/next-in-line.test.ts'),
        title: 'what others wait for is kept waiting no longer than 50 ms: then a claim decides',
      },
    ],
  },
  {
    name: 'claim-next-stops',
    says: 'a worker that stops begins nothing that a settlement has given it',
    edits: [
      cut(core('claim/claim-round.ts'), 'if (!isOver) startNow(engine);', 'if (all.length > 0) startNow(engine);'),
    ],
    tests: [
      taking('that stops while such a settlement is on its way gives the run back, uncharged, and does not begin it'),
    ],
  },
  {
    name: 'claim-next-readable',
    says: 'a settlement takes nothing that its worker cannot read',
    edits: [
      cut(
        migration('20261120120900_flow'),
        'AND ((j.job_type, j.job_version) IN (SELECT * FROM unnest(types, versions))) IS TRUE',
      ),
    ],
    tests: [taking('leaves to others what is %s, and tells them', 'of a version that it cannot read')],
  },
  {
    name: 'claim-started',
    says: 'what one queue gave is started when the next one fails',
    edits: [cut(core('claim/poll-loop.ts'), '⟦this.#startNow();⟧ await pause(')],
    tests: [
      {
        file: core('claim/claim-failures.test.ts'),
        title: 'what one queue has given is started, although the claim of another queue has failed',
      },
    ],
  },
  {
    name: 'claim-hot',
    says: 'nothing that a claim writes is in an index',
    edits: [
      {
        file: migration('20261120120000_queue'),
        find: 'CREATE INDEX job_runs_claim_idx ON duework.job_runs (queue, priority, run_at, id) WHERE held_by IS NULL;',
        replace:
          "CREATE INDEX job_runs_claim_idx ON duework.job_runs (queue, priority, run_at, id) WHERE held_by IS NULL AND status IN ('queued', 'failed');",
      },
    ],
    tests: [test('writes into the pages of its runs, and nothing into an index, however large they are')],
  },
];
