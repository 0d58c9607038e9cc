import type { Check } from './check.js';
import { groupBy } from './group-by.js';

/**
 * Outside the system: no mail twice; a webhook twice only if it said so. In the database: one payment for each run that
 * succeeded.
 */
export const effectsOnce: Check = {
  promise: 'no effect happens twice',
  needs: 'any run',
  check({ effects, payments, jobs }) {
    const broken: string[] = [];
    for (const [key, list] of groupBy(effects, ({ key }) => key)) {
      const type = list[0]?.type;
      if (type === 'mail' && list.length > 1) broken.push(`${key} was sent ${list.length} times`);
      // a worker that was frozen before it sent may send last, although it was the first to begin
      if (type === 'webhook' && list.filter(({ isRepeat }) => !isRepeat).length > 1)
        broken.push(`${key} was sent again and did not say so`);
    }
    const paid = groupBy(payments, ({ run }) => run);
    for (const [run, list] of paid) if (list.length > 1) broken.push(`run ${run} paid ${list.length} times`);
    const sent = new Set(effects.map(({ run }) => run));
    for (const { run, type, status } of jobs) {
      if (type === 'payment' && (status === 'succeeded') !== paid.has(run))
        broken.push(`payment ${run} is ${status} and has ${paid.has(run) ? 'paid' : 'not paid'}`);
      if (type === 'mail' && status === 'succeeded' && !sent.has(run))
        broken.push(`mail ${run} succeeded and was not sent`);
    }
    return { counted: effects.length + payments.length, broken };
  },
};
