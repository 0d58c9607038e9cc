import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { z } from 'zod';

const base = {
  payload: z.object({ n: z.int(), of: z.int(), cost: z.int().default(1) }),
  retry: fixed('1m'),
  lease: '2s' as const,
  maxAttempts: 3,
};

/** Two at once of all, and of each `of` one. */
export const mail = defineJob({
  ...base,
  type: 'mail',
  limits: [
    { name: 'smtp', max: 2 },
    { by: 'of', max: 1 },
  ],
});
/** Shares the limit of `mail`. */
export const letter = defineJob({ ...base, type: 'letter', limits: [{ name: 'smtp', max: 2 }] });
export const print = defineJob({ ...base, type: 'print', limits: [{ max: 5, cost: 'cost' }] });
export const book = defineJob({ ...base, type: 'book', order: 'of' });
export const skip = defineJob({ ...base, type: 'skip', order: { by: 'of', onFailure: 'step_over' } });
export const block = defineJob({ ...base, type: 'block', order: { by: 'of', onDead: 'block' } });
/** In an order, and one at once of all. */
export const narrow = defineJob({ ...base, type: 'narrow', order: 'of', limits: [{ max: 1 }] });
/** One in 10 s, of which two may start at once. */
export const call = defineJob({ ...base, type: 'call', rate: { max: 6, per: '1m', burst: 2 } });
export const fair = defineJob({ ...base, type: 'fair', tenant: 'of' });
export const bounded = defineJob({ ...base, type: 'bounded', tenant: 'of', limits: [{ max: 1 }] });
export const fragile = defineJob({ ...base, type: 'fragile', breaker: { share: 0.5, of: 4, pause: '30s' } });
/** May wait for a minute. */
export const patient = defineJob({ ...base, type: 'patient', maxWait: '1m' });
/** May wait for a minute behind what shares the limit of `mail`. */
export const reminder = defineJob({
  ...base,
  type: 'reminder',
  limits: [{ name: 'smtp', max: 2 }],
  maxWait: '1m',
});

export const flowCatalog = defineCatalog([
  mail,
  letter,
  print,
  book,
  skip,
  block,
  narrow,
  call,
  fair,
  bounded,
  fragile,
  patient,
  reminder,
]);
