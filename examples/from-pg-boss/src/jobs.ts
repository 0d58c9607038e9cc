import { deadJob, defineCatalog, defineJob, delays } from 'duework';
import { z } from 'zod';

const payload = z.object({ n: z.int() });
/** pg-boss counts from 0 upwards, high first; here 0 is first. So 5 - priority is the same. */
export const note = defineJob({ type: 'note', payload });
export const shaky = defineJob({ type: 'shaky', payload, maxAttempts: 3, retry: delays(['1ms', '1ms']) });
export const dead = defineJob({ type: 'dead', payload: deadJob });
export const doomed = defineJob({ type: 'doomed', payload, maxAttempts: 1, onDead: dead });
const ofAccount = z.object({ n: z.int(), account: z.int() });
/** The policy `short`: one that waits. */
export const sync = defineJob({ type: 'sync', payload: ofAccount, unique: { by: 'account', while: 'waiting' } });
/** `singletonSeconds`. */
export const hourly = defineJob({ type: 'hourly', payload: ofAccount, unique: { by: 'account', per: '1h' } });
export const many = defineJob({ type: 'many', payload, collect: { max: 3, wait: '1s' } });
export const measure = defineJob({ type: 'measure', payload, result: z.object({ square: z.int() }) });
export const catalog = defineCatalog([note, shaky, dead, doomed, sync, hourly, many, measure]);
