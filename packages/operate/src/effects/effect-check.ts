/**
 * An effect that was not simply done once. `unknown`: it may have happened, and a person has to look. `repeated`: it was begun
 * again after a try that may have happened. `undone`: the handler says of a try that it certainly did not happen.
 */
export const DOUBTS = ['unknown', 'repeated', 'undone'] as const;

export interface DoubtfulEffect {
  readonly doubt: (typeof DOUBTS)[number];
  readonly name: string;
  readonly jobId: string;
  readonly startedAt: Date;
  /** What the other side was given, and what to look for there: the `key` of the effect's context. */
  readonly lookFor: string;
}

/** An attempt that did not succeed. */
export interface PastAttempt {
  readonly attempt: number;
  readonly outcome: string;
  readonly worker: string;
  readonly finishedAt: Date;
  readonly errorCode: string | null;
}

/** A job that has run more than once, and of which no effect is recorded. */
export interface UnrecordedJob {
  readonly jobId: string;
  readonly status: string;
  /** The newest 10 that did not succeed, the oldest first. */
  readonly attempts: readonly PastAttempt[];
}

/** What is recorded of what jobs of a type did between two moments. */
export interface EffectFacts {
  readonly type: string;
  readonly since: Date;
  readonly until: Date;
  /** Jobs that have begun an effect. */
  readonly jobs: number;
  /** Done, each once. */
  readonly done: number;
  /** Being done at this moment. */
  readonly doing: number;
  readonly unknown: number;
  readonly repeated: number;
  /** Of which a try certainly did not happen, whatever became of them. */
  readonly undone: number;
  /** The first 100 of each doubt. */
  readonly doubts: readonly DoubtfulEffect[];
  readonly unrecorded: number;
  /** The first 100. */
  readonly unrecordedJobs: readonly UnrecordedJob[];
}

export interface EffectCheck extends EffectFacts {
  /** Nothing that is recorded can have happened twice, and nothing that could is unrecorded. */
  readonly isProven: boolean;
  readonly sentence: string;
}

/** Says whether the facts prove that nothing happened twice. */
export function judgeEffects(facts: EffectFacts): EffectCheck {
  const { type, since, until, jobs, done, doing, unknown, repeated, undone, unrecorded } = facts;
  const isProven = unknown + repeated + unrecorded === 0;
  const found = [
    ...(jobs === 0 ? ['no effect was begun'] : [`${count(jobs, 'job')}, ${count(done, 'effect')} done once`]),
    ...(doing === 0 ? [] : [`${doing} being done now`]),
    ...(unknown === 0 ? [] : [`${unknown} with an unknown outcome`]),
    ...(repeated === 0 ? [] : [`${repeated} begun again after a try that may have happened`]),
    ...(undone === 0 ? [] : [`${undone} with a try that certainly did not happen`]),
    unrecorded === 0
      ? 'no job without a recorded effect has run more than once'
      : `${count(unrecorded, 'job')} without a recorded effect ${unrecorded === 1 ? 'has' : 'have'} run more than once`,
  ];
  const verdict = isProven
    ? `Nothing of ${type} was done twice`
    : `It is not proven that nothing of ${type} was done twice`;
  return {
    ...facts,
    isProven,
    sentence: `${verdict} from ${since.toISOString()} to ${until.toISOString()}: ${found.join('; ')}.`,
  };
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
