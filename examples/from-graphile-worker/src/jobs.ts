import { defineCatalog, defineJob, delays } from 'duework';
import { z } from 'zod';

const n = z.int();
const payload = z.object({ n });
/** Both take low numbers first; what has none has 0 there, and 5 here. */
export const note = defineJob({ type: 'note', payload });
export const shaky = defineJob({ type: 'shaky', payload, maxAttempts: 2, retry: delays(['1ms']) });
export const hopeless = defineJob({ type: 'hopeless', payload, maxAttempts: 1 });
/** `job_key` replaces a job that waits. */
export const search = defineJob({
  type: 'search',
  payload: z.object({ n, user: z.int() }),
  unique: { by: 'user', onConflict: 'replace' },
});
/** `queue_name` runs jobs one after the other. */
export const inLine = defineJob({ type: 'in_line', payload: z.object({ n, account: z.int() }), order: 'account' });
/** A payload that is a list, of which only what has failed is tried again. */
export const part = defineJob({
  type: 'part',
  payload,
  maxAttempts: 2,
  retry: delays(['1ms']),
  collect: { max: 3, wait: '1s' },
});
/** A flag that is forbidden for a while. */
export const slow = defineJob({ type: 'slow', payload });
export const ship = defineJob({ type: 'ship', payload });
export const catalog = defineCatalog([ship, note, shaky, hopeless, search, inLine, part, slow]);
