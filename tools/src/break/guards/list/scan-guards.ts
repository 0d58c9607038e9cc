import type { Guard, NamedTest } from '../guard.js';
import { core, cut } from './places.js';

const budget = core('store/scan-budget.ts');
const claims = core('store/bounded-claims.ts');
const ofClaims = (title: string): NamedTest => ({ file: core('store/bounded-claims.test.ts'), title });
const ofLooks = (title: string): NamedTest => ({ file: core('store/lost-watch.test.ts'), title });
const noneAgain = cut(
  budget,
  'if (nowMs < this.#nextFullAtMs) return false;',
  'if (this.#nextFullAtMs !== -Infinity) return false;',
);
const foundLater = ofLooks(
  'where they are slow it is found a little later, and what was found is looked at until it is gone',
);

/** Lower bounds of claims, and looks at leases, both of which leave out what a full scan finds. */
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
    name: 'lost-full-scan',
    says: 'a lease that has ended is found by the next full scan of leases',
    edits: [noneAgain],
    tests: [ofLooks('while looks are quick a lease that has ended is found at once'), foundLater],
  },
  {
    name: 'lost-in-sight',
    says: 'an expired lease that was found is looked at until somebody has rescued it',
    edits: [
      cut(
        core('store/lost-watch.ts'),
        'walkedMs: hasExpired ? 0 : tookMs * Math.max(workers, 1) - FREE_MS,',
        'walkedMs: (hasExpired ? 1 : 1) * tookMs * Math.max(workers, 1) - FREE_MS,',
      ),
    ],
    tests: [foundLater],
  },
];
