/** Compiled only: what `collect` accepts and refuses. */
import { z } from 'zod';
import type { Collect } from './collect.js';
import { defineJob } from './define-job.js';

const payload = z.object({ accountId: z.int(), to: z.object({ city: z.string() }) });

const all = defineJob({ type: 'all', payload, collect: { max: 100, wait: '2s' } });
all.collect satisfies Collect;
defineJob({ type: 'path', payload, collect: { max: 100, wait: '2s', by: 'to.city' } }).collect satisfies Collect;
const byCode = defineJob({
  type: 'code',
  payload,
  collect: { max: 100, wait: '2s', by: ({ accountId, to }) => accountId.toFixed(0) + to.city },
});
byCode.collect satisfies Collect;
defineJob({ type: 'one', payload }).collect satisfies undefined;

// @ts-expect-error how long to wait is a decision
defineJob({ type: 'x', payload, collect: { max: 100 } });
// @ts-expect-error a length of time has a unit
defineJob({ type: 'x', payload, collect: { max: 100, wait: 2_000 } });
// @ts-expect-error a function of another payload
defineJob({ type: 'x', payload, collect: { max: 100, wait: '2s', by: ({ userId }: { userId: string }) => userId } });
// @ts-expect-error a value to compare is text or a number
defineJob({ type: 'x', payload, collect: { max: 100, wait: '2s', by: () => true } });
