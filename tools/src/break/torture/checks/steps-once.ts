import type { StepChange } from '../observer/evidence.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

const ENDED = new Set(['arrived', 'done', 'failed']);

/** Whatever dies: a step is known once it has ended, and what it did in its transaction is there as often as it is. */
export const stepsOnce: Check = {
  promise: 'a step ends once and stays; in a transaction it is done once; a child is one',
  needs: 'any run',
  check({ stepChanges, bookings, jobs }) {
    const broken: string[] = [];
    const steps = groupBy(stepChanges, ({ run, name }) => `${run} ${name}`);
    for (const [step, changes] of steps)
      broken.push(...changes.slice(1).flatMap((change, before) => describe(step, changes[before]!.to, change)));
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
function describe(step: string, was: string, { from, to, hasChanged }: StepChange): string[] {
  if (from !== was) return [`the step ${step} was ${was}, and became ${to} from ${from ?? 'nothing'}`];
  const isEnd = from === 'waiting' && ENDED.has(to);
  const isSeen = from === 'arrived' && to === 'done' && !hasChanged;
  return isEnd || isSeen ? [] : [`the step ${step}: ${from} → ${to}${hasChanged ? ', with another result' : ''}`];
}
