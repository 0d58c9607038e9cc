import type { Step } from '../../api/use-steps.js';

/** A step of two jobs; null: that one has not come to it. */
export interface StepPair {
  readonly name: string;
  readonly one: Step | null;
  readonly other: Step | null;
  /** One is done and the other is not, or only one was reached. */
  readonly differs: boolean;
  /** How many times as long this job took; null: as long, or nearly, or one has not ended. */
  readonly times: number | null;
}

/** Shorter ones are as long by chance. */
const LEAST_MS = 100;
const LEAST_TIMES = 2;

/** How long a step took, or a wait lasted; null: it has not ended. */
export const tookOf = ({ beganAt, doneAt }: Step): number | null =>
  doneAt === null ? null : Math.max(0, Date.parse(doneAt) - Date.parse(beganAt));

/**
 * The steps of two jobs side by side, in the order of the one that has come further; what only one has stands behind
 * what came before it.
 */
export function compareSteps(one: readonly Step[], other: readonly Step[]): readonly StepPair[] {
  const [longer, shorter] = one.length >= other.length ? [one, other] : [other, one];
  const names = longer.map(({ name }) => name);
  let at = 0;
  for (const { name } of shorter) {
    const known = names.indexOf(name);
    if (known >= 0) at = known + 1;
    else names.splice(at++, 0, name);
  }
  const find = (steps: readonly Step[], name: string): Step | null => steps.find((step) => step.name === name) ?? null;
  return names.map((name) => pairOf(name, find(one, name), find(other, name)));
}

function pairOf(name: string, one: Step | null, other: Step | null): StepPair {
  const [mine, theirs] = [one === null ? null : tookOf(one), other === null ? null : tookOf(other)];
  const times = mine === null || theirs === null || mine < LEAST_MS ? null : mine / Math.max(1, theirs);
  return {
    name,
    one,
    other,
    differs: one?.status !== other?.status,
    times: times !== null && times >= LEAST_TIMES ? times : null,
  };
}
