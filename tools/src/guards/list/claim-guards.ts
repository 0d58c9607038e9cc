import type { Guard, NamedTest } from '../guard.js';
import { core, migration, storeCase } from './places.js';

const file = core('sql/claim-runs.ts');
const test = (title: string): NamedTest => ({ file: core('sql/claim-runs.test.ts'), title });

export const claimGuards: readonly Guard[] = [
  {
    name: 'claim-skip-locked',
    says: 'a claim skips what another one holds',
    edits: [{ file, find: 'FOR UPDATE SKIP LOCKED', replace: 'FOR UPDATE' }],
    tests: [test('a run that another transaction holds is skipped, not waited for')],
  },
  {
    name: 'claim-lock',
    says: 'a claim locks what it is about to take',
    edits: [{ file, find: '          FOR UPDATE SKIP LOCKED\n', replace: '' }],
    tests: [test('a run that another transaction holds is skipped, not waited for')],
  },
  {
    name: 'claim-limit',
    says: 'all priorities share the limit',
    edits: [{ file, find: ') AS due\n        LIMIT ${request.limit}::integer\n', replace: ') AS due\n' }],
    tests: [storeCase('claim-cases', 'never more than the limit, and each run once')],
  },
  {
    name: 'claim-fence',
    says: 'every claim makes the fence grow',
    edits: [{ file, find: 'fence = r.fence + 1,', replace: 'fence = greatest(r.fence, 1),' }],
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
    edits: [{ file, find: 'attempts = r.attempts + 1,', replace: 'attempts = greatest(r.attempts, 1),' }],
    tests: [storeCase('rescue-cases', 'a run whose worker went away is due again, the attempt charged and on record')],
  },
  {
    name: 'claim-sweep',
    says: 'a claim looks behind its front now and again',
    edits: [
      {
        file: core('store/sweep-budget.ts'),
        find: 'startedMs < this.#sweepAtMs',
        replace: 'this.#sweepAtMs !== -Infinity',
      },
    ],
    tests: [
      {
        file: core('store/claim-front.test.ts'),
        title: 'while claims are quick each of them looks everywhere: what is put into the past is found at once',
      },
    ],
  },
  {
    name: 'claim-hiccup',
    says: 'one slow look alone keeps no claim from looking everywhere',
    edits: [
      {
        file: core('store/sweep-budget.ts'),
        find: 'Math.min(walkedMs, this.#walkedMs)',
        replace: 'Math.max(walkedMs, this.#walkedMs)',
      },
    ],
    tests: [
      {
        file: core('store/claim-front.test.ts'),
        title: 'one slow claim is a hiccup of the machine: the next one looks everywhere',
      },
    ],
  },
  {
    name: 'claim-one-sweep',
    says: 'one claim at a time looks everywhere',
    edits: [{ file: core('store/sweep-budget.ts'), find: 'this.#sweepAtMs = startedMs + maxPauseMs;', replace: '' }],
    tests: [
      {
        file: core('store/claim-front.test.ts'),
        title:
          'where they are slow one of those that are on their way looks everywhere, and the others go on at the front',
      },
    ],
  },
  {
    name: 'claim-failed-sweep',
    says: 'after a look everywhere that failed the next one is made at once',
    edits: [{ file: core('store/sweep-budget.ts'), find: '      this.#sweepAtMs = startedMs;\n', replace: '' }],
    tests: [{ file: core('store/claim-front.test.ts'), title: 'after a sweep that failed the next claim is one' }],
  },
  {
    name: 'claim-crowd-sweep',
    says: 'in a crowd as well a claim looks everywhere now and again, and finds what was locked and let go',
    edits: [
      {
        file: core('store/claim-front.ts'),
        find: 'return take(EVERYWHERE);',
        replace: 'return take({ ...EVERYWHERE, isPassing: true });',
      },
    ],
    tests: [
      {
        file: core('store/claim-front.test.ts'),
        title:
          'in a crowd claims begin at the front, and pass by what somebody has touched; a sweep finds both a little later',
      },
    ],
  },
  {
    name: 'claim-late',
    says: 'where sweeps are slow claims look a little behind the front now and again',
    edits: [
      {
        file: core('store/claim-front.ts'),
        find: 'isLate ? takeLate() : takeAhead()',
        replace: 'isLate ? takeAhead() : takeAhead() || takeLate()',
      },
    ],
    tests: [
      {
        file: core('store/claim-front.test.ts'),
        title: 'where they are slow what was committed a second late is found a second later, not by the next sweep',
      },
    ],
  },
  {
    name: 'claim-rounds-awaited',
    says: 'a worker that stops awaits every claim on its way',
    edits: [
      {
        file: core('engine/poll-loop.ts'),
        find: '!this.signal.aborted || this.#rounds.length > 0',
        replace: '!this.signal.aborted',
      },
    ],
    tests: [
      {
        file: core('engine/claim-rounds.test.ts'),
        title: 'a worker that stops gives back what both of its claims have taken',
      },
    ],
  },
  {
    name: 'claim-hot',
    says: 'nothing that a claim writes is in an index',
    edits: [
      {
        file: migration('20261120120000_duework'),
        find: 'CREATE INDEX job_runs_claim_idx ON duework.job_runs (queue, priority, run_at, id);',
        replace:
          "CREATE INDEX job_runs_claim_idx ON duework.job_runs (queue, priority, run_at, id) WHERE status IN ('queued', 'failed');",
      },
    ],
    tests: [test('writes into the pages of its runs, and nothing into an index, however large they are')],
  },
];
