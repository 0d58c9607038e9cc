import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration } from './places.js';

const budget = core('store/scan-budget.ts');
const claims = core('store/bounded-claims.ts');
const ofClaims = (title: string): NamedTest => ({ file: core('store/bounded-claims.test.ts'), title });
const chores = migration('20261120121350_chores');
const ofChores = (title: string): NamedTest => ({ file: core('sql/upkeep/take-chores.test.ts'), title });
const noneAgain = cut(
  budget,
  'if (nowMs < this.#nextFullAtMs) return false;',
  'if (this.#nextFullAtMs !== -Infinity) return false;',
);

/** Lower bounds of claims, and looks at leases, both of which leave out what a full scan finds; and chores. */
export const scanGuards: readonly Guard[] = [
  {
    name: 'claim-unbounded',
    says: 'a claim looks below its lower bound now and again',
    edits: [noneAgain],
    tests: [
      ofClaims('while claims are quick each of them looks everywhere: what is put into the past is found at once'),
    ],
  },
  {
    name: 'claim-hiccup',
    says: 'one slow claim alone keeps no other from looking everywhere',
    edits: [
      cut(
        budget,
        'this.#paidMs = Math.max(0, Math.min(walkedMs, this.#walkedMs));',
        'this.#paidMs = Math.max(0, walkedMs, this.#walkedMs);',
      ),
    ],
    tests: [ofClaims('one slow claim is a hiccup of the machine: the next one looks everywhere')],
  },
  {
    name: 'claim-one-unbounded',
    says: 'one claim at a time looks everywhere',
    edits: [cut(budget, 'this.#nextFullAtMs = startedMs + maxPauseMs;')],
    tests: [
      ofClaims('where they are slow one of those that are on their way looks everywhere, and the others stay ahead'),
    ],
  },
  {
    name: 'claim-failed-unbounded',
    says: 'after a full scan that failed the next one is made at once',
    edits: [cut(budget, 'this.#nextFullAtMs = startedMs;')],
    tests: [ofClaims('after a full scan that failed the next claim is one')],
  },
  {
    name: 'claim-backlog-unbounded',
    says: 'under a backlog, too, a claim looks everywhere now and again, and finds what was locked and let go',
    edits: [
      cut(
        claims,
        'if (isFull) return this.#take(request, EVERYWHERE);',
        'if (isFull) return this.#take(request, { ...EVERYWHERE, isPassing: true });',
      ),
    ],
    tests: [
      ofClaims(
        'in a backlog claims begin at their lower bound, and pass by what somebody has touched; a full scan finds both a little later',
      ),
    ],
  },
  {
    name: 'claim-backlog-bounded',
    says: 'under a backlog claims that look everywhere take a share of the time that claims take',
    edits: [
      cut(
        budget,
        'return this.#owedMs <= 0 || nowMs >= this.#latestFullAtMs;',
        'return this.#owedMs <= Infinity || nowMs >= this.#latestFullAtMs;',
      ),
    ],
    tests: [
      ofClaims(
        'under a backlog claims that look everywhere take a twentieth of the time that claims take, however seldom a worker claims',
      ),
    ],
  },
  {
    name: 'claim-late',
    says: 'where full scans are slow claims look a little below the bound now and again',
    edits: [
      cut(
        claims,
        'if (queue.fullScans.isSlow) return queue.late.look((isLate) => this.#takeFrom(request, isLate), priceOf);',
      ),
    ],
    tests: [
      ofClaims(
        'where they are slow what was committed a second late is found a second later, not by the next full scan',
      ),
    ],
  },
  {
    name: 'lost-rest',
    says: 'slow looks at leases take a hundredth of the time',
    edits: [cut(chores, "last.rests_ms * interval '1 millisecond'", "0 * interval '1 millisecond'")],
    tests: [ofChores('leaves out leases for a hundred times as long as looks take, and for a minute at most')],
  },
  {
    name: 'lost-in-sight',
    says: 'an expired lease that was found is looked at until somebody has rescued it',
    edits: [cut(chores, 'CASE WHEN is_over THEN 0 ELSE', 'CASE WHEN false THEN 0 ELSE')],
    tests: [
      ofChores(
        'that is slow is followed by none for a while, and one that has found something by the next one at once',
      ),
    ],
  },
  {
    name: 'lost-behind',
    says: 'an expired lease that was found behind what nobody takes is looked for there again',
    edits: [cut(chores, "l.name = 'look' OR is_all AND NOT is_over", "l.name = 'look' OR is_all")],
    tests: [
      ofChores(
        'finds one behind any number of runs that nobody takes, every half minute, and looks for it until it is gone',
      ),
    ],
  },
  {
    name: 'chore-once',
    says: 'one worker does a chore in each period',
    edits: [cut(chores, 'SELECT every_ms = 0 OR', 'SELECT true OR')],
    tests: [ofChores('are asked for without writing anything, by all but one in each period')],
  },
];
