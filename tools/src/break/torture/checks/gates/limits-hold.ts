import type { Check } from '../check.js';
import { readGates } from './read-gates.js';
import { countUnits, listMoments } from './list-moments.js';

/** Of a limit never more is held than its `max`, whatever workers, connections and people do. */
export const limitsHold: Check = {
  promise: 'no limit is exceeded at any moment',
  needs: 'any run',
  check(evidence) {
    const broken: string[] = [];
    let counted = 0;
    let full = 0;
    for (const { key, kind, rule, holds } of readGates(evidence)) {
      if (kind !== 'limit') continue;
      const { max } = rule;
      if (max === null) {
        broken.push(`${key} has no rule`);
        continue;
      }
      counted += holds.length;
      let isFull = false;
      for (const { from, holders } of listMoments(holds, [])) {
        const used = countUnits(holders, max);
        isFull ||= used === max;
        if (used <= max) continue;
        const runs = [...holders].map(({ run }) => run).join(', ');
        broken.push(`${key} of ${max} had ${used} at ${from.toFixed(3)}: ${runs}`);
      }
      if (isFull) full++;
    }
    return { counted, broken, remark: `${full} keys were full at some time` };
  },
};
