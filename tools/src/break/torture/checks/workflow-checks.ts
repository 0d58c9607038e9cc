import type { FinalBatch, Payment, StepChange } from '../observer/evidence.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

const ENDED = new Set(['arrived', 'done', 'failed']);

/** Whatever dies: a step is known once it has ended, and what it did in its transaction is there as often as it is. */
export const stepsOnce: Check = {
  promise: 'a step ends once and stays; in a transaction it is done once; a child is one',
  check({ stepChanges, bookings, jobs }) {
    const broken: string[] = [];
    const steps = groupBy(stepChanges, ({ run, name }) => `${run} ${name}`);
    for (const [step, changes] of steps)
      broken.push(...changes.slice(1).flatMap((change, before) => describeStep(step, changes[before]!.to, change)));
    const booked = groupBy(bookings, ({ run }) => run);
    for (const [run, list] of booked) {
      if (list.length > 1) broken.push(`run ${run} has booked ${list.length} times`);
      if (!steps.has(`${run} book`)) broken.push(`run ${run} has booked, and its step is not there`);
    }
    for (const [step, [first]] of steps)
      if (first?.name === 'book' && !booked.has(first.run))
        broken.push(`the step ${step} is there, and nothing booked`);
    const children = groupBy(
      jobs.filter(({ type }) => type === 'packing'),
      ({ key }) => key,
    );
    const watched = new Set(stepChanges.map(({ run }) => run));
    for (const { run, type, status } of jobs) {
      if (type !== 'trip' || !watched.has(run)) continue;
      const made = children.get(`child:${run}:packing`)?.length ?? 0;
      if (made > 1 || (made === 0 && status === 'succeeded')) broken.push(`trip ${run} is ${status}: ${made} children`);
    }
    return { counted: steps.size, broken, remark: `${booked.size} of them in a transaction` };
  },
};

/** What must not become of a step that is there. */
function describeStep(step: string, was: string, { from, to, hasChanged }: StepChange): string[] {
  if (from !== was) return [`the step ${step} was ${was}, and became ${to} from ${from ?? 'nothing'}`];
  const isEnd = from === 'waiting' && ENDED.has(to);
  const isSeen = from === 'arrived' && to === 'done' && !hasChanged;
  return isEnd || isSeen ? [] : [`the step ${step}: ${from} → ${to}${hasChanged ? ', with another result' : ''}`];
}

/** One that was sent is received by one wait, or kept for one that may come; none is that was rolled back. */
export const signalsOnce: Check = {
  promise: 'a signal that was sent is received once, or kept; what was rolled back was never sent',
  check({ sent, received, kept, returned }) {
    const broken: string[] = [];
    const there = groupBy([...received, ...kept], ({ n }) => n);
    const sums = new Map(sent.map(({ n, amount }) => [n, amount]));
    for (const [n, list] of there) if (list.length > 1) broken.push(`signal ${n} is there ${list.length} times`);
    for (const { n } of sent) if (!there.has(n)) broken.push(`signal ${n} was sent, and is gone`);
    const isAnother = ({ n, amount }: Payment): boolean => sums.get(n) !== amount;
    for (const { n, amount } of [...received, ...kept].filter(isAnother))
      broken.push(`signal ${n} is there with ${amount}, and was sent with ${sums.get(n) ?? 'nothing'}`);
    for (const { run, n, amount } of returned.filter(isAnother))
      broken.push(`trip ${run} has returned ${amount} of signal ${n}, which was sent with ${sums.get(n) ?? 'nothing'}`);
    return {
      counted: sent.length,
      broken,
      remark: `${received.length} were received by ${returned.length} trips that ended well and others, ${kept.length} are kept`,
    };
  },
};

/** Whoever ends the last job, cancels it or dies behind it: a batch knows what its jobs are, and tells each end once. */
export const batchesAddUp: Check = {
  promise: "a batch's counts are those of its jobs, each of its ends is told once, and it commits with its caller",
  check({ batches, begun }) {
    const broken = batches.flatMap(describeBatch);
    const known = groupBy(batches, ({ id }) => id);
    const asked = new Set(begun.map(({ id }) => id));
    for (const { id } of begun) if (!known.has(id)) broken.push(`batch ${id} was begun, and is gone`);
    for (const { id } of batches) if (!asked.has(id)) broken.push(`batch ${id} is there, and its caller's row is not`);
    const told = batches.reduce((sum, { callbacks }) => sum + callbacks.length, 0);
    return { counted: batches.length, broken, remark: `${told} jobs were enqueued by their ends` };
  },
};

function describeBatch({ id, isSettled, told, found, died, callbacks }: FinalBatch): string[] {
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
