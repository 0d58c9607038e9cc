import type { FailureGroup, FailureList } from '../../api/failure-queries.js';

/** Whether a failure began within the last quarter of the time that is shown, and nothing of that time is missing. */
export function isNew({ firstAt }: FailureGroup, { since, until, isComplete }: FailureList): boolean {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  return isComplete && Date.parse(firstAt) >= to - (to - from) / 4;
}
