import type { Payment } from '../observer/evidence.js';
import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/** One that was sent is received by one wait, or kept for one that may come; none is that was rolled back. */
export const signalsOnce: Check = {
  promise: 'a signal that was sent is received once, or kept; what was rolled back was never sent',
  needs: 'any run',
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
