import type { Check } from '../check.js';
import { readGates } from './read-gates.js';

/** The database's times are kept to a millionth of a second. */
const ROUNDED_UNITS = 0.001;

/** In no stretch of time are more let in than the rate allows, with its burst. */
export const ratesHold: Check = {
  promise: 'no rate is exceeded in any stretch of time',
  needs: 'any run',
  check(evidence) {
    const broken: string[] = [];
    let counted = 0;
    for (const { key, kind, rule, letIn } of readGates(evidence)) {
      const { unitMs, burst } = rule;
      if (kind !== 'rate' || unitMs === null || burst === null) continue;
      counted += letIn.length;
      /** The moment up to which its units are used up. */
      let usedUp = -Infinity;
      for (const { at, run, units } of letIn.toSorted((a, b) => a.at - b.at)) {
        usedUp = Math.max(usedUp, at) + units * unitMs;
        const ahead = (usedUp - at) / unitMs - burst;
        if (ahead > ROUNDED_UNITS) broken.push(`${key}: ${run} was let in ${ahead.toFixed(2)} units too early`);
      }
    }
    return { counted, broken };
  },
};
