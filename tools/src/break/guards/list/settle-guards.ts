import type { Guard, NamedTest } from '../guard.js';
import { core, cut, storeCase } from './places.js';

const writer = core('settle/write-settlements.ts');
const failing = (title: string): NamedTest => ({ file: core('worker/failing-database.test.ts'), title });

/** How what became of an attempt is written, and when what failed comes back. */
export const settleGuards: readonly Guard[] = [
  {
    name: 'settle-again',
    says: 'a settlement is tried again while its lease lasts',
    edits: [
      cut(
        writer,
        `for (const waiting of batch) if (giveUpAtMs(waiting) <= nowMs) waiting.answer('gave_up');
        return batch.filter((waiting) => giveUpAtMs(waiting) > nowMs);`,
        "for (const waiting of batch) if (giveUpAtMs(waiting) > -nowMs) waiting.answer('gave_up');\n    return [];",
      ),
    ],
    tests: [failing('a settlement is tried again and never turns a success into a failure')],
  },
  {
    name: 'settle-refused',
    says: 'a settlement that the database refuses fails alone',
    edits: [
      cut(
        writer,
        'if (isRefusal(error)) return this.#sendAlone(pending);',
        'if (pending.length > MAX_BATCH && isRefusal(error)) return this.#sendAlone(pending);',
      ),
    ],
    tests: [failing('a settlement that the database refuses fails alone')],
  },
  {
    name: 'settle-latest',
    says: 'two attempts of one run are not settled by one answer',
    edits: [
      cut(
        writer,
        'if (new Set(batch.map(({ settlement }) => settlement.id)).size === batch.length) return batch;',
        'if (batch.length > 0) return batch;',
      ),
    ],
    tests: [
      {
        file: core('settle/write-settlements.test.ts'),
        title: 'on PostgreSQL, which answers by run, the stale one of two attempts that end together is lost as well',
      },
    ],
  },
  {
    name: 'settle-lost-answer',
    says: 'a settlement that is gone is looked up before it is called lost',
    edits: [
      cut(
        core('settle/finish-run.ts'),
        'return await store.isCompleted(run.id, run.fence);',
        'return (await store.isCompleted(run.id, run.fence)) && false;',
      ),
    ],
    tests: [failing('a settlement whose answer was lost is recognised as written')],
  },
  {
    name: 'failures-throttle',
    says: 'a failing cause is told at most once a second',
    edits: [cut(core('report-failures.ts'), 'const MIN_INTERVAL_MS = 1_000;', 'const MIN_INTERVAL_MS = 0;')],
    tests: [failing('claims that fail are tried again, and a failing cause is told at most once a second')],
  },
  {
    name: 'backoff-jitter',
    says: 'retries of one moment are spread',
    edits: [
      cut(
        core('settle/compute-backoff.ts'),
        `/** ±20 %, so that hundreds of runs that failed together do not come back in the same second. */
      const JITTER = 0.2;`,
        'const JITTER = 0;',
      ),
    ],
    tests: [{ file: core('settle/compute-backoff.test.ts'), title: 'jitter is ±20 %, evenly spread' }],
  },
  {
    name: 'backoff-least',
    says: 'a retry waits at least as long as its rule, whatever its handler asks for',
    edits: [cut(core('settle/compute-backoff.ts'), 'return delayOf(policy, 1);', 'return 0 * delayOf(policy, 1);')],
    tests: [
      {
        file: core('settle/decide-settlement.test.ts'),
        title: 'of nothing waits for at least the base of its rule: nothing is retried at once',
      },
    ],
  },
  {
    name: 'delay-spread',
    says: 'runs that were given the same delay do not come back together',
    edits: [
      cut(
        core('settle/compute-backoff.ts'),
        `/** Part of the delay: a thousand runs that got the same \`Retry-After\` must not come back in the same second. */
      const SPREAD = 0.2;`,
        'const SPREAD = 0;',
      ),
    ],
    tests: [
      {
        file: core('settle/decide-settlement.test.ts'),
        title: 'brings hundreds of runs that were given the same one back at moments of their own',
      },
    ],
  },
  {
    name: 'snooze-limit',
    says: 'a handler that always asks for later ends one day',
    edits: [
      cut(
        core('sql/settle/snooze-runs.ts'),
        'bury: { ...SNOOZE_LIMIT, when: sql`o.snoozes >= i.max_snoozes` },',
        (text) => text.replace('o.snoozes >= i.max_snoozes', 'false'),
      ),
    ],
    tests: [storeCase('settle-cases', 'a snooze is counted, has a limit and leaves a trace')],
  },
];
