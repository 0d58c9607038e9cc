import type { Check, Verdict } from '../checks/check.js';
import { checks } from '../checks/index.js';
import type { Evidence } from '../observer/evidence.js';
import { ofKind } from '../observer/history-events.js';
import type { MissingFault } from '../run-torture.js';

/**
 * Whether this run has to judge a promise, given its form, its faults and its length: false where nothing that the
 * promise needs was to happen. A promise that was due and had no case counts as not kept.
 */
function isDue(check: Check, { options, events }: Evidence, missing: ReadonlySet<string>): boolean {
  const { needs } = check;
  if (needs === undefined) return true;
  if (needs === 'a soak') return options.isSoak;
  if (needs === 'a measured load') return options.isLoadMeasured;
  const possible = needs.filter((fault) => options.faults.includes(fault) && !missing.has(fault));
  // a shorter run has not done all of them
  return options.isWhole
    ? possible.length > 0
    : ofKind(events, 'fault.begun').some(({ fault }) => possible.includes(fault));
}

/**
 * kept: every case was judged well. told: a figure that was missed on a machine that is otherwise busy. unjudged: the
 * promise was due, and had no case. not due: nothing that the promise needs was to happen.
 */
export type JudgementState = 'kept' | 'broken' | 'told' | 'unjudged' | 'not due';

export interface Judgement extends Verdict, Pick<Check, 'promise'> {
  readonly needs: string | readonly string[];
  readonly state: JudgementState;
  /**
   * Whether the run fails because of it. A quick run does not fail for want of a case, because it does each fault once.
   */
  readonly isFailure: boolean;
}

/** Judges each promise. */
export function judge(run: Evidence & { readonly missing: readonly MissingFault[] }): Judgement[] {
  const { isQuick } = run.options;
  const missing = new Set(run.missing.map(({ fault }) => fault.name));
  return checks.map((check) => {
    const verdict = check.check(run);
    const state = stateOf(check, verdict, isQuick, isDue(check, run, missing));
    const isFailure = state === 'broken' || (state === 'unjudged' && !isQuick);
    return { promise: check.promise, needs: check.needs ?? 'any run', ...verdict, state, isFailure };
  });
}

function stateOf({ isFigure = false }: Check, verdict: Verdict, isQuick: boolean, isDue: boolean): JudgementState {
  if (verdict.broken.length > 0) return isFigure && isQuick ? 'told' : 'broken';
  if (verdict.counted > 0) return 'kept';
  return isDue ? 'unjudged' : 'not due';
}
