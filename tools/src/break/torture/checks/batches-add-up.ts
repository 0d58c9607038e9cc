import type { FinalBatch } from '../observer/evidence.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** Whoever ends the last job, cancels it or dies behind it: a batch knows what its jobs are, and tells each end once. */
export const batchesAddUp: Check = {
  promise: "a batch's counts are those of its jobs, each of its ends is told once, and it commits with its caller",
  needs: 'any run',
  check({ batches, begun }) {
    const broken = batches.flatMap(describe);
    const known = groupBy(batches, ({ id }) => id);
    const asked = new Set(begun.map(({ id }) => id));
    for (const { id } of begun) if (!known.has(id)) broken.push(`batch ${id} was begun, and is gone`);
    for (const { id } of batches) if (!asked.has(id)) broken.push(`batch ${id} is there, and its caller's row is not`);
    const told = batches.reduce((sum, { callbacks }) => sum + callbacks.length, 0);
    return { counted: batches.length, broken, remark: `${told} jobs were enqueued by their ends` };
  },
};

function describe({ id, isSettled, told, found, died, callbacks }: FinalBatch): string[] {
  const broken: string[] = [];
  if (!isSettled) broken.push(`batch ${id} has not settled`);
  for (const kind of ['jobs', 'succeeded', 'dead', 'cancelled'] as const)
    if (told[kind] !== found[kind]) broken.push(`batch ${id}: ${told[kind]} ${kind}, and ${found[kind]} are found`);
  const due = {
    onSettled: isSettled,
    onSucceeded: found.succeeded === found.jobs,
    onFirstDead: died > 0,
  };
  for (const [moment, isDue] of Object.entries(due)) {
    const times = callbacks.filter((one) => one === moment).length;
    if (times !== (isDue ? 1 : 0)) broken.push(`batch ${id}: ${moment} was told ${times} times`);
  }
  return broken;
}
