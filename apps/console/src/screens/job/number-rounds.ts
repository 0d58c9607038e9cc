import type { Schemas } from '../../api/api-types.js';

type Job = Pick<Schemas['JobDetail'], 'attempts' | 'attemptHistory'>;

/**
 * The round of each attempt of a job's history, and of the one after them. A job that was retried by hand begins another:
 * its attempts are counted from one again, while one that was interrupted keeps its number.
 */
export function numberRounds({ attempts, attemptHistory }: Job): {
  readonly past: readonly number[];
  readonly now: number;
} {
  let [round, before] = [1, 0];
  const past = attemptHistory.map(({ attempt, outcome }) => {
    if (attempt <= before) round++;
    before = outcome === 'interrupted' || outcome === 'cancelled' ? attempt - 1 : attempt;
    return round;
  });
  return { past, now: attempts > 0 && attempts <= before ? round + 1 : round };
}
